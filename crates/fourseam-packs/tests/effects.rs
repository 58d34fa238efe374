//! Properties of the analysis: a wrapper never loses an effect, data never adds one, and a container or another
//! machine changes only the place.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use fourseam_core::action::{Action, Dialect, HookCall, Point, Shell};
use fourseam_core::analysis::{Analysis, EffectKind, Place, Target, analyse};
use fourseam_core::world::{FixedWorld, Repository};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Commands with effects, and what they do.
const COMMANDS: &[&str] = &[
    "rm -rf /srv/data",
    "rm -r -f -- /srv/data \"/srv/other data\"",
    "find /srv -name '*.db' -delete",
    "truncate -s 0 /srv/a.txt",
    "dd if=/dev/zero of=/dev/sdz",
    "git push --force origin main",
    "git reset --hard HEAD~2",
    "kubectl delete namespace prod",
    "chmod -R 777 /srv",
    "shred -u /srv/key.bin",
    "mv /srv/a /srv/b",
    "echo x > /etc/app.conf",
    "terraform destroy -auto-approve",
    "cat ~/.ssh/id_ed25519",
    "X=/srv/data; rm -rf \"$X\"",
    "cd /srv && rm -rf ./data",
    "for d in /srv/a /srv/b; do rm -rf \"$d\"; done",
];

/// Ways to run a shell text on this machine.
const LOCAL: &[fn(&str) -> String] = &[
    |text| format!("bash -c {}", quote(text)),
    |text| format!("sh -ec {}", quote(text)),
    |text| format!("sudo -n bash -c {}", quote(text)),
    |text| format!("env A=1 B=2 sh -c {}", quote(text)),
    |text| format!("timeout -k 5 30 nice -n 3 bash -c {}", quote(text)),
    |text| format!("nohup setsid bash -c {} &", quote(text)),
    |text| format!("xargs -I% bash -c {} <<< x", quote(text)),
    |text| format!("flock /tmp/lock -c {}", quote(text)),
    |text| format!("script -qc {} /dev/null", quote(text)),
    |text| format!("watch -n 1 {}", quote(text)),
    |text| format!("find . -maxdepth 0 -exec sh -c {} \\;", quote(text)),
    |text| format!("su -c {} ana", quote(text)),
    |text| format!("busybox sh -c {}", quote(text)),
    |text| format!("nix-shell -p hello --run {}", quote(text)),
    |text| format!("eval {}", quote(text)),
    |text| format!("(\n{text}\n)"),
    |text| format!("{{\n{text}\n}}"),
    |text| format!("if true; then\n{text}\nfi"),
    |text| format!("f() {{\n{text}\n}}\nf"),
    |text| format!("while true; do\n{text}\nbreak; done"),
    |text| format!("true && {{\n{text}\n}} || true"),
    |text| format!("echo \"$(\n{text}\n)\""),
    |text| format!("C={}; eval \"$C\"", quote(text)),
    |text| format!("bash <<'__END__'\n{text}\n__END__"),
    |text| format!("echo {} | bash", quote(text)),
    |text| format!("bash <<< {}", quote(text)),
    |text| format!("trap {} EXIT", quote(text)),
    |text| format!("echo {} | base64 | base64 -d | sh", quote(text)),
    |text| format!("python3 -c {}", quote(&format!("import os\nos.system({})", python(text)))),
];

/// A way to wrap a command.
type Wrap = fn(&str) -> String;

/// Ways to run it elsewhere, and where.
const ELSEWHERE: &[(Wrap, Place)] = &[
    (|text| format!("ssh host.example.com {}", quote(text)), Place::Remote),
    (|text| format!("docker run --rm alpine sh -c {}", quote(text)), Place::Container),
    (|text| format!("docker exec -i web bash -c {}", quote(text)), Place::Container),
    (|text| format!("kubectl exec web-0 -- sh -c {}", quote(text)), Place::Container),
    (|text| format!("ssh host.example.com <<'__END__'\n{text}\n__END__"), Place::Remote),
];

