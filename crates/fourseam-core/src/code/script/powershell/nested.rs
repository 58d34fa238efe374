//! Programs that PowerShell starts with code in their arguments: itself and `cmd`.

use super::super::eval::Args;
use super::super::text_ops;
use super::super::value::{Shape, Taints, Value};
use super::bind::marker;
use super::command::{line, word};

/// Code among the arguments of a program.
pub(super) enum Nested {
    PowerShell(Value),
    Cmd(Value),
}

/// The code that `powershell` or `cmd` is given, if it is one of them.
pub(super) fn code_of(program: &str, args: &Args) -> Option<Nested> {
    let name = program.to_lowercase();
    let name = name.rsplit(['\\', '/']).next().unwrap_or_default();
    match name.strip_suffix(".exe").unwrap_or(name) {
        "powershell" | "pwsh" => powershell(&args.positional).map(Nested::PowerShell),
        "cmd" => {
            let at = args.positional.iter().position(|value| {
                value.literal().is_some_and(|word| matches!(word.to_lowercase().as_str(), "/c" | "/k" | "/r"))
            })?;
            Some(Nested::Cmd(line(args.positional.get(at + 1..)?)))
        }
        _ => None,
    }
}

/// `-Command text`, `-EncodedCommand text`, or the text alone.
fn powershell(values: &[Value]) -> Option<Value> {
    let mut rest = values.iter().enumerate();
    while let Some((at, value)) = rest.next() {
        let behind = values.get(at + 1..).unwrap_or_default();
        let given = marker(value).map(|name| name.to_lowercase());
        match given.as_deref() {
            Some(name) if !name.is_empty() && "encodedcommand".starts_with(name) || given.as_deref() == Some("ec") => {
                return behind.first().map(decoded);
            }
            Some(name) if "command".starts_with(name) => return Some(block_or_line(behind)),
            Some(name) if "file".starts_with(name) && !name.is_empty() => return None,
            Some(name) => {
                let with_value = [
                    "executionpolicy",
                    "ep",
                    "ex",
                    "windowstyle",
                    "w",
                    "version",
                    "inputformat",
                    "outputformat",
                    "workingdirectory",
                    "wd",
                    "configurationname",
                ];
                if with_value.iter().any(|known| known.starts_with(name) && (name.len() > 1 || *known == name)) {
                    rest.next();
                }
            }
            None if value.literal().is_some_and(|text| text.to_lowercase().ends_with(".ps1")) => return None,
            None => return Some(block_or_line(values.get(at..).unwrap_or_default())),
        }
    }
    None
}

fn block_or_line(values: &[Value]) -> Value {
    match values {
        [one] if matches!(one.shape, Shape::Function(_)) => one.clone(),
        values => line(values),
    }
}

/// Base 64 of UTF-16, as `-EncodedCommand` takes it.
fn decoded(text: &Value) -> Value {
    match text.literal().and_then(|text| text_ops::base64(&text)) {
        Some(code) => Value::known(code).tainted(Taints::DECODED),
        None => Value::unknown(format!("decoded {}", text.source())).tainted(Taints::DECODED),
    }
}

/// Arguments as words, lists spread.
pub(super) fn words(args: &Args) -> Vec<Value> {
    args.positional
        .iter()
        .flat_map(|value| match &value.shape {
            Shape::List(items) => items.iter().map(word).collect(),
            _ => vec![word(value)],
        })
        .collect()
}

/// `-ArgumentList`: a list of words or one text with blanks.
pub(super) fn split(list: &Value) -> Vec<Value> {
    let one = |value: &Value| match value.literal() {
        Some(text) => text.split_whitespace().map(as_argument).collect(),
        None => vec![value.clone()],
    };
    match &list.shape {
        Shape::List(items) if items.len() > 1 => {
            items.iter().map(|item| item.literal().map_or_else(|| item.clone(), |text| as_argument(&text))).collect()
        }
        Shape::List(items) => items.first().map(one).unwrap_or_default(),
        _ => one(list),
    }
}

/// A word as the parser would have given it.
fn as_argument(text: &str) -> Value {
    match text.strip_prefix('-').filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())) {
        Some(name) => Value::library(format!("-{name}")),
        None => Value::known(text),
    }
}
