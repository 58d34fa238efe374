//! The short notations of program data: names, options, arguments, effects. Text in, data or a message out.

use super::condition::tokens;
use super::{
    Arg, Code, Condition, EffectRule, Glob, OptionSpec, Output, OutputRule, Reference, Role, Run, Selection, StdinRule,
    StdinUse, TaskFile,
};
use crate::analysis::effect::EffectKind;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as ValueError;

/// `a|b, c`: names split by commas are different things with the same data; the first of `a|b` is the name.
pub(super) fn names(text: &str) -> Vec<Vec<String>> {
    text.split(',')
        .map(|group| group.trim().split('|').map(|name| name.trim().to_owned()).collect::<Vec<_>>())
        .filter(|group| group.iter().all(|name| !name.is_empty()))
        .collect()
}

/// `-f --force, -o --output <write>, --color <?text>, --[no-]edit`.
pub(super) fn options(text: &str) -> Result<Vec<OptionSpec>, String> {
    text.split(',').map(str::trim).filter(|option| !option.is_empty()).map(option).collect()
}

fn option(text: &str) -> Result<OptionSpec, String> {
    let mut spec = OptionSpec::default();
    let mut rest = text;
    while let Some((before, value_on)) = rest.split_once('<') {
        let (value, after) =
            value_on.split_once('>').ok_or_else(|| format!("`>` is missing in the option `{text}`"))?;
        option_names(before, &mut spec)?;
        let value = value.strip_prefix('?').map_or(value, |bare| {
            spec.optional = true;
            bare
        });
        let value = value.strip_suffix("...").map_or(value, |bare| {
            spec.many = true;
            bare
        });
        let until = value == "command;";
        spec.values.push(if until { Role::CommandUntil } else { role(value)? });
        rest = after;
    }
    option_names(rest, &mut spec)?;
    if spec.names.is_empty() {
        return Err(format!("the option `{text}` has no name"));
    }
    Ok(spec)
}

fn option_names(text: &str, spec: &mut OptionSpec) -> Result<(), String> {
    for word in text.split_whitespace() {
        if !spec.values.is_empty() {
            return Err(format!("`{word}` stands behind the value of the option; names come first"));
        }
        if let Some(name) = word.strip_prefix("--[no-]") {
            spec.negatable = true;
            spec.names.push(format!("--{name}"));
        } else {
            spec.names.push(word.to_owned());
        }
    }
    Ok(())
}

/// `resource:remote read=. delete... write?`.
pub(super) fn args(text: &str) -> Result<Vec<Arg>, String> {
    text.split_whitespace().map(arg).collect()
}

fn arg(word: &str) -> Result<Arg, String> {
    if word == "--" {
        return Ok(Arg { divider: true, optional: true, ..Arg::default() });
    }
    let mut arg = Arg::default();
    let mut rest = word;
    if let Some(bare) = rest.strip_suffix("...") {
        arg.many = true;
        rest = bare;
    }
    if let Some(bare) = rest.strip_suffix('?') {
        arg.optional = true;
        rest = bare;
    }
    if let Some((bare, default)) = rest.split_once('=') {
        arg.optional = true;
        arg.default = Some(default.to_owned());
        rest = bare;
    }
    let (spelled, name) = split_role(rest);
    arg.role = role(spelled)?;
    arg.name = name.map(str::to_owned);
    arg.many |= matches!(arg.role, Role::Command);
    Ok(arg)
}

/// Splits a name off a role: `resource:branch`, `code:python`, `script:shell:file`.
fn split_role(text: &str) -> (&str, Option<&str>) {
    let has_language = ["code:", "script:", "task:"].iter().any(|prefix| text.starts_with(prefix));
    let at = if has_language { text.match_indices(':').nth(1) } else { text.match_indices(':').next() };
    match at.and_then(|(index, _)| text.split_at_checked(index)) {
        Some((spelled, name)) => (spelled, name.strip_prefix(':')),
        None => (text, None),
    }
}

