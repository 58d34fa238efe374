//! `cmd.exe`: command lines and batch files.
//!
//! Limits: `goto` and labels are gone over, every branch is taken to run, `for` runs its body once for each known
//! word and once for patterns and outputs. Variables that the text sets are followed; those of the environment are
//! variables of the text. A command that is not built in is told as a program.

mod lex;

use super::script::{join_path, sibling, taint_of_file};
use super::{Act, ActTarget, Language, Part, Reading, Text, shorten};
use crate::analysis::{EffectKind, Taint, UnknownClass};
use lex::{Join, Simple, Variables};

/// Reads a command line or batch file.
pub(super) fn read(text: &str) -> Reading {
    let mut reader = Reader::default();
    reader.text(text, 0);
    reader.reading
}

#[derive(Default)]
struct Reader {
    reading: Reading,
    variables: Variables,
    folder: Option<Text>,
    /// What the command in front of the pipe gives, known text and taint.
    piped: (Option<String>, Vec<Taint>),
    commands: usize,
    /// Bytes of all texts that were read: bodies of loops are read for each word.
    read: usize,
}

const MAX_DEPTH: usize = 8;
const MAX_COMMANDS: usize = 2000;
const MAX_READ: usize = 16 * crate::code::MAX_TEXT;

impl Reader {
    fn text(&mut self, text: &str, depth: usize) {
        self.read += text.len();
        if depth > MAX_DEPTH || self.read > MAX_READ {
            return self.reading.doubt(UnknownClass::Limit, text);
        }
        let joined = text.replace("^\r\n", "").replace("^\n", "");
        for (join, command) in lex::commands(&joined) {
            self.commands += 1;
            if self.commands > MAX_COMMANDS {
                return self.reading.doubt(UnknownClass::Limit, "too many commands");
            }
            if join == Join::Next {
                self.piped = (None, Vec::new());
            }
            self.command(&command, depth);
        }
    }

    fn command(&mut self, written: &str, depth: usize) {
        let command = written.trim().trim_start_matches('@').trim();
        let lower = command.to_ascii_lowercase();
        let head = lower.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        match head {
            "" | "rem" | "goto" | "title" | "setlocal" | "endlocal" | "shift" | "exit" | "color" => {}
            _ if command.starts_with(':') => {}
            "if" => self.condition(command, depth),
            "for" => self.each(command, depth),
            "else" | "do" | "call" => {
                let rest = command.get(head.len()..).unwrap_or_default().trim();
                if !rest.starts_with(':') {
                    self.text(rest, depth + 1);
                }
            }
            "set" => self.set(command.get(3..).unwrap_or_default()),
            "cmd" | "cmd.exe" => self.nested(command, depth),
            "start" => self.start(command, depth),
            _ => {
                let simple = lex::simple(command, &self.variables);
                self.read += simple.words.iter().map(Text::weight).sum::<usize>();
                self.simple(&simple, depth);
            }
        }
    }

    /// `if [/i] [not] CONDITION command`.
    fn condition(&mut self, command: &str, depth: usize) {
        let mut rest = command.get(2..).unwrap_or_default().trim_start();
        loop {
            let (word, behind) = first_word(rest);
            match word.to_ascii_lowercase().as_str() {
                "/i" | "not" => rest = behind,
                "exist" | "defined" | "errorlevel" | "cmdextversion" => {
                    rest = first_word(behind).1;
                    break;
                }
                _ => {
                    // `a==b`, `a == b`, `a equ b`.
                    let compared = word.contains("==") && !word.ends_with("==");
                    let (operator, after) = first_word(behind);
                    let is_operator = operator.starts_with("==")
                        || ["equ", "neq", "lss", "leq", "gtr", "geq"].contains(&operator.to_ascii_lowercase().as_str());
                    rest = match (compared, word.ends_with("=="), is_operator) {
                        (true, _, _) => behind,
                        (false, true, _) => after,
                        (false, false, true) if operator.len() > 2 && operator.starts_with("==") => after,
                        (false, false, true) => first_word(after).1,
                        (false, false, false) => behind,
                    };
                    break;
                }
            }
        }
        self.text(rest, depth + 1);
    }

    /// `for [/d|/r|/f|/l ..] %x in (set) do command`.
    fn each(&mut self, command: &str, depth: usize) {
        let Some(open) = command.find('(') else { return };
        let Some(close) = command.find(')').filter(|close| *close > open) else { return };
        let head = command.get(..open).unwrap_or_default().to_ascii_lowercase();
        let set = command.get(open + 1..close).unwrap_or_default();
        let body = command.get(close + 1..).unwrap_or_default().trim_start();
        let body = if body.to_ascii_lowercase().starts_with("do") { body.get(2..).unwrap_or_default() } else { body };
        let name = head.rsplit('%').next().and_then(|name| name.chars().next()).unwrap_or('i').to_ascii_uppercase();
        let values: Vec<Text> = if head.contains("/f") {
            let source = set.trim();
            if let Some(inner) = source.strip_prefix(['\'', '`']) {
                self.text(inner.trim_end_matches(['\'', '`']), depth + 1);
            }
            vec![Text::unknown(format!("%{name}"))]
        } else {
            let words = lex::simple(set, &self.variables).words;
            let tail = head.find("/r").and_then(|at| command.get(at + 2..open)).unwrap_or_default();
            let folder = tail.split('%').next().map(|folder| folder.trim().trim_matches('"'));
            words.into_iter().take(32).map(|word| below(folder, &word)).collect()
        };
        for value in values {
            self.variables.insert(format!("%{name}"), value.into_variable("loop variable"));
            self.text(body, depth + 1);
        }
        // A block in parentheses follows as its own pieces; the variable stays set for it.
    }

