//! Every parser of outside bytes as a function of bytes that panics when a promise is broken. The targets in `fuzz/`
//! (coverage-guided, nightly) and `tests/smoke.rs` (seeds and random changes of them, stable) call the same functions.
#![allow(clippy::panic, clippy::missing_panics_doc, reason = "a broken promise is told by a panic")]

use fourseam_core::action::{Dialect, HookCall};
use fourseam_core::decide;
use fourseam_core::judge::{Answer, Kind};
use fourseam_core::policy::{Case, Layer, Policy, Source, compile};
use fourseam_hosts::install::{Program, Wiring};
use fourseam_hosts::{HOSTS, Host};
use fourseam_packs::{builtin, knowledge, questions};
use fourseam_shell::{Scope, parse};
use serde_json::json;
use std::sync::LazyLock;

/// A parser and what is asked of it.
pub type Target = fn(&[u8]);

/// Every target by name, sorted. Seeds stand in `fuzz/seeds/NAME`.
pub const TARGETS: &[(&str, Target)] = &[
    ("code", code),
    ("config", config),
    ("envelope", envelope),
    ("judge", judge),
    ("patch", patch),
    ("policy", policy),
    ("powershell", powershell),
    ("shell", shell),
    ("sql", sql),
    ("transcript", transcript),
];

/// Longest input that is looked at: time grows with it, and a fuzzer should spend it on many inputs.
const LONGEST: usize = 16 * 1024;

static POLICY: LazyLock<Policy> = LazyLock::new(|| Policy::new(vec![builtin()], None));

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST)
}

/// Every call gets a verdict.
fn judged(call: &HookCall) {
    let decided = decide(call, &POLICY, knowledge(), &Case::example_world());
    let _ = decided.draft.settle(None).decision();
}

fn command(text: &str, dialect: Dialect) {
    judged(&Case::of_command(text, dialect, Some("/home/ana/project".to_owned())).call);
}

/// Shell text: spans stand inside it, and a call with it is decided.
pub fn shell(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let scope = Scope::default().with_cwd("/home/ana/project").with_variable("HOME", "/home/ana");
    let script = parse(text, &scope);
    for span in script.commands.iter().map(|command| command.span).chain(script.opaque.iter().map(|opaque| opaque.span))
    {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "a span outside of the text");
    }
    assert!(script.opaque.iter().all(|opaque| opaque.command.is_none_or(|index| index < script.commands.len())));
    command(text, Dialect::Posix);
}

/// PowerShell and cmd.exe.
pub fn powershell(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    command(text, Dialect::PowerShell);
    command(text, Dialect::Cmd);
}

/// Code of other languages, as it is given to an interpreter. The first byte chooses which.
pub fn code(bytes: &[u8]) {
    const INTERPRETERS: [&str; 8] =
        ["python3 -c", "node -e", "perl -e", "ruby -e", "php -r", "awk", "jq", "osascript -e"];
    let Some((first, rest)) = bytes.split_first() else { return };
    let Some(text) = text(rest) else { return };
    let interpreter = INTERPRETERS.get(usize::from(*first) % INTERPRETERS.len()).unwrap_or(&"python3 -c");
    command(&format!("{interpreter} '{}'", text.replace('\'', "'\\''")), Dialect::Posix);
}

/// Statements given to a database client.
pub fn sql(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    command(&format!("psql -c '{}'", text.replace('\'', "'\\''")), Dialect::Posix);
}

/// Payloads of every host.
pub fn envelope(bytes: &[u8]) {
    if bytes.len() > LONGEST {
        return;
    }
    let Ok(envelope) = serde_json::from_slice(bytes) else { return };
    for host in HOSTS {
        for event in [None, Some(host.default_event().name)] {
            if let Ok(call) = host.parse(&envelope, event) {
                judged(&call);
            }
        }
    }
}

/// Patches, as Codex hands them over.
pub fn patch(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Some(host) = fourseam_hosts::find("codex") else { return };
    let payload = json!({ "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": { "command": text },
        "cwd": "/home/ana/project", "session_id": "s" });
    let call = host.parse(&payload, None).unwrap_or_else(|error| panic!("a patch is refused: {error}"));
    judged(&call);
}

/// Policies of every layer: what compiles can be evaluated.
pub fn policy(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let builtin = builtin();
    for (layer, trusted) in [(Layer::User, false), (Layer::Project, false), (Layer::Project, true)] {
        let compiled = compile(&[Source { layer, file: "policy.yaml", text, trusted }], &[&builtin]);
        let policy = Policy::new(vec![compiled.set], None);
        let call = Case::of_command("git push --force origin main", Dialect::Posix, None).call;
        let _ = decide(&call, &policy, knowledge(), &Case::example_world()).draft.settle(None);
    }
}

/// Transcripts of every host that has a reader.
pub fn transcript(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for host in HOSTS {
        let Some(transcripts) = host.install().checkup().transcripts else { continue };
        for call in (transcripts.read)(text) {
            let event = host.default_event().name;
            let _ = host.parse(&call.payload(event), Some(event));
        }
    }
}

/// Replies of judges: probabilities are probabilities.
pub fn judge(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Some(questions) = questions() else { return };
    for kind in [Kind::Shell, Kind::Edit, Kind::Mcp, Kind::Result] {
        let sheet = questions.sheet(kind);
        let Ok(answer) = Answer::of_text(sheet, text) else { continue };
        assert!(answer.classes.values().chain(answer.risks.values()).all(|likely| (0.0..=1.0).contains(likely)));
        assert_eq!(answer.risks.len(), sheet.risks.len());
    }
}

/// Hook files: what is put in goes out again.
pub fn config(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let exe = "/home/ana/.fourseam/bin/fourseam".to_owned();
    let wiring =
        Wiring { program: Program::Installed { exe, home: "/home/ana/.fourseam".to_owned() }, native_ask: false };
    for host in HOSTS {
        round_trip(*host, text, &wiring);
    }
}

fn round_trip(host: &dyn Host, text: &str, wiring: &Wiring) {
    let install = host.install();
    let id = host.id();
    // A text that holds entries of ours before is another matter.
    if install.found(text).map_or(true, |found| !found.is_empty()) {
        return;
    }
    let Ok(wired) = install.plan(Some(text), wiring) else { return };
    assert_eq!(install.plan(Some(&wired), wiring).as_deref(), Ok(wired.as_str()), "{id}: twice is not once");
    match install.remove(&wired) {
        Ok(Some(left)) => assert_eq!(left, text, "{id}: not the first bytes"),
        Ok(None) => assert!(text.trim().trim_start_matches('\u{feff}').len() <= 2, "{id}: the file would go"),
        Err(error) => panic!("{id}: what was put in cannot be taken out: {error}"),
    }
}
