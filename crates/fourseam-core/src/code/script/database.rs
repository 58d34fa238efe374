//! Calls that reach a database: statements as text, and the methods of document stores.

use super::eval::{Args, Evaluator};
use super::value::{Shape, Value};
use crate::analysis::SqlClass;
use crate::code::{Act, Part, Text, shorten, sql};

impl Evaluator {
    /// Text of SQL. `always`: it is SQL whatever it looks like.
    pub(super) fn statements(&mut self, args: &Args, at: usize, always: bool) {
        let Some(statement) = args.positional.get(at) else { return };
        for one in statement.alternatives() {
            let text = match &one.shape {
                // `text("..")`, `sql.SQL("..")`.
                Shape::Instance(_, inner) => inner.first().map(Value::as_text).unwrap_or_default(),
                Shape::Text(_) => one.as_text(),
                _ if always => Text::unknown(one.source()),
                _ => continue,
            };
            let known: String = text
                .parts()
                .iter()
                .map(|part| match part {
                    Part::Known(text) => text.as_str(),
                    Part::Glob(_) | Part::Variable(_) | Part::Unknown(_) => "x",
                })
                .collect();
            let starts_known = matches!(text.parts().first(), Some(Part::Known(_)));
            if !starts_known && always {
                self.act(Act::Sql { class: SqlClass::Unknown, text: text.display() });
            } else if starts_known && (always || sql::looks_like(&known)) {
                let reading = sql::read(&known);
                reading.acts.into_iter().for_each(|act| self.act(act));
                reading.unknowns.into_iter().for_each(|(class, text)| self.doubt(class, &text));
            }
        }
    }

    /// A statement that is a call.
    pub(super) fn statement(&mut self, class: SqlClass, name: &str, args: &Args) {
        let words: Vec<String> = args.positional.iter().map(Value::source).collect();
        let short = name.rsplit('.').next().unwrap_or(name);
        self.act(Act::Sql { class, text: shorten(&format!("{short}({})", words.join(", "))) });
    }
}

/// A change of the documents a filter picks.
pub(super) fn filtered(filter: Option<&Value>) -> SqlClass {
    match filter.map(|filter| &filter.shape) {
        Some(Shape::Map(fields)) => {
            let picks = |(key, value): &(String, Value)| match (key.as_str(), &value.shape) {
                ("_id", Shape::Map(inner)) => !inner.iter().all(|(key, _)| matches!(key.as_str(), "$exists" | "$ne")),
                ("where", Shape::Map(inner)) => !inner.is_empty(),
                _ => true,
            };
            if fields.iter().any(picks) { SqlClass::Write } else { SqlClass::Unbounded }
        }
        _ => SqlClass::Unbounded,
    }
}

/// A pipeline: `$out` and `$merge` write.
pub(super) fn pipeline(stages: Option<&Value>) -> SqlClass {
    let stages = stages.and_then(Value::elements).unwrap_or_default();
    let has = |name: &str| stages.iter().any(|stage| stage.field(name).is_some());
    if has("$out") {
        SqlClass::Unbounded
    } else if has("$merge") {
        SqlClass::Write
    } else {
        SqlClass::Read
    }
}

/// `runCommand({dropDatabase: 1})`.
pub(super) fn command(command: Option<&Value>) -> SqlClass {
    let name = match command.map(|command| &command.shape) {
        Some(Shape::Map(fields)) => fields.first().map(|(key, _)| key.clone()),
        Some(Shape::Text(text)) => text.literal().map(str::to_owned),
        _ => None,
    };
    match name.as_deref() {
        Some("dropDatabase" | "drop" | "dropAllUsersFromDatabase") => SqlClass::Drop,
        Some("delete") => SqlClass::Unbounded,
        Some("shutdown" | "eval" | "replSetStepDown") => SqlClass::Execute,
        Some("createUser" | "updateUser" | "grantRolesToUser" | "dropUser" | "createRole") => SqlClass::Grant,
        Some("update" | "insert" | "findAndModify" | "setParameter" | "fsync" | "killOp") => SqlClass::Write,
        Some("create" | "createIndexes" | "dropIndexes" | "collMod" | "renameCollection" | "convertToCapped") => {
            SqlClass::Ddl
        }
        Some(_) => SqlClass::Read,
        None => SqlClass::Unknown,
    }
}
