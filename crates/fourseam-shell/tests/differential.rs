//! What bash runs is what is read: generated scripts, stub programs that write down how they were called.
//!
//! The scripts only know stubs (`PATH` holds nothing else) and run in an empty folder.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests run programs and may panic"
)]

mod support;

use fourseam_shell::{Command, Stdin};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use support::{lines, read};

/// Programs that write down their name and arguments; `reader` writes down its standard input too.
const STUBS: [&str; 5] = ["alpha", "beta", "gamma", "reader", "nope"];
const SCRIPTS: u64 = 500;

/// Small and seeded: the same scripts on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// Writes scripts. Branches are left out when every command must run.
struct Generator {
    random: Random,
    branches: bool,
    variables: usize,
    functions: usize,
    depth: usize,
}

impl Generator {
    fn script(&mut self) -> String {
        let count = 2 + self.random.below(5);
        let mut text = String::new();
        for _ in 0..count {
            text += &self.statement();
            if !text.ends_with('\n') {
                text += self.random.pick(&["\n", "; ", " ;", "\n\n", " # note\n"]);
            }
        }
        text
    }

    fn statement(&mut self) -> String {
        self.depth += 1;
        let text = match self.random.below(if self.depth > 3 { 5 } else { 24 }) {
            0..=3 => self.command(),
            4 => self.assignment(),
            5 => format!("{{ {}; {}; }}", self.statement_line(), self.command()),
            6 => format!("( {}; {} )", self.assignment(), self.command()),
            7 => format!("for v in {} {}; do {}; done", self.word(), self.word(), self.command_with("\"$v\"")),
            8 => {
                self.functions += 1;
                let name = format!("f{}", self.functions);
                format!(
                    "{name}() {{ {}; }}; {name} {} {}",
                    self.command_with("\"$2\" $1 $#"),
                    self.plain(),
                    self.word()
                )
            }
            9 => format!("eval {}", single_quoted(&self.command())),
            10 => format!("eval \"{}\" {}", self.command_simple(), self.plain()),
            11 => format!("{} | reader", self.echo()),
            12 => format!("reader <<< {}", self.word()),
            13 => format!("reader <<E\n{} $v \\$v\nE\n", self.plain()),
            14 => format!("reader <<'E'\n$({}) `x` $v\nE\n", self.command_simple()),
            15 => format!(
                "set -- {} {} {}; {}",
                self.word(),
                self.plain(),
                self.word(),
                self.command_with("\"$@\" $3 \"${*:2}\"")
            ),
            16 => format!(
                "a=({} {} x); {}",
                self.word(),
                self.plain(),
                self.command_with("\"${a[1]}\" \"${a[@]}\" ${#a[@]}")
            ),
            17 => format!("{} $({})", self.command(), self.echo()),
            18 => format!("while read -r l; do {}; done <<< $'p q\\nr'", self.command_with("\"$l\" $l")),
            19 => format!("i={}; {}", self.random.below(9), self.command_with("$((i * 2 + 1)) $((i<5 ? 7 : 8))")),
            20 => format!("printf -v w '%s-%s' {} {}; {}", self.plain(), self.plain(), self.command_with("\"$w\"")),
            21 => {
                format!("IFS=: ; c={}:{}:x; {}; unset IFS", self.plain(), self.plain(), self.command_with("$c \"$c\""))
            }
            22 if self.branches => self.branch(),
            _ => format!("{} && {}", self.command(), self.command()),
        };
        self.depth -= 1;
        text
    }

    fn branch(&mut self) -> String {
        let condition = self.random.pick(&["alpha", "nope", "! alpha", "[ a = a ]", "[[ a == b ]]", "test -n \"\""]);
        let (yes, no) = (self.statement_line(), self.statement_line());
        match self.random.below(5) {
            0 => format!("if {condition}; then {yes}; else {no}; fi; {}", self.command()),
            1 => format!("{condition} && {yes}; {}", self.command()),
            2 => format!("{condition} || {yes}; {}", self.command()),
            3 => format!("case {} in a*|x) {yes};; *) {no};; esac; {}", self.word(), self.command()),
            _ => format!("for n in 1 2 3; do if {condition}; then {yes}; break; fi; {no}; done; {}", self.command()),
        }
    }

