//! The classes of an absolute, normalised path. Pure text work on data of [`super::names`].

use super::names::{EXCEPTIONS, HARMLESS_DEVICES, MADE_AGAIN, NAMES, TEMPORARY};
use crate::analysis::effect::PathClass;
use crate::analysis::program::Glob;
use crate::spelling::{Spelling, drive};
use crate::world::is_below;
use std::borrow::Cow;

/// Stands for text that is not known inside a path.
pub(in crate::analysis) const UNKNOWN: char = '\u{1}';
/// What is shown in its place.
pub(in crate::analysis) const UNKNOWN_SHOWN: &str = "...";

/// Where a call is made: what classes are told against.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setting {
    /// Home folder, normalised.
    pub(crate) home: Option<String>,
    /// Root of the project: the repository's, else the call's working directory.
    pub(crate) project: Option<String>,
    /// The user's folder for temporary files, where it is not a common one.
    pub(crate) temporary: Option<String>,
    /// How the machine spells its paths; those above are in the one form.
    pub(crate) spelling: Spelling,
}

/// Whether writing to the path changes nothing (`/dev/null`), or it is a socket of the shell (`/dev/tcp/..`).
pub(in crate::analysis) fn is_harmless_device(path: &str) -> bool {
    HARMLESS_DEVICES.contains(&path)
        || ["/dev/fd/", "/dev/pts/", "/dev/tcp/", "/dev/udp/", "/proc/self/fd/"]
            .iter()
            .any(|start| path.starts_with(start))
        || path.eq_ignore_ascii_case("nul")
        || drive(path).is_some_and(|(_, below)| is_device_name(below))
}

/// `NUL` and `CON`, which every folder of Windows has.
fn is_device_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.eq_ignore_ascii_case("nul") || name.eq_ignore_ascii_case("con")
}

impl Setting {
    /// Every class that holds for `path`, worst first. Never empty.
    pub(super) fn classes(&self, path: &str) -> Vec<PathClass> {
        let lower = path.to_ascii_lowercase();
        let (base, is_whole) = base(&lower);
        let mut classes = Vec::with_capacity(3);
        let is_everywhere = lower.starts_with("/**/");
        if base.is_empty() && is_whole || is_drive(base) || is_everywhere {
            classes.push(PathClass::Root);
        }
        if is_device(&lower) {
            classes.push(PathClass::Device);
        }
        self.homes(base, is_whole, &mut classes);
        self.named(&lower, &mut classes);
        self.places(base, &lower, is_whole, &mut classes);
        if classes.is_empty() {
            classes.push(PathClass::Outside);
        }
        order(&mut classes);
        classes
    }

    /// Home folders themselves, or folders that hold them.
    fn homes(&self, base: &str, is_whole: bool, classes: &mut Vec<PathClass>) {
        if !is_whole || base.is_empty() {
            return;
        }
        let home = self.home.as_deref().map(str::to_ascii_lowercase);
        let holds_home = home.is_some_and(|home| is_below(&home, base));
        let machine = drive(base).map_or(base, |(_, below)| below);
        let is_any_home = ["/home/", "/users/"].iter().any(|folder| {
            let user = machine.strip_prefix(folder);
            user.is_some_and(|user| !user.is_empty() && !user.contains('/') && !matches!(user, "shared" | "public"))
        });
        if holds_home || is_any_home || matches!(machine, "/root" | "/users") {
            classes.push(PathClass::HomeRoot);
        }
    }

    /// Classes that names tell.
    fn named(&self, lower: &str, classes: &mut Vec<PathClass>) {
        let parts = Parts::of(lower, self.home.as_deref());
        let in_project = self.in_project(lower);
        for (pattern, class) in NAMES {
            let is_of_machine = *class == PathClass::System || *class == PathClass::Ignored;
            if !(classes.contains(class) || is_of_machine && in_project) && parts.matches(pattern) {
                classes.push(*class);
            }
        }
        for (pattern, class) in EXCEPTIONS {
            // `.env*` is `.env.example`, and more.
            if !has_glob(parts.last) && parts.matches(pattern) {
                classes.retain(|found| found != class);
            }
        }
    }

