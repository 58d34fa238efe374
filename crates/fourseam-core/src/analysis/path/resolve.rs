//! From a word to the paths it may be: joined with the working directory, `..` removed, unknown parts at worst.

use super::classes::{Setting, UNKNOWN, UNKNOWN_SHOWN};
use super::names::VARIABLES;
use crate::analysis::effect::{PathClass, PathUse};
use crate::spelling::{Spelling, drive};
use crate::world::{Known, PathFact, World};
use fourseam_shell::{Piece, Unknown, UnknownFrom, Word};

/// What an unknown part of a word may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// This path; [`UNKNOWN`] stands for parts that are not known.
    Path(String),
    /// Some text that is not empty.
    Name,
    /// Any text, also none.
    Anything,
}

/// Tells where unknown texts come from.
pub(crate) trait Origins {
    /// What the text may be.
    fn origin(&self, unknown: &Unknown) -> Origin;
    /// Whether the same command line made or changed what stands at the path, so that the world tells nothing of it.
    fn is_changed(&self, path: &str) -> bool;
    /// Where a path leads by links that the same command line made; `last`: also when it is one itself.
    fn linked(&self, path: &str, last: bool) -> Option<String>;
}

/// Resolves the words of one command.
pub(crate) struct Resolver<'a> {
    /// What classes are told against.
    pub(crate) setting: &'a Setting,
    /// Asked about links.
    pub(crate) world: &'a dyn World,
    /// Where unknown texts come from.
    pub(crate) origins: &'a dyn Origins,
    /// Working directories the command may run in; none: not known.
    pub(crate) bases: Vec<String>,
}

/// How a path is treated at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// The thing itself is meant (`rm link`).
    Itself,
    /// What a link leads to is meant (`> link`).
    Links,
}

/// Everything a word may be as a path.
#[derive(Debug, Default)]
struct Candidates {
    paths: Vec<String>,
    glob: bool,
    unknown: bool,
}

const MOST_CANDIDATES: usize = 8;

