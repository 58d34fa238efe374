//! Arguments of a PowerShell command to its parameters: names by prefix, switches, positions, pipeline input.

use super::super::ast::{Expr, Function};
use super::super::eval::Args;
use super::super::value::{Shape, Taints, Value};
use super::parse::INPUT;
use super::words::{PARAMETERS, SWITCHES};

/// Arguments bound to parameters.
pub(super) struct Bound {
    /// Parameters with their values, by full name.
    values: Vec<(&'static str, Value)>,
    switches: Vec<&'static str>,
    /// Parameters the command does not have, as written.
    pub(super) strange: Vec<String>,
    /// Values without a parameter.
    pub(super) positional: Vec<Value>,
    /// What the pipe brings.
    pub(super) input: Option<Value>,
}

/// Binds the arguments of a command by its list of parameters.
pub(super) fn bind(command: &str, args: &Args) -> Bound {
    let own: &[&str] = PARAMETERS.iter().find(|(name, _)| *name == command).map_or(&[], |(_, own)| own);
    let input = args.named.iter().find(|(name, _)| name == INPUT).map(|(_, value)| value.clone());
    let mut bound =
        Bound { values: Vec::new(), switches: Vec::new(), strange: Vec::new(), positional: Vec::new(), input };
    for (name, value) in args.named.iter().filter(|(name, _)| !matches!(name.as_str(), INPUT | ">" | ">>")) {
        // Splatting: `@params`.
        bound.take(own, &name.to_lowercase(), Some(value.clone()));
    }
    let mut values = args.positional.iter().peekable();
    while let Some(value) = values.next() {
        if let Some((name, joined)) = joined(value) {
            bound.take(own, &name.to_lowercase(), Some(joined));
            continue;
        }
        let Some(name) = marker(value).map(|name| name.to_lowercase()) else {
            bound.positional.push(value.clone());
            continue;
        };
        let takes_value = parameter(own, &name).is_some_and(|(_, takes)| takes);
        let next = values.next_if(|next| takes_value && marker(next).is_none());
        bound.take(own, &name, next.cloned());
    }
    bound
}

/// Arguments of a function of the text: `-Name value` as a named one.
pub(in super::super) fn to_parameters(function: &Function, args: &Args) -> Args {
    let mut named = args.named.clone();
    let mut positional = Vec::new();
    let mut values = args.positional.iter().peekable();
    while let Some(value) = values.next() {
        let Some(name) = marker(value) else {
            positional.push(value.clone());
            continue;
        };
        let begins = format!("${}", name.to_lowercase());
        let known = function.params.iter().find_map(|param| match &param.target {
            Expr::Name(name) if name.starts_with(&begins) => Some(name.clone()),
            _ => None,
        });
        if let (Some(name), Some(value)) = (known, values.next_if(|next| marker(next).is_none())) {
            named.push((name, value.clone()));
        }
    }
    Args { positional, named }
}

/// The name of a parameter that stands among the arguments, without its dash.
pub(super) fn marker(value: &Value) -> Option<String> {
    match &value.shape {
        Shape::Library(name) => name.strip_prefix('-').map(str::to_owned),
        _ => None,
    }
}

fn joined(value: &Value) -> Option<(String, Value)> {
    match &value.shape {
        Shape::List(items) => match items.as_slice() {
            [name, value] => Some((marker(name)?, value.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// The full name behind a prefix, and whether it takes a value.
fn parameter(own: &[&'static str], given: &str) -> Option<(&'static str, bool)> {
    let exact = |names: &[&'static str]| names.iter().find(|name| **name == given).copied();
    let begins = |names: &[&'static str]| names.iter().find(|name| name.starts_with(given)).copied();
    exact(own)
        .map(|name| (name, true))
        .or_else(|| exact(SWITCHES).map(|name| (name, false)))
        .or_else(|| if given == "lp" { Some(("literalpath", true)) } else { None })
        .or_else(|| ["recurse", "force"].into_iter().find(|name| name.starts_with(given)).map(|name| (name, false)))
        .or_else(|| begins(own).map(|name| (name, true)))
        .or_else(|| begins(SWITCHES).map(|name| (name, false)))
}

impl Bound {
    fn take(&mut self, own: &[&'static str], name: &str, value: Option<Value>) {
        match (parameter(own, name), value) {
            (Some((name, true)), Some(value)) => self.values.push((name, value)),
            (Some((name, true)), None) => self.switches.push(name),
            // `-Recurse:$false` is off.
            (Some((_, false)), Some(value)) if is_false(&value) => {}
            (Some((name, false)), _) => self.switches.push(name),
            (None, value) => {
                self.strange.push(format!("-{name}"));
                self.positional.extend(value);
            }
        }
    }

    /// A switch is given.
    pub(super) fn has(&self, switch: &str) -> bool {
        self.switches.contains(&switch)
    }

    /// The value of a parameter by name.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// The value of a parameter by name or place.
    pub(super) fn value(&self, name: &str, at: usize) -> Option<Value> {
        self.named(name).or_else(|| self.positional.get(at)).cloned()
    }

    /// The paths a command works on: by parameter, place or pipe.
    pub(super) fn paths(&self) -> Option<Value> {
        let by_name = self.named("literalpath").or_else(|| self.named("pspath"));
        by_name.cloned().or_else(|| self.value("path", 0)).or_else(|| self.input.clone())
    }

    /// Everything that flows in.
    pub(super) fn taint(&self) -> Taints {
        let all = self.values.iter().map(|(_, value)| value).chain(&self.positional).chain(&self.input);
        all.fold(Taints::NONE, |taint, value| taint.with(value.taint))
    }

    /// Parameters as options of a call, for what is shared with other languages.
    pub(super) fn options(&self) -> Args {
        let named = self.values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Args { positional: self.positional.clone(), named }
    }
}

fn is_false(value: &Value) -> bool {
    matches!(&value.shape, Shape::Unknown(name) if name == "$false") || value.number() == Some(0)
}
