//! Typed questions with probabilities, as TypeSafe's Jev answers them. Source: the TypeSafe API reference,
//! `POST /v1/systemone` with `model`, `state` and `questions` by id; answers by id, `choice` with `probabilities`
//! and `noul`, the probability of a yes.

use super::backend::{Backend, KeyHeader, Reply, Request};
use fourseam_core::judge::{Answer, JudgeSettings, Question, Sheet};
use serde_json::{Map, Value, json};

pub(super) struct Jev;

impl Backend for Jev {
    fn request(&self, settings: &JudgeSettings, question: &Question<'_>) -> Request {
        let material = &question.material;
        let fence = material.fenced();
        let state = json!({
            "instructions": question.preface,
            "about": question.sheet.about,
            "what_the_user_wants": material.policy_text(),
            "step": fence.text,
        });
        Request {
            key: KeyHeader::Bearer,
            headers: Vec::new(),
            body: json!({ "model": settings.model, "state": state, "questions": questions(question.sheet) }),
        }
    }

    fn read(&self, sheet: &Sheet, body: &Value) -> Result<(Answer, Reply), String> {
        let answers = body.get("answers").and_then(Value::as_object).ok_or("the reply has no `answers`")?;
        Ok((Answer::of_typed(sheet, answers), Reply::of_usage(body, "input_tokens", "output_tokens")))
    }
}

fn questions(sheet: &Sheet) -> Value {
    let mut questions = Map::new();
    if !sheet.classes.is_empty() {
        let criteria: Map<String, Value> =
            sheet.classes.iter().map(|item| (item.id.clone(), item.means.as_str().into())).collect();
        let class =
            json!({ "type": "choice", "instructions": "Which class does `step` belong to?", "criteria": criteria });
        questions.insert("class".to_owned(), class);
    }
    for risk in &sheet.risks {
        questions.insert(risk.id.clone(), json!({ "type": "noul", "instructions": risk.asks }));
    }
    Value::Object(questions)
}
