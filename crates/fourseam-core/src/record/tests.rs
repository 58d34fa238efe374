#![allow(clippy::unwrap_used, reason = "tests may panic")]
use super::*;
use crate::action::{Action, Dialect, Edit, Point, Shell, ToolResult};
use crate::capabilities::{AskSupport, Capabilities};
use crate::decision::OnError;
use crate::verdict::Verdict;
use crate::world::{FixedWorld, PathFact, Repository, World};
use std::cell::RefCell;

const GATE: Capabilities = Capabilities {
    point: Some(Point::ToolCall),
    gate: true,
    deny: true,
    ask: AskSupport::No,
    allow: false,
    rewrite: false,
    context: false,
    replace: crate::capabilities::ReplaceSupport::No,
    notice: false,
};

fn shell(command: &str) -> Action {
    Action::Shell(Shell { command: command.to_owned(), dialect: Dialect::Posix, cwd: None, background: false })
}

fn call(action: Action) -> HookCall {
    HookCall {
        host: "h".to_owned(),
        event: "e".to_owned(),
        point: Some(Point::ToolCall),
        session: Some("s".to_owned()),
        cwd: Some("/p".to_owned()),
        permission_mode: None,
        agent_id: None,
        call_id: None,
        tool: Some("Bash".to_owned()),
        stop_hook_active: false,
        action,
    }
}

#[test]
fn a_line_says_before_and_after_fit_and_reads_back() {
    let told = Verdict::of_failure(OnError::Ask, "broken").fit(&GATE, Mode::Guard, false);
    let action = shell("curl -H 'Authorization: Bearer abcDEF123456abcDEF'");
    let record = Record::new(Some(&call(action)), &told, Circumstances::default());
    let line = record.line(&Link::first()).unwrap();
    let value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(value.get("decision").unwrap(), "ask");
    assert_eq!(value.get("told").unwrap(), "deny");
    assert_eq!(value.get("seq").unwrap(), 1);
    assert_eq!(value.pointer("/rules/0").unwrap(), "fourseam/failure");
    assert!(!line.contains("abcDEF"), "{line}");
    assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
}

#[test]
fn the_chain_names_the_line_before() {
    let second = Link::first().after(b"line\n");
    assert_eq!(second, Link { seq: 2, prev: hash(b"line") });
}

#[test]
fn long_texts_are_cut_and_counted() {
    let action = Action::FileWrite { path: "/p/a".to_owned(), content: "word ".repeat(1000) };
    let kept = Kept::of(&action);
    let text = kept.action.to_string();
    assert!(text.len() < 2300 && text.contains(" [+"), "{text}");
    assert!(text.contains(&format!(" [+{} bytes]", kept.cut)), "{text}");
}

#[test]
fn a_record_is_bounded_whatever_comes() {
    let many: serde_json::Map<String, Value> =
        (0..20_000).map(|n| (format!("key {n}"), "x ".repeat(40).into())).collect();
    for input in [Value::Object(many.clone()), Value::Array(many.into_iter().map(|(_, value)| value).collect())] {
        let kept = Kept::of(&Action::Other { tool: "t".to_owned(), input });
        let length = kept.action.to_string().len();
        assert!(length < 200 * 1024 && kept.cut > 0, "{length}");
    }
    let long = "x".repeat(100_000);
    let named = HookCall { session: Some(long.clone()), tool: Some(long), ..call(shell("ls")) };
    let told = Verdict::default().fit(&GATE, Mode::Guard, false);
    let record = Record::new(
        Some(&named),
        &told,
        Circumstances { troubles: vec!["y ".repeat(9999); 99], ..Circumstances::default() },
    );
    let length = record.line(&Link::first()).unwrap().len();
    assert!(length < 100 * 1024, "{length}");
}

#[test]
fn actions_read_back() {
    let edit = Edit { old: "a".to_owned(), new: "b".to_owned() };
    let of = Box::new(shell("ls"));
    for action in [
        shell("ls -l"),
        Action::FileRead { path: "/p/a".to_owned() },
        Action::FileWrite { path: "/p/a".to_owned(), content: "text".to_owned() },
        Action::FileEdit { path: "/p/a".to_owned(), edits: vec![edit] },
        Action::WebFetch { urls: vec!["https://www.example.com".to_owned()], prompt: None },
        Action::McpCall { server: "s".to_owned(), tool: "t".to_owned(), arguments: serde_json::json!({ "a": 1 }) },
        Action::Subagent { kind: None, prompt: "p".to_owned() },
        Action::Other { tool: "t".to_owned(), input: serde_json::json!([1]) },
        Action::ToolResult(ToolResult { of, text: "out".to_owned(), raw: Value::Null, failed: false, own: true }),
    ] {
        let original = call(action);
        let told = Verdict::default().fit(&GATE, Mode::Guard, false);
        let circumstances = Circumstances { agent: "h".to_owned(), event: "e".to_owned(), ..Circumstances::default() };
        let line = Record::new(Some(&original), &told, circumstances).line(&Link::first()).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap().call(), Some(original), "{line}");
    }
    let without = Record::new(None, &Verdict::default().fit(&GATE, Mode::Guard, false), Circumstances::default());
    assert_eq!(without.call(), None);
}