impl Resolver<'_> {
    /// Sets the working directory from a word; `None` or nothing known in front leaves it unknown.
    pub(crate) fn with_cwd(mut self, cwd: Option<&Word>) -> Self {
        let Some(cwd) = cwd else {
            self.bases.clear();
            return self;
        };
        let found = self.candidates(cwd);
        // `cd ""` and `cd $UNSET` go home or stay: home is the worse of the two.
        let home = self.setting.home.clone();
        let at = |path: String| if path.is_empty() { home.clone() } else { Some(path) };
        self.bases = found.paths.into_iter().filter_map(at).filter(|path| path.starts_with('/')).collect();
        self
    }

    /// The path a word means.
    pub(crate) fn resolve(&self, word: &Word, follow: Follow) -> PathUse {
        let written = word.text().replace(UNKNOWN, UNKNOWN_SHOWN);
        let found = self.candidates(word);
        let mut classes: Vec<PathClass> = Vec::new();
        for path in &found.paths {
            match path.as_str() {
                "" => {}
                path if path.starts_with('/') => classes.extend(self.setting.classes(path)),
                // Where it stands is not known; what its names tell is.
                path => {
                    classes.extend(self.setting.classes(path).into_iter().filter(|class| *class != PathClass::Outside))
                }
            }
            if !path.starts_with('/') && !classes.contains(&PathClass::Unknown) {
                classes.push(PathClass::Unknown);
            }
        }
        let mut resolved = match found.paths.as_slice() {
            [path] if path.starts_with('/') && !path.contains(UNKNOWN) => Some(path.clone()),
            _ => None,
        };
        if let Some(end) = resolved.as_deref().and_then(|path| self.end_of_links(path, found.glob, follow)) {
            classes.extend(self.setting.classes(&end));
            resolved = Some(end);
        }
        if classes.is_empty() {
            classes.push(PathClass::Unknown);
        }
        if classes.len() > 1 {
            super::classes::order(&mut classes);
        }
        PathUse { written, resolved, classes, glob: found.glob, unknown: found.unknown, restorable: None }
    }

    /// Where a path ends when links are followed, if that is elsewhere.
    fn end_of_links(&self, path: &str, glob: bool, follow: Follow) -> Option<String> {
        let (parent, last) = path.rsplit_once('/')?;
        let is_last_followed = follow == Follow::Links && !glob;
        let asked = if is_last_followed { path } else { parent };
        if let Some(end) = self.origins.linked(path, follow == Follow::Links) {
            return Some(end);
        }
        if asked.is_empty() || asked.contains(['*', '?', '[']) || self.origins.is_changed(path) {
            return None;
        }
        let Known::Yes(PathFact::Link(Some(end))) = self.world.path(asked) else { return None };
        Some(if is_last_followed { end } else { format!("{end}/{last}") })
    }

    /// Every absolute path a word may mean.
    pub(crate) fn paths(&self, word: &Word) -> Vec<String> {
        let mut paths = self.candidates(word).paths;
        paths.retain(|path| path.starts_with('/'));
        paths
    }

    fn candidates(&self, word: &Word) -> Candidates {
        let mut found = Candidates { paths: vec![String::new()], ..Candidates::default() };
        for piece in &word.pieces {
            // `%HOMEDRIVE%` in front adds nothing: what follows starts with the drive.
            let is_first = found.paths.iter().all(String::is_empty);
            match piece {
                Piece::Literal(text) if is_first && !word.quoted => found.append(&self.with_home(text)),
                Piece::Literal(text) => found.append(text),
                Piece::Glob(text) => {
                    found.glob = true;
                    found.append(text);
                }
                Piece::Unknown(unknown) => self.unknown(unknown, is_first, &mut found),
            }
        }
        let paths = found.paths.drain(..).collect::<Vec<_>>();
        for path in paths {
            self.join(&path, &mut found.paths);
        }
        found.paths.dedup();
        found
    }

    fn unknown(&self, unknown: &Unknown, is_first: bool, found: &mut Candidates) {
        match self.common(unknown).unwrap_or_else(|| self.origins.origin(unknown)) {
            Origin::Path(path) if is_first => {
                found.unknown |= path.contains(UNKNOWN);
                found.append(&path);
            }
            Origin::Path(_) | Origin::Name => {
                found.unknown = true;
                found.append(UNKNOWN.encode_utf8(&mut [0; 4]));
            }
            Origin::Anything => {
                found.unknown = true;
                let without = found.paths.clone();
                found.append(UNKNOWN.encode_utf8(&mut [0; 4]));
                if found.paths.len() + without.len() <= MOST_CANDIDATES {
                    found.paths.extend(without);
                }
            }
        }
    }

    /// Variables that are a known path in practice, and texts that cannot be empty.
    fn common(&self, unknown: &Unknown) -> Option<Origin> {
        if let UnknownFrom::Variable(name) = &unknown.from
            && let Some((_, path)) = VARIABLES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
        {
            return self.at_home_or_project(path).map(Origin::Path);
        }
        let source = unknown.source.as_str();
        let is_never_empty = matches!(
            source,
            "$$" | "$#" | "$?" | "$RANDOM" | "$SECONDS" | "$UID" | "$EUID" | "$BASHPID" | "$LINENO" | "$0"
        ) || source.starts_with("$((")
            || source.starts_with("${#")
            || source.contains(":?")
            || source.contains(":-") && !source.contains(":-}")
            || source.contains(":=") && !source.contains(":=}");
        is_never_empty.then_some(Origin::Name)
    }

    fn at_home_or_project(&self, path: &str) -> Option<String> {
        if let Some(rest) = path.strip_prefix('~') {
            return Some(format!("{}{rest}", self.setting.home.as_deref()?));
        }
        if let Some(rest) = path.strip_prefix('.') {
            let base = self.bases.first().filter(|_| rest.is_empty()).or(self.setting.project.as_ref())?;
            return Some(format!("{base}{rest}"));
        }
        Some(path.to_owned())
    }

    /// `~` and `~user` at the beginning of an unquoted word.
    fn with_home(&self, text: &str) -> String {
        if text.starts_with("~\\") && self.setting.spelling == Spelling::Windows {
            return self.with_home(&text.replace('\\', "/"));
        }
        let Some(rest) = text.strip_prefix('~') else { return text.to_owned() };
        let (user, below) = rest.split_once('/').map_or((rest, ""), |(user, below)| (user, below));
        let slash = if rest.contains('/') { "/" } else { "" };
        match user {
            "" | "+" => match &self.setting.home {
                Some(home) if user.is_empty() => format!("{home}{slash}{below}"),
                _ => text.to_owned(),
            },
            "root" => format!("/root{slash}{below}"),
            user if user.chars().all(|character| character.is_ascii_alphanumeric() || "._-".contains(character)) => {
                format!("/home/{user}{slash}{below}")
            }
            _ => text.to_owned(),
        }
    }

    /// Makes a path absolute and normal. A path whose beginning is not known stays as it is.
    fn join(&self, path: &str, into: &mut Vec<String>) {
        if path.is_empty() || path.starts_with(UNKNOWN) {
            return into.push(path.to_owned());
        }
        let base_drive = self.bases.first().and_then(|base| drive(base));
        let path = match (path.strip_prefix('\\'), base_drive) {
            // `\work` is on the drive that the command runs on.
            (Some(below), Some((letter, _))) if !below.starts_with('\\') => format!("/{letter}:/{below}"),
            _ => path.to_owned(),
        };
        let path = self.setting.spelling.plain(&path);
        if path.starts_with('/') {
            return into.push(normal(&path));
        }
        if self.bases.is_empty() {
            return into.push(format!("{UNKNOWN}/{}", path.trim_start_matches("./")));
        }
        into.extend(self.bases.iter().map(|base| normal(&format!("{base}/{path}"))));
    }
}