    fn set(&mut self, rest: &str) {
        let rest = rest.trim();
        let lower = rest.to_ascii_lowercase();
        let (rest, opaque) = match lower.strip_prefix("/a").or_else(|| lower.strip_prefix("/p")) {
            Some(_) => (rest.get(2..).unwrap_or_default().trim(), true),
            None => (rest, false),
        };
        if rest.is_empty() {
            self.piped = (None, vec![Taint::Environment]);
            return;
        }
        let inner = rest.strip_prefix('"').map_or(rest, |rest| rest.trim_end_matches('"'));
        let Some((name, value)) = inner.split_once('=') else { return };
        let words = lex::simple(&format!("\"{value}\""), &self.variables).words;
        let value = if opaque { Text::unknown(name) } else { words.into_iter().next().unwrap_or_default() };
        if self.variables.len() < 256 {
            self.variables.insert(name.trim().to_ascii_uppercase(), value.into_variable(name));
        }
    }

    /// `cmd /c text`.
    fn nested(&mut self, command: &str, depth: usize) {
        let lower = command.to_ascii_lowercase();
        let Some(at) = ["/c", "/k", "/r"].iter().filter_map(|flag| lower.find(flag)).min() else {
            if let Some(text) = self.piped.0.clone() {
                self.text(&text, depth + 1);
            }
            return;
        };
        let inner = command.get(at + 2..).unwrap_or_default().trim();
        let inner = inner.strip_prefix('"').map_or(inner, |rest| rest.trim_end().trim_end_matches('"'));
        self.text(inner, depth + 1);
    }

    /// `start ["title"] [/options] command`.
    fn start(&mut self, command: &str, depth: usize) {
        let mut rest = command.get(5..).unwrap_or_default().trim();
        while rest.starts_with(['"', '/']) {
            let (word, behind) = first_word(rest);
            if behind.trim().is_empty() {
                rest = word;
                break;
            }
            rest = behind.trim_start();
        }
        self.text(rest, depth + 1);
    }

