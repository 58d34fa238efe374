//! Windows spellings of paths, in one form for comparing (`/c:/Users/ana`), and back for whoever is asked about them.
//! Pure text work; what a path is, is told elsewhere.

use crate::past::Past;
use crate::world::{Known, PathFact, Repository, World};

/// How the machine spells its paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `/home/ana`. Drives are seen at `/mnt/c`, if at all.
    #[default]
    Unix,
    /// `C:\Users\ana`, in Git Bash also `/c/Users/ana`. A backslash ends a part of a path.
    Windows,
}

impl Spelling {
    /// Told by the home folder, or by the working directory where that is not known.
    pub(crate) fn of(cwd: Option<&str>, home: Option<&str>) -> Self {
        let is_drive = |path: &str| with_colon(path).is_some();
        let is_shown = home.or(cwd).is_some_and(|path| one_letter_folder(path).is_some());
        if is_shown || home.is_some_and(is_drive) || cwd.is_some_and(is_drive) { Self::Windows } else { Self::Unix }
    }

    /// A path in the one form. What names no drive stays as it is, but for its backslashes on Windows.
    pub(crate) fn plain(self, path: &str) -> String {
        if let Some(path) = on_drive(path) {
            return path;
        }
        match self {
            Self::Unix => path.to_owned(),
            Self::Windows => one_letter_folder(path).unwrap_or_else(|| path.replace('\\', "/")),
        }
    }

    /// A path of the one form as the machine itself spells it.
    fn native(self, path: &str) -> String {
        let Some((letter, below)) = drive(path) else { return path.to_owned() };
        match self {
            Self::Unix => format!("/mnt/{letter}{below}"),
            Self::Windows if below.is_empty() => format!("{}:\\", letter.to_ascii_uppercase()),
            Self::Windows => format!("{}:{}", letter.to_ascii_uppercase(), below.replace('/', "\\")),
        }
    }
}

/// The letter of the drive that a path of the one form is on, and what stands below it.
pub(crate) fn drive(path: &str) -> Option<(char, &str)> {
    let mut rest = path.strip_prefix('/')?.chars();
    let letter = rest.next().filter(char::is_ascii_alphabetic)?;
    let below = rest.as_str().strip_prefix(':')?;
    (below.is_empty() || below.starts_with('/')).then_some((letter.to_ascii_lowercase(), below))
}

/// The one form of a path that names a drive however the machine spells its paths: `C:\a`, `c:/a`, `\\?\C:\a`,
/// `\\localhost\c$\a`, `/mnt/c/a`, `/cygdrive/c/a`.
pub(crate) fn on_drive(path: &str) -> Option<String> {
    if let Some(path) = with_colon(path) {
        return Some(path);
    }
    if let Some(path) = ["/mnt", "/cygdrive"].iter().find_map(|start| one_letter_folder(path.strip_prefix(start)?)) {
        return Some(path);
    }
    let share = path.strip_prefix("\\\\")?;
    let (host, below) = share.split_once(['\\', '/'])?;
    if matches!(host, "?" | ".") {
        return with_colon(below);
    }
    let mut rest = below.chars();
    let letter = rest.next().filter(char::is_ascii_alphabetic)?;
    let below = rest.as_str().strip_prefix('$')?;
    (below.is_empty() || below.starts_with(['\\', '/'])).then(|| whole(letter, below))
}

/// One form of a path for comparing it with another whose spelling may differ.
pub(crate) fn compared(path: &str) -> String {
    Spelling::Windows.plain(path)
}

/// `C:\a`, `c:/a`, `/c:/a`, and the same behind a PowerShell provider.
fn with_colon(path: &str) -> Option<String> {
    if let Some((_, below)) = drive(path) {
        return Some(whole(path.chars().nth(1)?, below));
    }
    let path = match path.rsplit_once("::") {
        Some((provider, path)) if provider.to_ascii_lowercase().ends_with("filesystem") => path,
        Some(_) | None => path,
    };
    let mut rest = path.chars();
    let letter = rest.next().filter(char::is_ascii_alphabetic)?;
    let below = rest.as_str().strip_prefix(':')?;
    (below.is_empty() || below.starts_with(['\\', '/', '*'])).then(|| whole(letter, below))
}