/// A role by its word.
pub(super) fn role(word: &str) -> Result<Role, String> {
    if let Some((kind, of)) = word.split_once(':') {
        return match kind {
            "code" => Ok(Role::Code(code(of)?)),
            "script" => Ok(Role::Script(code(of)?)),
            "task" => Ok(Role::Task(by_word::<TaskFile>(of)?)),
            _ => Err(format!("`{word}` is not a role")),
        };
    }
    ROLES
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, role)| *role)
        .ok_or_else(|| format!("`{word}` is not a role; roles: {}", list(ROLES.iter().map(|(name, _)| *name))))
}

fn code(word: &str) -> Result<Code, String> {
    match word {
        "shell" => Ok(Code::Shell),
        "other" => Ok(Code::Other),
        "patch" => Ok(Code::Patch),
        _ => by_word(word).map(Code::Language),
    }
}

const ROLES: &[(&str, Role)] = &[
    ("text", Role::Text),
    ("path", Role::Path),
    ("read", Role::Read),
    ("write", Role::Write),
    ("append", Role::Append),
    ("edit", Role::Edit),
    ("overwrite", Role::Overwrite),
    ("delete", Role::Delete),
    ("move", Role::Move),
    ("upload", Role::Upload),
    ("payload", Role::Payload),
    ("from", Role::From),
    ("to", Role::To),
    ("cwd", Role::Cwd),
    ("root", Role::Root),
    ("name-filter", Role::NameFilter),
    ("extension-filter", Role::ExtensionFilter),
    ("path-filter", Role::PathFilter),
    ("link", Role::Link),
    ("filter", Role::Filter),
    ("prose", Role::Prose),
    ("url", Role::Url),
    ("host", Role::Host),
    ("resource", Role::Resource),
    ("package", Role::Package),
    ("image", Role::Image),
    ("entrypoint", Role::Entrypoint),
    ("env", Role::Env),
    ("command", Role::Command),
    ("shell", Role::Shell),
    ("placeholder", Role::Placeholder),
];

/// `vcs force-push on refspec = +* if not --dry-run`.
pub(super) fn effect(text: &str) -> Result<EffectRule, String> {
    let (head, when) = split_condition(text)?;
    let (head, on) = split_selection(&head, "on")?;
    let [kind, verb] = head.as_slice() else {
        return Err(format!("`{text}` does not start with a kind and a verb (`vcs push on resource`)"));
    };
    Ok(EffectRule { kind: by_word::<EffectKind>(kind)?, verb: verb.clone(), on, when })
}

/// `shell of -c = alias.*=!* after ! if arg1`.
pub(super) fn run(text: &str) -> Result<Run, String> {
    let (mut head, when) = split_condition(text)?;
    let here = head.last().is_some_and(|word| word == "here");
    if here {
        head.pop();
    }
    let (head, of) = split_selection(&head, "of")?;
    let [kind] = head.as_slice() else {
        return Err(format!("`{text}` does not start with `shell of`, `code:LANGUAGE of` or `script:LANGUAGE of`"));
    };
    let as_role = role(kind)?;
    if !matches!(as_role, Role::Shell | Role::Code(_) | Role::Script(_)) {
        return Err(format!("`{kind}` is not run; use `shell`, `code:LANGUAGE` or `script:LANGUAGE`"));
    }
    let of = of.ok_or_else(|| format!("`{text}` does not say of what (`shell of --exec`)"))?;
    Ok(Run { as_role, of, here, when })
}

/// `code:python if not arg1`.
pub(super) fn stdin(text: &str) -> Result<StdinRule, String> {
    let (head, when) = split_condition(text)?;
    let [word] = head.as_slice() else { return Err(format!("`{text}` is not one word and a condition")) };
    let stdin = match word.as_str() {
        "data" => StdinUse::Data,
        "ignored" => StdinUse::Ignored,
        "shell" => StdinUse::Code(Code::Shell),
        "arguments" => StdinUse::Arguments,
        "lines" => StdinUse::Lines,
        "paths" => StdinUse::Paths,
        "schedule" => StdinUse::Schedule,
        "send" => StdinUse::Send,
        "inherited" => StdinUse::Inherited,
        _ => match role(word) {
            Ok(Role::Code(code)) => StdinUse::Code(code),
            _ => {
                let known = "data, ignored, shell, code:LANGUAGE, arguments, lines, paths, schedule, send, inherited";
                return Err(format!("`{word}` is not a use of standard input; uses: {known}"));
            }
        },
    };
    Ok(StdinRule { stdin, when })
}