    /// Where the path stands: project, temporary folder, home, elsewhere.
    fn places(&self, base: &str, lower: &str, is_whole: bool, classes: &mut Vec<PathClass>) {
        let project = self.project.as_deref().map(str::to_ascii_lowercase);
        let project = project.as_deref().filter(|project| !project.trim_end_matches('/').is_empty());
        if let Some(project) = project {
            if base == project && is_whole {
                return classes.push(PathClass::ProjectRoot);
            }
            if is_below(lower, project) {
                if is_made_again(lower.strip_prefix(project).unwrap_or(lower)) {
                    classes.push(PathClass::Ignored);
                }
                return classes.push(PathClass::Project);
            }
            let holds_more = classes.iter().any(|class| matches!(class, PathClass::Root | PathClass::HomeRoot));
            if is_whole && !holds_more && is_below(project, base) {
                classes.push(PathClass::Parent);
            }
        }
        let temporary = TEMPORARY.iter().copied().chain(self.temporary.as_deref());
        for folder in temporary {
            if base == folder && is_whole {
                return temp(PathClass::TempRoot, classes);
            }
            if is_below(lower, folder) {
                return temp(PathClass::Temp, classes);
            }
        }
        // Each user of Windows has one.
        if let Some((_, below)) = lower.split_once("/appdata/local/temp") {
            let is_all = is_whole && base.ends_with("/appdata/local/temp");
            if below.is_empty() || below.starts_with('/') {
                return temp(if is_all { PathClass::TempRoot } else { PathClass::Temp }, classes);
            }
        }
        let home = self.home.as_deref().map(str::to_ascii_lowercase);
        let is_sibling = project.and_then(parent).is_some_and(|above| {
            let below = lower.strip_prefix(above).unwrap_or("");
            let is_of_home = Some(above) == home.as_deref();
            !above.is_empty() && base != above && is_below(lower, above) && !(is_of_home && is_common_in_homes(below))
        });
        if is_sibling {
            classes.push(PathClass::Parent);
        }
        if home.is_some_and(|home| lower != home && is_below(lower, &home)) && !classes.contains(&PathClass::HomeRoot) {
            classes.push(PathClass::Home);
        }
    }

    fn in_project(&self, lower: &str) -> bool {
        self.project.as_deref().is_some_and(|project| {
            !project.trim_end_matches('/').is_empty() && is_below(lower, &project.to_ascii_lowercase())
        })
    }
}

/// Sorts by weight, worst first, each once.
pub(super) fn order(classes: &mut Vec<PathClass>) {
    classes.sort_by_key(|class| weight(*class));
    classes.dedup();
}

/// Temporary folders stand inside system folders; only the nearer word counts.
fn temp(class: PathClass, classes: &mut Vec<PathClass>) {
    classes.retain(|found| !matches!(found, PathClass::System | PathClass::Device));
    classes.push(class);
}

/// The folder a path means as a whole, and whether it does: `/a/b` and `/a/b/*` mean `/a/b`; `/a/b/*.x` means a
/// part of it.
fn base(path: &str) -> (&str, bool) {
    let mut rest = path.trim_end_matches('/');
    let mut is_whole = true;
    while let Some((above, last)) = rest.rsplit_once('/') {
        if is_everything(last) {
            rest = above;
        } else {
            is_whole = !has_glob(last);
            break;
        }
    }
    (rest, is_whole)
}

/// Whether a part of a path matches about every name.
fn is_everything(part: &str) -> bool {
    let is_glob = part.contains(['*', '?', '[']) || part.contains("!(");
    is_glob
        && (part.starts_with("!(")
            || part.chars().all(|character| "*?.[]!^{},".contains(character))
            || matches!(part, "[!.]*" | ".[!.]*" | "..?*" | ".??*" | "[a-z]*" | "[^.]*" | "*.*"))
}

fn has_glob(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(above, _)| above)
}

/// Whether a path below a home folder starts with a folder that is no project: hidden, or made by the system.
fn is_common_in_homes(below: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "library",
        "documents",
        "desktop",
        "downloads",
        "pictures",
        "music",
        "movies",
        "videos",
        "public",
        "templates",
        "applications",
        "go",
        "snap",
        "bin",
        "appdata",
    ];
    let first = below.trim_start_matches('/').split('/').next().unwrap_or("");
    first.starts_with('.') || FOLDERS.contains(&first)
}

/// `/c:`: the root of a drive.
fn is_drive(base: &str) -> bool {
    base.strip_prefix('/').is_some_and(|drive| drive.len() == 2 && drive.ends_with(':'))
}

fn is_device(lower: &str) -> bool {
    let is_unix = lower.strip_prefix("/dev/").is_some_and(|name| !name.starts_with("shm"));
    is_unix && !is_harmless_device(lower) || lower.contains("physicaldrive") || lower.starts_with("/./")
}

