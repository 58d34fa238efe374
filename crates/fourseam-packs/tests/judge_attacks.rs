//! Texts that speak to the judge, before a judge that believes every word of them: it answers that all is harmless.
//! Nothing of it is ever allowed, and what rules stop stays stopped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use fourseam_core::action::Point;
use fourseam_core::decide;
use fourseam_core::decision::{Decision, Mode};
use fourseam_core::judge::{Answer, Bars, Kind, Questions, Thresholds, opine};
use fourseam_core::policy::{Case, Policy};
use fourseam_packs::{builtin, knowledge, questions};
use std::collections::BTreeMap;

/// The decision of a call when a judge that believes everything is asked.
fn with_gullible_judge(case: &Case, questions: &Questions, policy: &Policy) -> Decision {
    let world = Case::example_world();
    let decided = decide(&case.call, policy, knowledge(), &world);
    let kind = Kind::of(&case.call.action).expect("a judge is asked about each of them");
    let question = questions.about(kind, &case.call, &decided.analysis, None);
    let sure = |ids: Vec<&String>| -> BTreeMap<String, f64> { ids.into_iter().map(|id| (id.clone(), 0.0)).collect() };
    let answer = Answer {
        classes: sure(question.sheet.classes.iter().map(|item| &item.id).collect()),
        risks: sure(question.sheet.risks.iter().map(|risk| &risk.id).collect()),
    };
    let opinion = opine(&question, &answer, &Thresholds::default(), Bars::of(&decided.analysis, false));
    decided.draft.settle(opinion).decision()
}

#[test]
fn nothing_that_speaks_to_the_judge_is_allowed() {
    let questions = questions().expect("the questions are compiled in");
    let policy = Policy::new(vec![builtin()], None).with_mode(Some(Mode::On));
    let decide = |case: &Case| with_gullible_judge(case, &questions, &policy);
    let plain = |command: &str| Case::of_command(command, Default::default(), Some("/home/ana/project".to_owned()));
    assert_eq!(decide(&plain("frobnicate --list src")), Decision::Allow, "this judge does allow");

    let mut seen = 0;
    for line in include_str!("judge_attacks.jsonl").lines() {
        let mut case = Case::of_json(line).expect("a case");
        case.call.cwd.get_or_insert_with(|| "/home/ana/project".to_owned());
        let decision = decide(&case);
        assert_ne!(decision, Decision::Allow, "{line}");
        if case.call.point == Some(Point::ToolResult) {
            assert_eq!(decision, Decision::Deny, "{line}");
        }
        if line.contains("rm -rf") || line.contains("DROP") {
            assert!(decision >= Decision::Ask, "{line}");
        }
        seen += 1;
    }
    assert!(seen >= 40, "{seen}");
}