    fn simple(&mut self, simple: &Simple, depth: usize) {
        for (append, file) in &simple.written {
            let (kind, verb) =
                if *append { (EffectKind::Write, "append") } else { (EffectKind::Overwrite, "overwrite") };
            if !matches!(file.literal().map(str::to_ascii_lowercase).as_deref(), Some("nul" | "con")) {
                self.path(kind, verb, file, false);
            }
        }
        let Some(first) = simple.words.first() else { return };
        let Some(name) = first.literal() else {
            if first.has_unknown() {
                self.reading.doubt(UnknownClass::CommandWord, &first.display());
            }
            return self.program(simple);
        };
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".exe").unwrap_or(&name).to_owned();
        let (options, args) = options(simple.words.get(1..).unwrap_or_default());
        let has = |option: &str| options.iter().any(|given| given.starts_with(option));
        let piped = std::mem::take(&mut self.piped);
        match name.as_str() {
            "del" | "erase" => args.iter().for_each(|path| self.path(EffectKind::Delete, "delete", path, has("/s"))),
            "rd" | "rmdir" => args.iter().for_each(|path| self.path(EffectKind::Delete, "delete", path, has("/s"))),
            "move" | "copy" | "ren" | "rename" => self.moved(&name, &args),
            "md" | "mkdir" => args.iter().for_each(|path| self.path(EffectKind::Write, "create", path, false)),
            "mklink" => args.iter().take(1).for_each(|path| self.path(EffectKind::Write, "link", path, false)),
            "type" | "more" => {
                for path in args.iter().chain(&simple.read) {
                    self.path(EffectKind::Read, "read", path, false);
                    self.piped.1.extend(taint_of_file(path));
                }
                self.piped.1.extend(piped.1);
            }
            "cd" | "chdir" | "pushd" => {
                if let Some(folder) = args.first() {
                    self.folder = Some(self.in_folder(folder));
                }
            }
            "popd" => self.folder = None,
            "echo" | "echo." => {
                let text: Vec<String> = args.iter().map(Text::display).collect();
                self.piped = (Some(text.join(" ")), Vec::new());
            }
            "assoc" | "ftype" if args.iter().any(|word| word.display().contains('=')) => {
                self.effect(EffectKind::Persist, "registry", ActTarget::Resource(Text::known(name)));
            }
            "powershell" | "pwsh" => self.powershell(simple, piped.0.as_deref(), depth),
            _ if QUIET.contains(&name.as_str()) => self.piped.1 = piped.1,
            _ => {
                self.piped = piped;
                self.program(simple);
                self.piped = (None, Vec::new());
            }
        }
    }

    fn moved(&mut self, name: &str, args: &[Text]) {
        let Some((to, from)) = args.split_last().filter(|(_, from)| !from.is_empty()) else { return };
        for path in from {
            match name {
                "copy" => self.path(EffectKind::Read, "read", path, false),
                _ => self.path(EffectKind::Delete, "move", path, false),
            }
        }
        let verb = if name == "copy" { "copy" } else { "move" };
        let to = match (name, from.first()) {
            // A new name stays in the same folder.
            ("ren" | "rename", Some(path)) => sibling(path, to),
            _ => to.clone(),
        };
        self.path(EffectKind::Overwrite, verb, &to, false);
    }

    /// `powershell -Command ..` and its other forms, as PowerShell itself would start it.
    fn powershell(&mut self, simple: &Simple, input: Option<&str>, depth: usize) {
        let words: Option<Vec<&str>> = simple.words.iter().map(Text::literal).collect();
        match words {
            Some(words) if depth < MAX_DEPTH => {
                let quoted: Vec<String> = words.iter().skip(1).map(|word| quote(word)).collect();
                let code = format!("powershell {}", quoted.join(" "));
                self.reading.merge(super::script::powershell(&code));
                if let Some(input) = input.filter(|_| words.contains(&"-")) {
                    self.reading.act(Act::Code { language: Language::PowerShell, text: input.to_owned() });
                }
            }
            _ => {
                let shown: Vec<String> = simple.words.iter().map(Text::display).collect();
                self.reading.doubt(UnknownClass::Code, &shorten(&shown.join(" ")));
            }
        }
    }

    fn program(&mut self, simple: &Simple) {
        let mut argv: Vec<Text> = simple.words.clone();
        if let Some(folder) = &self.folder {
            argv.splice(0..0, [Text::known("env"), Text::known("-C"), folder.clone()]);
        }
        let mut taint = self.piped.1.clone();
        for file in &simple.read {
            self.path(EffectKind::Read, "read", file, false);
            taint.extend(taint_of_file(file));
        }
        self.reading.act(Act::Command { argv, taint });
    }

    fn in_folder(&self, path: &Text) -> Text {
        match &self.folder {
            Some(folder) => join_path(folder, path),
            None => path.clone(),
        }
    }

    fn path(&mut self, kind: EffectKind, verb: &'static str, path: &Text, recursive: bool) {
        let target = ActTarget::Path(self.in_folder(path));
        let taint = if kind == EffectKind::Read { Vec::new() } else { self.piped.1.clone() };
        self.reading.act(Act::Effect { kind, verb, target, recursive, taint });
    }

    fn effect(&mut self, kind: EffectKind, verb: &'static str, target: ActTarget) {
        self.reading.act(Act::Effect { kind, verb, target, recursive: false, taint: Vec::new() });
    }
}

/// Options (`/s`, in lower case, split where they stand together) and the other words.
fn options(words: &[Text]) -> (Vec<String>, Vec<Text>) {
    let mut options = Vec::new();
    let mut args = Vec::new();
    for word in words {
        match word.literal().and_then(|text| text.strip_prefix('/')) {
            Some(rest) => options.extend(rest.split('/').map(|option| format!("/{}", option.to_ascii_lowercase()))),
            None => args.push(word.clone()),
        }
    }
    (options, args)
}

/// A word with blanks in quotes taken as one, and what follows.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let mut quoted = false;
    let end = text.find(|c: char| {
        quoted ^= c == '"';
        c.is_whitespace() && !quoted
    });
    text.split_at_checked(end.unwrap_or(text.len())).unwrap_or((text, ""))
}

fn below(folder: Option<&str>, word: &Text) -> Text {
    match folder {
        Some(folder) if !folder.is_empty() => {
            let mut path = Text::known(format!("{folder}\\"));
            path.push(Part::Glob("*".to_owned()));
            path.push(Part::Known("\\".to_owned()));
            path.plus(word)
        }
        _ => word.clone(),
    }
}

/// A word as PowerShell would take it as one.
fn quote(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./\\:=+".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "''")) }
}

/// Commands that only look, print or compute.
const QUIET: [&str; 27] = [
    "dir",
    "tree",
    "ver",
    "vol",
    "cls",
    "path",
    "prompt",
    "pause",
    "find",
    "findstr",
    "sort",
    "where",
    "fc",
    "comp",
    "verify",
    "assoc",
    "ftype",
    "timeout",
    "chcp",
    "help",
    "date",
    "time",
    "whoami",
    "hostname",
    "tasklist",
    "systeminfo",
    "ipconfig",
];
