#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_types,
    reason = "tests may panic and run git"
)]
use super::*;
use std::process::Command;
use std::time::Duration;

/// Runs git in a folder, deaf to the machine's own configuration.
fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn write(path: PathBuf, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A repository with two commits' worth of files, old enough that time stamps tell.
fn repository(version: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    git(root, &["init", "-q", "-b", "feature/x"]);
    git(root, &["config", "index.version", version]);
    for name in ["a.txt", "src/lib.rs", "src/deep/er/mod.rs", "docs/a file.md"] {
        write(root.join(name), name);
    }
    std::thread::sleep(Duration::from_millis(30));
    git(root, &["add", "."]);
    git(root, &["update-index", "--force-write-index"]);
    git(root, &["commit", "-qm", "first"]);
    dir
}

fn path(dir: &tempfile::TempDir, name: &str) -> String {
    dir.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn tracked_and_unchanged_files_can_be_brought_back() {
    for version in ["2", "3", "4"] {
        let dir = repository(version);
        write(dir.path().join("src/new.rs"), "new");
        write(dir.path().join("docs/a file.md"), "changed");
        let world = Machine::default();
        for (name, want) in [
            ("a.txt", Known::Yes(true)),
            ("src/lib.rs", Known::Yes(true)),
            ("src/deep", Known::Yes(true)),
            ("src/new.rs", Known::Yes(false)),
            ("src", Known::Yes(false)),
            ("docs/a file.md", Known::Yes(false)),
            ("docs", Known::Yes(false)),
            (".git/config", Known::Yes(false)),
            ("", Known::Yes(false)),
            ("gone", Known::Unknown),
        ] {
            assert_eq!(world.restorable(&path(&dir, name)), want, "index version {version}: `{name}`");
        }
    }
}

#[test]
fn a_file_git_was_told_to_ignore_is_not_known() {
    let dir = repository("2");
    git(dir.path(), &["update-index", "--assume-unchanged", "a.txt"]);
    assert_eq!(Machine::default().restorable(&path(&dir, "a.txt")), Known::Unknown);
}

#[test]
fn branch_root_and_default_branch_are_read_from_files() {
    let dir = repository("2");
    let repository = |name: &str| Machine::default().repository(&path(&dir, name)).ok().flatten();
    let found = repository("src/not/there").unwrap();
    assert_eq!(found.root, dir.path().to_str().unwrap());
    assert_eq!(found.branch.as_deref(), Some("feature/x"));
    assert_eq!(found.default_branch, None);
    write(dir.path().join(".git/refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/trunk\n");
    assert_eq!(repository("src").unwrap().default_branch.as_deref(), Some("trunk"));
    git(dir.path(), &["checkout", "-q", "--detach"]);
    assert_eq!(repository("src").unwrap().branch, None);
    git(dir.path(), &["worktree", "add", "-q", "-b", "other", "tree"]);
    let tree = repository("tree/src").unwrap();
    assert_eq!((tree.branch.as_deref(), tree.default_branch.as_deref()), (Some("other"), Some("trunk")));
    assert_eq!(Machine::default().repository("/"), Known::Yes(None));
}

#[test]
fn nothing_of_a_hostile_repository_runs_and_nothing_hangs() {
    let dir = repository("2");
    let marker = dir.path().join("ran");
    let touch = format!("touch {}", marker.display());
    for (key, value) in [("core.fsmonitor", &touch), ("filter.x.clean", &touch), ("core.pager", &touch)] {
        git(dir.path(), &["config", key, value]);
    }
    write(dir.path().join(".git/info/attributes"), "* filter=x\n");
    let fifo = dir.path().join("src/fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let world = Machine::default();
    assert_eq!(world.restorable(&path(&dir, "src")), Known::Yes(false));
    assert_eq!(world.path(&path(&dir, "src/fifo")), Known::Yes(PathFact::Special));
    assert_eq!(world.text(&path(&dir, "src/fifo"), 100), Known::Unknown);
    std::fs::remove_file(dir.path().join(".git/HEAD")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path().join(".git/HEAD")).status().unwrap().success());
    assert_eq!(Machine::default().repository(&path(&dir, "src")), Known::Yes(None));
    assert!(!marker.exists());
}

#[test]
fn paths_are_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path().join("file"), "text");
    std::os::unix::fs::symlink("file", dir.path().join("link")).unwrap();
    std::os::unix::fs::symlink("nowhere", dir.path().join("broken")).unwrap();
    let world = Machine::default();
    let end = std::fs::canonicalize(dir.path().join("file")).unwrap().to_str().unwrap().to_owned();
    for (name, want) in [
        ("file", PathFact::File),
        ("", PathFact::Folder),
        ("link", PathFact::Link(Some(end))),
        ("broken", PathFact::Link(None)),
        ("missing", PathFact::Missing),
    ] {
        assert_eq!(world.path(&path(&dir, name)), Known::Yes(want), "{name}");
    }
    assert_eq!(world.path("/dev/null"), Known::Yes(PathFact::Special));
    assert_eq!(world.text(&path(&dir, "file"), 4), Known::Yes("text".to_owned()));
    assert_eq!(world.text(&path(&dir, "file"), 3), Known::Unknown);
    assert_eq!(world.text("/dev/zero", 3), Known::Unknown);
}
