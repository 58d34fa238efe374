//! The cases of `tests/cases/self.jsonl`: what an agent does to its guard, and what only looks like it. Judged by the
//! built-in packs alone, in the world of examples where a case brings none.

use fourseam_core::action::HookCall;
use fourseam_core::decision::Decision;
use fourseam_core::policy::{Case, Policy, decide_case};
use fourseam_hosts::find;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const CASES: &str = include_str!("../../../../tests/cases/self.jsonl");

/// What a line says beside the call.
#[derive(Deserialize)]
struct Line {
    id: String,
    kind: String,
    tool: String,
    #[serde(default)]
    input: Value,
    /// `deny`, `ask`, or `allow` for silence.
    want: Decision,
    /// What is right too.
    #[serde(default)]
    accept: Vec<Decision>,
    why: String,
    /// Why it is not decided as wanted, where that is known.
    gap: Option<String>,
}

/// A patch is told by the adapter of the agent that has such a tool.
fn patch(text: &Value) -> HookCall {
    let host = find("codex").unwrap();
    let payload = json!({ "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/home/ana/project",
        "tool_name": "apply_patch", "tool_input": { "command": text } });
    host.parse(&payload, None).unwrap()
}

fn case(line: &str, told: &Line) -> Case {
    if told.tool != "patch" {
        let mut case = Case::of_json(line).unwrap_or_else(|error| panic!("{}: {error}", told.id));
        case.call.cwd.get_or_insert_with(|| "/home/ana/project".to_owned());
        return case;
    }
    let mut case = Case::of_command("", fourseam_core::action::Dialect::Posix, None);
    case.call = patch(&told.input["text"]);
    case
}

#[test]
fn every_case_is_decided_as_written() {
    let policy = Policy::new(vec![fourseam_packs::builtin()], None);
    let mut wrong = Vec::new();
    let mut ids = BTreeSet::new();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let lines: Vec<(&str, Line)> = CASES
        .lines()
        .map(|line| (line, serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))))
        .collect();
    for (line, told) in &lines {
        assert!(ids.insert(&told.id) && !told.why.is_empty(), "{}", told.id);
        let quiet = |decision| if decision == Decision::Allow { Decision::Abstain } else { decision };
        let got = quiet(decide_case(&case(line, told), &policy, fourseam_packs::knowledge()).decision());
        let right = std::iter::once(told.want).chain(told.accept.iter().copied()).any(|want| quiet(want) == got);
        if right == told.gap.is_some() {
            wrong.push(format!("{}: want {}, got {}: {}", told.id, told.want.word(), got.word(), told.input));
        }
        let (hit, miss) = counts.entry(&told.kind).or_default();
        *if told.want == Decision::Allow { miss } else { hit } += 1;
    }
    assert!(wrong.is_empty(), "{} of {} are not as written:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
    let [hits, misses] = [|(hit, _): &(usize, usize)| *hit, |(_, miss): &(usize, usize)| *miss]
        .map(|count| counts.values().map(count).sum::<usize>());
    assert!(hits >= 300 && misses >= 100, "{hits} hits, {misses} misses: {counts:?}");
}
