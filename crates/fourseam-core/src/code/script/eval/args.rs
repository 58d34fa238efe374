//! Arguments of a call, as values.

use crate::code::script::value::{Shape, Taints, Value};

/// Values of the arguments of a call.
#[derive(Clone, Debug, Default)]
pub(in crate::code::script) struct Args {
    pub(in crate::code::script) positional: Vec<Value>,
    pub(in crate::code::script) named: Vec<(String, Value)>,
}

impl Args {
    pub(in crate::code::script) fn of(positional: Vec<Value>) -> Self {
        Self { positional, named: Vec::new() }
    }

    /// Everything that flows in.
    pub(in crate::code::script) fn taint(&self) -> Taints {
        let all = self.positional.iter().chain(self.named.iter().map(|(_, value)| value));
        all.fold(Taints::NONE, |taint, value| taint.with(value.taint))
    }

    /// A named argument, or a field of the last dictionary given.
    pub(in crate::code::script) fn option(&self, names: &[&str]) -> Option<&Value> {
        let named = self.named.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value);
        named.or_else(|| {
            let maps = self.positional.iter().rev().filter(|value| matches!(value.shape, Shape::Map(_)));
            maps.into_iter().find_map(|map| names.iter().find_map(|name| map.field(name)))
        })
    }
}