#[test]
fn a_record_of_schema_1_reads() {
    let line = r#"{"seq":1,"prev":"00","schema":1,"time":"2026-11-30T08:00:00.000Z","agent":"h","event":"e","action":{"action":"shell","command":"ls","dialect":"posix","cwd":null,"background":false},"decision":"abstain","told":"abstain","rules":[],"mode":"guard","policy":"p","micros":1,"version":"0.1.0"}"#;
    let record: Record = serde_json::from_str(line).unwrap();
    assert_eq!(record.call().unwrap().action, shell("ls"));
    assert!(record.world.is_empty() && record.on_error.is_none());
}

fn machine() -> FixedWorld {
    FixedWorld {
        home: Some("/home/ana".to_owned()),
        variables: [("STAGE", "prod"), ("API_TOKEN", "hunter2x")].map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
        repository: Some(Repository {
            root: "/p".to_owned(),
            branch: Some("main".to_owned()),
            ..Repository::default()
        }),
        restorable: vec!["a".to_owned()],
        files: [("/p/run.sh", "echo hi\n".to_owned()), ("/p/long.sh", "echo long\n".repeat(1000))]
            .map(|(k, v)| (k.to_owned(), v))
            .into(),
        ..FixedWorld::default()
    }
}

/// What a world knows of the things that a test asks for.
fn asked(world: &dyn World) -> String {
    let limit = 1 << 20;
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        world.home(),
        world.variable("STAGE"),
        world.variable("UNSET"),
        world.path("/p/run.sh"),
        world.path("/p/none"),
        world.repository("/p/x"),
        world.restorable("/p/a"),
        world.text("/p/run.sh", limit),
        world.text("/p/long.sh", limit),
    )
}

#[test]
fn a_recorded_world_answers_as_the_machine_did() {
    let machine = machine();
    let answers = RefCell::default();
    let recorder = Recorder::new(&machine, &answers);
    assert_eq!(asked(&recorder), asked(&machine));
    assert_eq!(asked(&recorder), asked(&machine));
    let then: Answers = answers.into_inner().redacted();
    let read: Answers = serde_json::from_str(&serde_json::to_string(&then).unwrap()).unwrap();
    assert_eq!(read, then);
    assert_eq!(asked(&RecordedWorld::new(&then, &machine)), asked(&machine));
    assert_eq!(then.differences(&machine), []);
    // Another machine: short texts are in the record, long ones are not.
    let other = FixedWorld { home: machine.home.clone(), ..FixedWorld::default() };
    let recorded = RecordedWorld::new(&then, &other);
    assert_eq!(
        asked(&recorded).replace("Unknown", ""),
        asked(&machine).replace(&format!("{:?}", machine.text("/p/long.sh", 1 << 20)), "").replace("Unknown", "")
    );
    assert_eq!(recorded.lost(), ["/p/long.sh"]);
    assert!(then.differences(&other).iter().any(|it| it.about == "variable `STAGE`" && it.now == "not known"));
}

#[test]
fn what_is_kept_of_the_world_is_bounded_and_holds_no_secret() {
    let machine = machine();
    let answers = RefCell::default();
    let recorder = Recorder::new(&machine, &answers);
    let _ = recorder.variable("API_TOKEN");
    for number in 0..1000 {
        let _ = recorder.repository(&format!("/p/{number}/{}", "x".repeat(100)));
    }
    let then = answers.into_inner();
    let text = serde_json::to_string(&then.clone().redacted()).unwrap();
    assert!(then.more > 900 && text.len() < 16 * 1024, "{}", text.len());
    assert!(!text.contains("hunter2x") && text.contains("API_TOKEN"), "{text}");
}

#[test]
fn facts_of_paths_are_kept() {
    struct Links;
    impl World for Links {
        fn home(&self) -> Option<String> {
            None
        }
        fn variable(&self, _: &str) -> crate::world::Known<Option<String>> {
            crate::world::Known::Yes(None)
        }
        fn path(&self, path: &str) -> crate::world::Known<PathFact> {
            crate::world::Known::Yes(match path {
                "/l" => PathFact::Link(Some("/end".to_owned())),
                "/m" => PathFact::Missing,
                _ => PathFact::Special,
            })
        }
        fn repository(&self, _: &str) -> crate::world::Known<Option<Repository>> {
            crate::world::Known::Yes(None)
        }
        fn restorable(&self, _: &str) -> crate::world::Known<bool> {
            crate::world::Known::Yes(false)
        }
        fn text(&self, _: &str, _: usize) -> crate::world::Known<String> {
            crate::world::Known::Unknown
        }
        fn past(&self) -> &crate::past::Past {
            unreachable!("never asked here")
        }
    }
    let answers = RefCell::default();
    let recorder = Recorder::new(&Links, &answers);
    let ask = |world: &dyn World| {
        format!("{:?}", ["/l", "/m", "/s"].map(|path| (world.path(path), world.repository(path), world.variable("V"))))
    };
    assert_eq!(ask(&recorder), ask(&Links));
    let then = answers.into_inner();
    assert_eq!(ask(&RecordedWorld::new(&then, &FixedWorld::default())), ask(&Links));
    let about: Vec<String> =
        then.differences(&FixedWorld::default()).into_iter().map(|it| format!("{} {}", it.about, it.then)).collect();
    assert!(about.contains(&"`/l` a link to `/end`".to_owned()), "{about:?}");
}