/// `/c/a`, as Git Bash spells a drive.
fn one_letter_folder(path: &str) -> Option<String> {
    let mut rest = path.strip_prefix('/')?.chars();
    let letter = rest.next().filter(char::is_ascii_alphabetic)?;
    let below = rest.as_str();
    (below.is_empty() || below.starts_with('/')).then(|| whole(letter, below))
}

fn whole(letter: char, below: &str) -> String {
    let slash = if below.starts_with(['/', '\\']) || below.is_empty() { "" } else { "/" };
    format!("/{}:{slash}{}", letter.to_ascii_lowercase(), below.replace('\\', "/"))
}

/// A world that is asked in the one form: puts questions in the machine's own spelling, and answers in the one form.
pub(crate) struct Translated<'a> {
    world: &'a dyn World,
    /// How the machine spells its paths.
    pub(crate) spelling: Spelling,
}

impl<'a> Translated<'a> {
    /// Of a call made in `cwd`.
    pub(crate) fn new(world: &'a dyn World, cwd: Option<&str>) -> Self {
        Self { world, spelling: Spelling::of(cwd, world.home().as_deref()) }
    }
}

impl World for Translated<'_> {
    fn home(&self) -> Option<String> {
        self.world.home().map(|home| self.spelling.plain(&home))
    }

    fn variable(&self, name: &str) -> Known<Option<String>> {
        self.world.variable(name)
    }

    fn path(&self, path: &str) -> Known<PathFact> {
        match self.world.path(&self.spelling.native(path)) {
            Known::Yes(PathFact::Link(Some(end))) => Known::Yes(PathFact::Link(Some(self.spelling.plain(&end)))),
            answer => answer,
        }
    }

    fn repository(&self, path: &str) -> Known<Option<Repository>> {
        match self.world.repository(&self.spelling.native(path)) {
            Known::Yes(Some(repository)) => {
                Known::Yes(Some(Repository { root: self.spelling.plain(&repository.root), ..repository }))
            }
            answer => answer,
        }
    }

    fn restorable(&self, path: &str) -> Known<bool> {
        self.world.restorable(&self.spelling.native(path))
    }

    fn text(&self, path: &str, limit: usize) -> Known<String> {
        self.world.text(&self.spelling.native(path), limit)
    }

    /// Remembered paths are in the one form already: they come from analyses.
    fn past(&self) -> &Past {
        self.world.past()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_drive_is_one() {
        for path in [
            "C:\\work\\app",
            "c:/work/app",
            "/c/work/app",
            "/mnt/c/work/app",
            "/cygdrive/c/work/app",
            "\\\\?\\C:\\work\\app",
            "\\\\localhost\\C$\\work\\app",
            "Microsoft.PowerShell.Core\\FileSystem::C:\\work\\app",
            "/C:/work/app",
        ] {
            assert_eq!(Spelling::Windows.plain(path), "/c:/work/app", "{path}");
        }
        assert_eq!(Spelling::Windows.plain("D:"), "/d:");
        assert_eq!(Spelling::Windows.plain("src\\a.ts"), "src/a.ts");
    }

    #[test]
    fn paths_of_unix_stay_as_they_are() {
        for path in ["/home/ana", "/c/work", "src\\a", "/mnt/data", "a:b", "host:dir", "/mnt", "\\\\server\\share"] {
            assert_eq!(Spelling::Unix.plain(path), path);
        }
        assert_eq!(Spelling::Unix.plain("/mnt/c/work"), "/c:/work");
    }

    #[test]
    fn the_machine_is_told_by_home_and_folder() {
        for (cwd, home, wanted) in [
            (Some("C:\\work"), None, Spelling::Windows),
            (Some("/c/work"), Some("/c/Users/ana"), Spelling::Windows),
            (Some("/c/work"), Some("/home/ana"), Spelling::Unix),
            (Some("/mnt/c/work"), Some("/home/ana"), Spelling::Unix),
            (None, None, Spelling::Unix),
        ] {
            assert_eq!(Spelling::of(cwd, home), wanted, "{cwd:?} {home:?}");
        }
    }

    #[test]
    fn the_world_is_asked_in_the_spelling_of_the_machine() {
        assert_eq!(Spelling::Windows.native("/c:/work/app"), "C:\\work\\app");
        assert_eq!(Spelling::Windows.native("/c:"), "C:\\");
        assert_eq!(Spelling::Unix.native("/c:/work/app"), "/mnt/c/work/app");
        assert_eq!(Spelling::Unix.native("/home/ana"), "/home/ana");
    }
}
