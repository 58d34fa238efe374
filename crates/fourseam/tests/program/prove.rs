//! `fourseam prove` where there is no client to run: the adapters are asked, and nothing of the user's is touched.

use serde_json::Value;
use std::process::{Command, Output};

fn prove(arguments: &[&str]) -> (tempfile::TempDir, Output) {
    let home = tempfile::tempdir().unwrap();
    let temporary = home.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fourseam"))
        .arg("prove")
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .env("TMPDIR", &temporary)
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap();
    (home, output)
}

#[test]
fn the_adapters_answer_where_no_client_is() {
    let (home, output) = prove(&["--json", "--host", "cursor,claude,opencode"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let proof: Value = serde_json::from_slice(&output.stdout).unwrap();
    for host in proof["hosts"].as_array().unwrap() {
        assert_eq!(host["version"], Value::Null);
        for path in host["paths"].as_array().unwrap() {
            assert_eq!(path["state"], "adapter-only", "{host}");
            let cases = path["cases"].as_array().unwrap();
            assert!(cases.len() >= 2 || (host["host"] == "cursor" && path["path"] == "sub-agent"), "{path}");
            assert!(cases.iter().all(|case| case["passed"] == true), "{path}");
        }
    }
    assert_eq!(proof["hosts"].as_array().unwrap().len(), 3);
    let left: Vec<_> = walk(home.path());
    assert!(left.is_empty(), "left behind: {left:?}");
}

#[test]
fn a_report_has_versions_policy_and_limits() {
    let (_home, output) = prove(&["--markdown", "--host", "codex"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["| policy | ", "| date | ", "| Codex CLI | not here | shell | ADAPTER ONLY |", "write_stdin"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_folder_to_keep_must_be_new() {
    let (_home, output) = prove(&["--host", "cursor", "--keep", "/"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("name a folder that is not there"));
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
