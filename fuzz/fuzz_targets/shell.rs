//! Any text is read: no crash, no hang, spans inside the text.
#![no_main]

use fourseam_shell::{Scope, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let scope = Scope::default().with_cwd("/home/ana/project").with_variable("HOME", "/home/ana");
    let script = parse(text, &scope);
    for command in &script.commands {
        assert!(text.get(command.span.start as usize..command.span.end as usize).is_some());
    }
    for opaque in &script.opaque {
        assert!(text.get(opaque.span.start as usize..opaque.span.end as usize).is_some());
        assert!(opaque.command.is_none_or(|index| index < script.commands.len()));
    }
});