/// `decoded if -d`.
pub(super) fn output(text: &str) -> Result<OutputRule, String> {
    let (head, when) = split_condition(text)?;
    let [word] = head.as_slice() else { return Err(format!("`{text}` is not one word and a condition")) };
    Ok(OutputRule { output: by_word::<Output>(word)?, when })
}

fn split_condition(text: &str) -> Result<(Vec<String>, Condition), String> {
    let mut head = tokens(text)?;
    let Some(at) = head.iter().position(|word| word == "if") else { return Ok((head, Condition::Always)) };
    let condition = head.split_off(at).iter().skip(1).cloned().collect::<Vec<_>>().join(" ");
    Ok((head, Condition::parse(&condition)?))
}

fn split_selection(words: &[String], marker: &str) -> Result<(Vec<String>, Option<Selection>), String> {
    let Some(at) = words.iter().position(|word| word == marker) else { return Ok((words.to_vec(), None)) };
    let (head, tail) = words.split_at_checked(at).unwrap_or((words, &[]));
    let mut tail = tail.iter().skip(1);
    let of = Reference::parse(tail.next().ok_or_else(|| format!("nothing stands behind `{marker}`"))?)?;
    let mut selection = Selection { of, only: None, after: None, role: None };
    while let Some(word) = tail.next() {
        let value = tail.next().ok_or_else(|| format!("nothing stands behind `{word}`"))?;
        let value = value.trim_matches('\'').to_owned();
        match word.as_str() {
            "=" => selection.only = Some(Glob(value)),
            "after" => selection.after = Some(value),
            "as" => selection.role = Some(role(&value)?),
            _ => {
                return Err(format!(
                    "`{word}` is not expected; use `= GLOB`, `after TEXT`, `as ROLE` or `if CONDITION`"
                ));
            }
        }
    }
    Ok((head.to_vec(), Some(selection)))
}

/// A value of a plain enum by its serialised word.
fn by_word<'a, T: Deserialize<'a>>(word: &'a str) -> Result<T, String> {
    T::deserialize(IntoDeserializer::<ValueError>::into_deserializer(word)).map_err(|error| error.to_string())
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
    use super::*;
    use crate::code::Language;

    #[test]
    fn options_have_names_values_and_marks() {
        let found = options("-f --force, -o --output <write>, --color <?text>, --[no-]edit, -exec <command;>").unwrap();
        assert_eq!(found[0].names, ["-f", "--force"]);
        assert_eq!(found[1].values, [Role::Write]);
        assert!(found[2].optional);
        assert!(found[3].negatable);
        assert_eq!(found[3].names, ["--edit"]);
        assert_eq!(found[4].values, [Role::CommandUntil]);
        assert!(options("-o <wrote>").unwrap_err().contains("`wrote` is not a role"));
    }

    #[test]
    fn arguments_have_roles_names_and_counts() {
        let found = args("resource:remote root=. delete... code:python script:shell:file?").unwrap();
        assert_eq!(found[0].name.as_deref(), Some("remote"));
        assert_eq!(found[1].default.as_deref(), Some("."));
        assert!(found[2].many);
        assert_eq!(found[3].role, Role::Code(Code::Language(Language::Python)));
        assert_eq!(found[4].name.as_deref(), Some("file"));
        assert!(found[4].optional);
    }

    #[test]
    fn effects_have_kind_verb_target_and_condition() {
        let found = effect("vcs force-push on refspec = +* if not --dry-run").unwrap();
        assert_eq!(found.kind, EffectKind::Vcs);
        assert_eq!(found.verb, "force-push");
        assert_eq!(found.on.unwrap().only, Some(Glob("+*".to_owned())));
        assert!(effect("vcs on refspec").is_err());
        assert!(effect("nonsense push").is_err());
        assert_eq!(run("shell of -c = alias.*=!* after !").unwrap().of.after.as_deref(), Some("!"));
    }
}