/// Ways to make it mere text, and what the carrier itself does.
const DATA: &[fn(&str) -> String] = &[
    |text| format!("echo {}", quote(text)),
    |text| format!("printf '%s\\n' {}", quote(text)),
    |text| format!("git commit -m {}", quote(text)),
    |text| format!("grep -rn {} docs", quote(text)),
    |text| format!("cat > docs/notes.md <<'__END__'\n{text}\n__END__"),
    |text| format!("gh issue create --title x --body {}", quote(text)),
    |text| format!("TEXT={}", quote(text)),
    |text| format!("echo {} | grep x", quote(text)),
    |text| format!("f() {{\n{text}\n}}"),
    |text| format!(": <<'__END__'\n{text}\n__END__"),
    |text| format!("python3 -c {}", quote(&format!("print({})", python(text)))),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_wrapper_loses_an_effect(command in 0..COMMANDS.len(), wrappers in prop::collection::vec(0..LOCAL.len(), 1..3)) {
        let plain = COMMANDS[command];
        let wrapped = wrappers.iter().fold(plain.to_owned(), |text, at| LOCAL[*at](&text));
        let (before, after) = (effects(plain), effects(&wrapped));
        prop_assert!(before.is_subset(&after), "{wrapped}\nlost: {:?}", before.difference(&after).collect::<Vec<_>>());
    }

    #[test]
    fn elsewhere_changes_only_the_place(command in 0..COMMANDS.len(), way in 0..ELSEWHERE.len(), wrapper in 0..LOCAL.len()) {
        let plain = COMMANDS[command];
        let (wrap, place) = ELSEWHERE[way];
        let wrapped = wrap(&LOCAL[wrapper](plain));
        let moved: BTreeSet<_> = effects(plain).into_iter().map(|(kind, verb, target, _)| (kind, verb, target, place)).collect();
        let after = effects(&wrapped);
        prop_assert!(moved.is_subset(&after), "{wrapped}\nlost: {:?}", moved.difference(&after).collect::<Vec<_>>());
    }

    #[test]
    fn data_adds_no_effect(command in 0..COMMANDS.len(), way in 0..DATA.len(), wrapper in 0..LOCAL.len()) {
        let carried = DATA[way](&LOCAL[wrapper](COMMANDS[command]));
        let (with, without) = (effects(&carried), effects(&DATA[way]("nothing")));
        prop_assert_eq!(with, without, "{}", carried);
    }

    #[test]
    fn any_text_gives_an_analysis(text in "[ -~\\n]{0,200}") {
        let _ = analysis(&text);
    }
}

/// Kind, verb, target and place of every effect; targets resolved, since a wrapper may change how they are written.
fn effects(command: &str) -> BTreeSet<(EffectKind, String, String, Place)> {
    let found = analysis(command);
    found.effects.into_iter().map(|effect| (effect.kind, effect.verb, shown(effect.target), effect.place)).collect()
}

fn shown(target: Option<Target>) -> String {
    match target {
        None => String::new(),
        Some(Target::Path(path)) => path.resolved.unwrap_or(path.written),
        Some(Target::Url { url }) => url,
        Some(Target::Host { host }) => host,
        Some(Target::Sql { text, .. }) => text,
        Some(Target::Resource { name }) => name,
    }
}

fn analysis(command: &str) -> Analysis {
    let shell = Shell { command: command.to_owned(), dialect: Dialect::Posix, cwd: None, background: false };
    let call = HookCall {
        host: "test".to_owned(),
        event: "PreToolUse".to_owned(),
        point: Some(Point::ToolCall),
        session: None,
        cwd: Some("/home/ana/code/app".to_owned()),
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: None,
        stop_hook_active: false,
        action: Action::Shell(shell),
    };
    let repository = Repository { root: "/home/ana/code/app".to_owned(), ..Repository::default() };
    let world =
        FixedWorld { home: Some("/home/ana".to_owned()), repository: Some(repository), ..FixedWorld::default() };
    analyse(&call, fourseam_packs::knowledge(), &world)
}

/// In single quotes for a shell.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A string literal of Python.
fn python(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