    /// A statement without a heredoc, so that something may follow on its line.
    fn statement_line(&mut self) -> String {
        loop {
            let text = self.statement();
            if !text.contains('\n') {
                return text;
            }
        }
    }

    fn assignment(&mut self) -> String {
        self.variables += 1;
        let name = self.random.pick(&["v", "x", "y", "HOME_DIR"]);
        let value = self.word();
        match self.random.below(4) {
            0 => format!("{name}+={value}"),
            1 => format!("export {name}={value}"),
            _ => format!("{name}={value}"),
        }
    }

    fn command(&mut self) -> String {
        let count = self.random.below(4);
        let words: String = (0..count).map(|_| format!(" {}", self.word())).collect();
        let name = self.name();
        format!("{name}{words}")
    }

    fn command_with(&mut self, words: &str) -> String {
        format!("{} {words} {}", self.random.pick(&["alpha", "beta", "gamma"]), self.plain())
    }

    fn command_simple(&mut self) -> String {
        format!("{} {}", self.random.pick(&["alpha", "beta", "gamma"]), self.plain())
    }

    fn echo(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("echo -n {} {}", self.plain(), self.word()),
            1 => format!("printf '%s\\n' {} {}", self.plain(), self.word()),
            2 => format!("echo -e 'a\\x62\\tc' {}", self.plain()),
            _ => format!("echo {} {}", self.word(), self.plain()),
        }
    }

    /// The program word, spelled in many ways.
    fn name(&mut self) -> &'static str {
        if self.branches && self.random.below(12) == 0 {
            return "! gamma";
        }
        self.random.pick(&[
            "alpha",
            "beta",
            "gamma",
            "\\alpha",
            "al\"pha\"",
            "'beta'",
            "$'gam\\x6da'",
            "b\\\neta",
            "$(echo alpha)",
            "`echo beta`",
            "$(printf '%s' gam ma)",
            "command alpha",
            "X=1 beta",
            ">out alpha",
            "{alpha,beta}",
            "time beta",
        ])
    }

    fn plain(&mut self) -> &'static str {
        self.random.pick(&["a", "bc", "d-e", "1", "x/y", "--flag", "k=v", "a,b", "%s", "@", "+x"])
    }

    fn word(&mut self) -> String {
        let plain = self.plain();
        let expansion = self.random.pick(&[
            "$v",
            "\"$v\"",
            "${x}",
            "\"${y}z\"",
            "${v:-d e}",
            "\"${v:-d e}\"",
            "${v:+set}",
            "${v#a}",
            "${x%c}",
            "${v/a/b}",
            "${x//b}",
            "${v:1:2}",
            "${#v}",
            "${v^^}",
            "\"${x,,}\"",
            "${v:=new}",
            "$nothing",
            "\"$nothing\"",
            "${v##*/}",
            "${x%%-*}",
            "\"${v%/*}\"",
        ]);
        match self.random.below(15) {
            0 => single_quoted(&format!("{plain} $v `x` \"")),
            1 => format!("\"{plain} \\\"q\\\" \\$v \\\\ {}\"", expansion.trim_matches('"')),
            2 => format!("$'{plain}\\t\\'\\x41'"),
            3 => format!("{plain}\\ {plain}\\*"),
            4 => format!("{{{plain},{plain}2}}"),
            5 => "{1..3}".to_owned(),
            6 => "pre{x,y}post".to_owned(),
            7 => format!("$(echo {plain})"),
            8 => format!("\"$(printf '%s %s' {plain} z)\""),
            9 => format!("`echo \"{plain} q\"`"),
            10 => "~".to_owned(),
            11..=13 => expansion.to_owned(),
            _ => plain.to_owned(),
        }
    }
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A call as a stub saw it: name, arguments, then the standard input of `reader`.
type Call = Vec<String>;