impl Candidates {
    fn append(&mut self, text: &str) {
        self.unknown |= text.contains(UNKNOWN);
        for path in &mut self.paths {
            path.push_str(text);
        }
    }
}

/// Removes `.`, `..` and empty parts of an absolute path. `..` at the root stays there.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    // The root of a drive is above its folders, and stays.
    let (root, path) = drive(path).map_or((String::new(), path), |(letter, below)| (format!("/{letter}:"), below));
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let mut text = root;
    text.reserve(path.len());
    for part in &parts {
        text.push('/');
        text.push_str(part);
    }
    if text.is_empty() { "/".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;
    use crate::world::FixedWorld;
    use PathClass::{
        AgentConfig, Autostart, Device, Guard, Home, HomeRoot, Ignored, Outside, Parent, Project, ProjectRoot, Root,
        Secret, System, Temp, TempRoot, Vcs,
    };

    struct NoOrigins;
    impl Origins for NoOrigins {
        fn origin(&self, _unknown: &Unknown) -> Origin {
            Origin::Anything
        }
        fn is_changed(&self, _path: &str) -> bool {
            false
        }
        fn linked(&self, _path: &str, _last: bool) -> Option<String> {
            None
        }
    }

    fn resolve(word: &Word) -> PathUse {
        let setting = Setting {
            home: Some("/home/ana".to_owned()),
            project: Some("/home/ana/code/app".to_owned()),
            temporary: None,
            spelling: Spelling::Unix,
        };
        let world = FixedWorld::default();
        let bases = vec!["/home/ana/code/app".to_owned()];
        Resolver { setting: &setting, world: &world, origins: &NoOrigins, bases }.resolve(word, Follow::Itself)
    }

    fn resolve_on_windows(word: &Word) -> PathUse {
        let setting = Setting {
            home: Some("/c:/Users/ana".to_owned()),
            project: Some("/c:/work/app".to_owned()),
            temporary: None,
            spelling: Spelling::Windows,
        };
        let world = FixedWorld::default();
        let bases = vec!["/c:/work/app".to_owned()];
        Resolver { setting: &setting, world: &world, origins: &NoOrigins, bases }.resolve(word, Follow::Itself)
    }

    #[test]
    fn paths_of_windows_have_classes_in_every_spelling() {
        let mut wrong = Vec::new();
        for (path, wanted) in [
            ("C:\\work\\app", vec![ProjectRoot]),
            ("c:/work/app/*", vec![ProjectRoot]),
            ("/c/work/app/src", vec![Project]),
            ("/mnt/c/work/app/dist", vec![Ignored, Project]),
            ("src\\main.rs", vec![Project]),
            (".\\node_modules", vec![Ignored, Project]),
            ("..\\other", vec![Parent]),
            ("\\", vec![Root, HomeRoot]),
            ("D:\\", vec![Root]),
            ("\\\\?\\C:\\", vec![Root, HomeRoot]),
            ("\\\\localhost\\C$\\Windows", vec![System]),
            ("C:\\Users\\ana\\*", vec![HomeRoot]),
            ("C:\\Users\\*", vec![HomeRoot]),
            ("C:\\Users\\bob", vec![HomeRoot]),
            ("~\\Desktop\\notes", vec![Home]),
            ("C:\\Users\\ana\\.ssh\\id_ed25519", vec![Secret, Home]),
            ("C:\\Users\\ana\\AppData\\Local\\Temp\\build-1", vec![Temp]),
            ("C:\\Users\\ana\\AppData\\Local\\Temp", vec![TempRoot]),
            ("D:\\Windows\\System32", vec![System]),
            ("\\\\.\\PhysicalDrive0", vec![Device]),
            ("D:\\data", vec![Outside]),
        ] {
            let found = resolve_on_windows(&word(&[Piece::Literal(path.to_owned())])).classes;
            if found != wanted {
                wrong.push(format!("{path}: {found:?}, not {wanted:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn variables_of_windows_are_known_paths() {
        let classes = |pieces: &[Piece]| resolve_on_windows(&word(pieces)).classes;
        let below = |text: &str| Piece::Literal(text.to_owned());
        assert_eq!(classes(&[variable("HOME"), below("\\Desktop")]), [Home]);
        assert_eq!(classes(&[variable("USERPROFILE")]), [HomeRoot]);
        assert_eq!(classes(&[variable("HOMEDRIVE"), variable("HOMEPATH")]), [HomeRoot]);
        assert_eq!(classes(&[variable("TEMP"), below("\\app-test")]), [Temp]);
        assert_eq!(classes(&[variable("SystemRoot"), below("\\System32")]), [System]);
    }

    fn word(pieces: &[Piece]) -> Word {
        Word { pieces: pieces.to_vec(), ..Word::default() }
    }

    fn variable(name: &str) -> Piece {
        let from = UnknownFrom::Variable(name.to_owned());
        Piece::Unknown(Unknown { source: format!("${name}"), from, may_split: false })
    }

    #[test]
    fn literal_paths_have_classes() {
        for (path, wanted) in [
            ("/", vec![Root]),
            ("//", vec![Root]),
            ("../../../../..", vec![Root]),
            ("/*", vec![Root]),
            ("~", vec![HomeRoot]),
            ("~/", vec![HomeRoot]),
            ("~/*", vec![HomeRoot]),
            ("/home/ana/.", vec![HomeRoot]),
            ("/home", vec![HomeRoot, System]),
            ("/home/bob", vec![HomeRoot]),
            (".", vec![ProjectRoot]),
            ("*", vec![ProjectRoot]),
            ("./.[!.]*", vec![ProjectRoot]),
            ("..", vec![Parent, Home]),
            ("../other", vec![Parent, Home]),
            ("src/main.rs", vec![Project]),
            ("*.log", vec![Ignored, Project]),
            ("node_modules", vec![Ignored, Project]),
            ("packages/web/dist/", vec![Ignored, Project]),
            (".git", vec![Vcs, Project]),
            (".git/hooks/pre-commit", vec![Autostart, Vcs, Project]),
            (".env", vec![Secret, Project]),
            (".env.example", vec![Project]),
            ("~/.ssh/id_ed25519", vec![Secret, Home]),
            ("~/.ssh/id_ed25519.pub", vec![Home]),
            ("~/.bashrc", vec![Autostart, Home]),
            (".claude/settings.json", vec![AgentConfig, Project]),
            ("~/.fourseam/policy.yaml", vec![Guard, Home]),
            ("/etc/passwd", vec![System]),
            ("/etc/shadow", vec![Secret, System]),
            ("/dev/sda", vec![Device, System]),
            ("/tmp/x", vec![Temp]),
            ("/tmp", vec![TempRoot]),
            ("/tmp/*", vec![TempRoot]),
            ("C:\\Windows\\System32", vec![System]),
            ("C:\\", vec![Root]),
            ("C:\\Users\\ana", vec![HomeRoot]),
        ] {
            assert_eq!(resolve(&word(&[Piece::Literal(path.to_owned())])).classes, wanted, "{path}");
        }
    }

    #[test]
    fn unknown_parts_are_taken_at_worst() {
        let slash = Piece::Literal("/".to_owned());
        let star = Piece::Glob("*".to_owned());
        let classes = |pieces: &[Piece]| resolve(&word(pieces)).classes;
        assert!(classes(&[variable("BUILD"), slash.clone()]).contains(&Root));
        assert!(classes(&[variable("BUILD"), slash.clone(), star]).contains(&Root));
        assert!(classes(&[variable("X"), Piece::Literal("/etc".to_owned())]).contains(&System));
        assert_eq!(classes(&[variable("HOME"), slash.clone()]), [HomeRoot]);
        assert_eq!(classes(&[variable("TMPDIR"), Piece::Literal("/x".to_owned())]), [Temp]);
        assert_eq!(classes(&[variable("PWD"), Piece::Literal("/src".to_owned())]), [Project]);
        assert_eq!(classes(&[Piece::Literal("/tmp/".to_owned()), variable("NAME")]), [TempRoot, Temp]);
        assert_eq!(classes(&[Piece::Literal("src/".to_owned()), variable("NAME")]), [Project]);
        assert_eq!(classes(&[Piece::Literal("/tmp/x-".to_owned()), variable("NAME")]), [Temp]);
        assert!(classes(&[variable("DIR")]).contains(&PathClass::Unknown));
    }
}
