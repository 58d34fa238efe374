//! The words that policies use for the enums of the analysis. A variant without a word does not compile.

use crate::action::{Action, Point};
use crate::analysis::{EffectKind, PathClass, Place, SqlClass, Taint, UnknownClass};
use crate::decision::{Decision, Mode, OnError};

/// An enum whose values have words.
pub(super) trait Word: Copy + Sized + 'static {
    /// Every word and its value.
    const WORDS: &'static [(&'static str, Self)];

    /// The value of a word.
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }
}

macro_rules! words {
    ($enum:ident { $($variant:ident $word:literal)+ }) => {
        impl Word for $enum {
            const WORDS: &'static [(&'static str, Self)] = {
                // Only there so that a variant without a word does not compile.
                const fn every_variant_has_a_word(value: $enum) {
                    match value { $($enum::$variant => (),)+ }
                }
                let _ = every_variant_has_a_word;
                &[$(($word, $enum::$variant)),+]
            };
        }
    };
}

words! { Decision { Abstain "abstain" Allow "allow" Ask "ask" Deny "deny" } }
words! { Mode { Dry "dry" Guard "guard" On "on" } }
words! { OnError { Abstain "abstain" Ask "ask" Deny "deny" } }
words! { Point { Prompt "prompt" ToolCall "tool-call" ToolResult "tool-result" Output "output" } }
words! { Place { Local "local" Container "container" Remote "remote" } }
words! { Taint { Secret "secret" Environment "environment" Download "download" Decoded "decoded" Files "files" } }
words! { EffectKind {
    Delete "delete" Overwrite "overwrite" Write "write" Read "read" Execute "execute" Network "network"
    Privilege "privilege" Persist "persist" Publish "publish" Vcs "vcs" Database "database"
    Infrastructure "infrastructure" Process "process" Tamper "tamper"
} }
words! { PathClass {
    Root "root" Device "device" System "system" HomeRoot "home-root" Home "home" ProjectRoot "project-root"
    Project "project" Vcs "vcs" Ignored "ignored" Temp "temp" TempRoot "temp-root" Parent "parent" Outside "outside"
    Secret "secret" Autostart "autostart" AgentConfig "agent-config" Guard "guard" Unknown "unknown"
} }
words! { SqlClass {
    Drop "drop" Truncate "truncate" Unbounded "unbounded" Grant "grant" Ddl "ddl" Write "write" Read "read"
    Execute "execute" Unknown "unknown"
} }
words! { UnknownClass {
    CommandWord "command-word" DangerousArgument "dangerous-argument" ShellCode "shell-code"
    DecodedCode "decoded-code" Code "code" ScriptFile "script-file" Unparsed "unparsed" Limit "limit"
    Program "program" Typed "typed" Subcommand "subcommand"
} }

/// The canonical name of an action's tool, for the key `tool`.
pub(super) fn tool_name(action: &Action) -> &'static str {
    match action {
        Action::Shell(_) => "shell",
        Action::FileRead { .. } => "read",
        Action::FileWrite { .. } => "write",
        Action::FileEdit { .. } => "edit",
        Action::FileDelete { .. } => "delete",
        Action::Patch { .. } => "patch",
        Action::WebFetch { .. } => "webfetch",
        Action::WebSearch { .. } => "websearch",
        Action::McpCall { .. } => "mcp",
        Action::Subagent { .. } => "subagent",
        Action::Prompt { .. } => "prompt",
        Action::ToolResult(_) => "tool_result",
        Action::Output { .. } => "output",
        Action::Other { .. } => "other",
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    /// Logs and JSON name a value as policies do.
    #[test]
    fn words_are_those_of_serde() {
        fn check<W: Word + serde::Serialize>() {
            for (word, value) in W::WORDS {
                assert_eq!(serde_json::to_value(value).unwrap(), *word);
            }
        }
        check::<Decision>();
        check::<Mode>();
        check::<OnError>();
        check::<Point>();
        check::<Place>();
        check::<Taint>();
        check::<EffectKind>();
        check::<PathClass>();
        check::<SqlClass>();
        check::<UnknownClass>();
    }
}