fn calls_of_bash(script: &str, folder: &Path, stubs: &Path) -> Vec<Call> {
    let log = folder.join("log");
    std::fs::write(&log, "").unwrap();
    let status = std::process::Command::new("/bin/bash")
        .args(["--norc", "--noprofile", "-c", script])
        .env_clear()
        .env("PATH", stubs)
        .env("HOME", "/home/ana")
        .env("FOURSEAM_LOG", &log)
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    let _ = status.code();
    let text = String::from_utf8_lossy(&std::fs::read(&log).unwrap()).into_owned();
    text.split('\u{1e}')
        .filter(|record| !record.is_empty())
        .map(|record| record.split('\u{1f}').map(str::to_owned).collect())
        .collect()
}

fn write_stubs(folder: &Path) {
    for name in STUBS {
        let input = if name == "reader" { "IFS= read -r -d '' input; set -- \"$@\" \"$input\"; " } else { "" };
        let code = if name == "nope" { 1 } else { 0 };
        let text = format!(
            "#!/bin/bash\n{input}r={name}; for w in \"$@\"; do r+=$'\\x1f'$w; done; printf '%s\\x1e' \"$r\" >> \"$FOURSEAM_LOG\"; exit {code}\n"
        );
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// The call a command would be, if all of it is known. `None`: some part is not.
fn call_of(command: &Command) -> Option<Call> {
    let mut call: Call = command.words.iter().map(|word| word.literal().map(str::to_owned)).collect::<Option<_>>()?;
    if call.first().map(String::as_str) == Some("command") {
        call.remove(0);
    }
    if call.first().map(String::as_str) == Some("reader") {
        call.push(match &command.stdin {
            Stdin::Text(text) => text.literal()?.to_owned(),
            Stdin::Inherited => String::new(),
            Stdin::File(_) | Stdin::Pipe(_) => return None,
        });
    }
    Some(call)
}

fn is_stub(call: &Call) -> bool {
    call.first().is_some_and(|name| STUBS.contains(&name.as_str()))
}

/// Scripts that always run every command: the same calls, each as often.
#[test]
fn straight_scripts_are_read_exactly() {
    compare(false);
}

/// Scripts with branches: every call that bash makes was read, or something was not known.
#[test]
fn branches_lose_nothing() {
    compare(true);
}

fn compare(branches: bool) {
    if !Path::new("/bin/bash").exists() {
        println!("skipped: no /bin/bash");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let stubs = folder.path().join("stubs");
    let work = folder.path().join("work");
    std::fs::create_dir(&stubs).unwrap();
    std::fs::create_dir(&work).unwrap();
    write_stubs(&stubs);

    let mut wrong = Vec::new();
    let mut known = 0;
    for seed in 1..=SCRIPTS {
        let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut generator = Generator { random, branches, variables: 0, functions: 0, depth: 0 };
        // The variables the scripts use are known to be unset, as they are for bash.
        let text = format!("unset v x y nothing; {}", generator.script());
        let script = read(&text);
        let calls: Vec<Option<Call>> = script.commands.iter().map(call_of).collect();
        if !script.opaque.is_empty() || calls.iter().any(Option::is_none) {
            if std::env::var_os("FOURSEAM_SHOW_UNKNOWN").is_some() {
                println!("not known: {text:?}\n    {:?} {:?}", script.opaque, lines(&script));
            }
            continue;
        }
        known += 1;
        let mut counts: BTreeMap<Call, i32> = BTreeMap::new();
        for call in calls.into_iter().flatten().filter(is_stub) {
            *counts.entry(call).or_default() += 1;
        }
        for call in calls_of_bash(&text, &work, &stubs) {
            *counts.entry(call).or_default() -= 1;
        }
        counts.retain(|_, count| if branches { *count < 0 } else { *count != 0 });
        if branches {
            // A loop may run a command more often than it is written down.
            let listed: Vec<Call> = script.commands.iter().filter_map(call_of).collect();
            counts.retain(|call, _| !listed.contains(call));
        }
        if !counts.is_empty() {
            wrong.push(format!(
                "--- seed {seed}\n{text}\nmore (+) or less (-) than bash: {counts:?}\nread: {:#?}",
                lines(&script)
            ));
        }
    }
    println!("{known} of {SCRIPTS} scripts were known in all parts");
    assert!(
        wrong.is_empty(),
        "{} scripts differ\n{}",
        wrong.len(),
        wrong.iter().take(6).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(known * 10 > SCRIPTS * 8, "only {known} of {SCRIPTS} scripts were known in all parts");
}