/// Whether a part of the path, seen from the project's root, is made again by a build.
fn is_made_again(below: &str) -> bool {
    let parts = || below.split('/').filter(|part| !part.is_empty() && *part != "**");
    let mut before = "";
    for part in parts() {
        let pair_matches =
            |pattern: &str| pattern.split_once('/').is_some_and(|(first, second)| first == before && second == part);
        let matches = |pattern: &&&str| match pattern.split_once('*') {
            Some(_) => Glob((**pattern).to_owned()).matches(part),
            None => **pattern == part || pair_matches(pattern),
        };
        if MADE_AGAIN.iter().find(matches).is_some() {
            return true;
        }
        before = part;
    }
    false
}

/// A path in the forms that names are compared with.
struct Parts<'a> {
    path: &'a str,
    /// As if the system stood on this drive.
    on_system: Cow<'a, str>,
    last: &'a str,
    home: Option<String>,
    /// Some part starts with a dot, or may.
    may_be_hidden: bool,
}

impl<'a> Parts<'a> {
    fn of(path: &'a str, home: Option<&str>) -> Self {
        let path = path.trim_end_matches('/');
        let last = path.rsplit_once('/').map_or(path, |(_, last)| last);
        let may_be_hidden = path.contains("/.") || last.contains(['*', '?', '[']);
        let on_system = drive(path).map_or(Cow::Borrowed(path), |(_, below)| Cow::Owned(format!("/c:{below}")));
        Self { path, on_system, last, home: home.map(str::to_ascii_lowercase), may_be_hidden }
    }

    fn matches(&self, pattern: &str) -> bool {
        // Most names start with a dot, most paths have none.
        if pattern.starts_with('.') && !self.may_be_hidden {
            return false;
        }
        if let Some(below) = pattern.strip_prefix("~/") {
            let Some(rest) = self.home.as_ref().and_then(|home| self.path.strip_prefix(home.as_str())) else {
                return false;
            };
            let Some(rest) = rest.strip_prefix('/') else { return false };
            return match below.strip_suffix('/') {
                Some(folder) => is_below(rest, folder),
                None => rest == below,
            };
        }
        if let Some(folder) = pattern.strip_suffix('/') {
            if folder.starts_with('/') {
                return is_below(&self.on_system, folder);
            }
            return contains_folder(self.path, folder);
        }
        if pattern.starts_with('/') {
            if let Some((start, end)) = pattern.split_once('*') {
                return self.on_system.strip_prefix(start).is_some_and(|rest| rest.ends_with(end));
            }
            return self.on_system == pattern;
        }
        if let Some(end) = pattern.strip_prefix('*') {
            return self.last.len() > end.len() && self.last.ends_with(end);
        }
        if let Some(start) = pattern.strip_suffix('*') {
            let known = self.last.split(['*', '?', '[']).next().unwrap_or("");
            return self.last.starts_with(start)
                || known.len() > 2 && known.len() < self.last.len() && start.starts_with(known);
        }
        if pattern.contains('/') {
            return self.path.strip_suffix(pattern).is_some_and(|before| before.ends_with('/'));
        }
        self.last == pattern || self.may_be(pattern)
    }

    /// Whether a glob is about this name: it starts like it and matches it (`.env*`, `id_*`).
    fn may_be(&self, name: &str) -> bool {
        let starts_alike = self.last.find(['*', '?', '[']).is_some_and(|at| at >= 2);
        starts_alike && Glob(self.last.to_owned()).matches(name)
    }
}

/// Whether `folder` (one or more parts) stands in `path` as whole parts.
fn contains_folder(path: &str, folder: &str) -> bool {
    path.match_indices(folder).any(|(at, _)| {
        let before = path.get(..at).is_some_and(|before| before.ends_with('/'));
        let after = path.get(at + folder.len()..).is_some_and(|after| after.is_empty() || after.starts_with('/'));
        before && after
    })
}

/// Place in the order of classes: the most telling first.
fn weight(class: PathClass) -> u8 {
    match class {
        PathClass::Root => 0,
        PathClass::Device => 1,
        PathClass::HomeRoot => 2,
        PathClass::Guard => 3,
        PathClass::Secret => 4,
        PathClass::Autostart => 5,
        PathClass::AgentConfig => 6,
        PathClass::Vcs => 7,
        PathClass::System => 8,
        PathClass::Parent => 9,
        PathClass::ProjectRoot => 10,
        PathClass::TempRoot => 11,
        PathClass::Ignored => 12,
        PathClass::Temp => 13,
        PathClass::Project => 14,
        PathClass::Home => 15,
        PathClass::Outside => 16,
        PathClass::Unknown => 17,
    }
}
