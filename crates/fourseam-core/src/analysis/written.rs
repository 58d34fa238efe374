//! What the content of a file does when it is run. Writing is judged by the worst of it only: deleting homes and
//! systems, sending secrets out, running downloads from places that run by themselves. All else waits until it runs.

use super::analyst::{Analyst, Context};
use super::effect::{Effect, EffectKind, PathClass, PathUse, Taint, Target};
use super::mcp::quoted;
use crate::code::Language;
use serde_json::Value;

/// Longest content that is read.
const MAX_CONTENT: usize = 256 * 1024;

/// How the content of a file is run.
enum Content {
    /// As shell text.
    Shell(String),
    /// As code of a language.
    Code(Language),
}

/// Effects that the content of a file would have and that are worth telling when it is written.
pub(super) fn effects(analyst: &Analyst<'_>, path: &PathUse, added: &str) -> Vec<Effect> {
    if added.len() > MAX_CONTENT {
        return Vec::new();
    }
    let name = path.resolved.as_deref().unwrap_or(&path.written);
    let Some(content) = content(name, added) else { return Vec::new() };
    let runs_by_itself = runs_with_install(name)
        || [PathClass::Autostart, PathClass::AgentConfig].iter().any(|class| path.classes.contains(class));
    let cwd = analyst.setting.project.clone();
    let mut inner = Analyst::new(cwd.as_deref(), analyst.knowledge, analyst.world, analyst.setting.spelling);
    let is_code = match content {
        Content::Shell(text) => {
            let scope = inner.scope(&text, cwd.as_deref());
            inner.text(&text, &scope, &Context::default());
            false
        }
        Content::Code(language) => {
            let scope = inner.scope(added, cwd.as_deref());
            inner.code_line(language, added, scope);
            true
        }
    };
    // Code sends tokens in headers all day; what it read from a file of keys outside the project it does not.
    let sends_keys = !is_code || inner.out.effects.iter().any(reads_keys);
    let tells = |effect: &Effect| is_told(effect, runs_by_itself, sends_keys);
    let programs: Vec<String> = inner.out.invocations.iter().map(|it| it.program.clone()).collect();
    let by = |effect: &Effect| effect.invocation.and_then(|at| programs.get(at)).map_or("", String::as_str);
    let effects = inner.out.effects.into_iter().map(|effect| {
        // What a shell itself sends or takes, it is told.
        let is_shell = matches!(by(&effect), "sh" | "bash" | "zsh" | "dash" | "ksh");
        let is_handed_out = is_shell && effect.kind == EffectKind::Network && effect.verb == "send";
        let verb = if is_handed_out { "reverse-shell".to_owned() } else { effect.verb.clone() };
        Effect { verb, ..effect }
    });
    effects.filter(tells).map(|effect| Effect { invocation: None, ..effect }).collect()
}

fn reads_keys(effect: &Effect) -> bool {
    let Some(Target::Path(path)) = &effect.target else { return false };
    effect.kind == EffectKind::Read
        && path.classes.contains(&PathClass::Secret)
        && !path.classes.contains(&PathClass::Project)
}

/// Files that package managers and test runners run as soon as they are there.
fn runs_with_install(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    matches!(name, "package.json" | "setup.py" | "conftest.py" | "build.rs" | "extconf.rb")
}

fn is_told(effect: &Effect, runs_by_itself: bool, sends_keys: bool) -> bool {
    let is_sent = effect.kind == EffectKind::Network && effect.verb != "receive";
    match effect.kind {
        EffectKind::Delete | EffectKind::Overwrite => {
            let Some(Target::Path(path)) = &effect.target else { return false };
            let grave = [PathClass::Root, PathClass::HomeRoot, PathClass::Device];
            grave.iter().any(|class| path.classes.contains(class)) && !path.unknown
        }
        EffectKind::Network if effect.verb == "reverse-shell" => true,
        EffectKind::Network => {
            is_sent
                && (effect.taint.contains(&Taint::Environment) || (sends_keys && effect.taint.contains(&Taint::Secret)))
        }
        EffectKind::Execute => {
            runs_by_itself && (effect.taint.contains(&Taint::Download) || effect.taint.contains(&Taint::Decoded))
        }
        EffectKind::Write
        | EffectKind::Read
        | EffectKind::Privilege
        | EffectKind::Persist
        | EffectKind::Publish
        | EffectKind::Vcs
        | EffectKind::Database
        | EffectKind::Infrastructure
        | EffectKind::Process
        | EffectKind::Tamper => false,
    }
}

/// How a file is run, by its name and first line. `None`: it is not, or not known.
fn content(path: &str, added: &str) -> Option<Content> {
    let path = path.replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or(&path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let shell = || Some(Content::Shell(added.to_owned()));
    match ending {
        "sh" | "bash" | "zsh" | "ksh" => return shell(),
        "py" | "pyw" => return Some(Content::Code(Language::Python)),
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx" => {
            return Some(Content::Code(Language::JavaScript));
        }
        "rb" => return Some(Content::Code(Language::Ruby)),
        "pl" | "pm" => return Some(Content::Code(Language::Perl)),
        "php" => return Some(Content::Code(Language::Php)),
        "ps1" | "psm1" => return Some(Content::Code(Language::PowerShell)),
        "bat" | "cmd" => return Some(Content::Code(Language::Cmd)),
        "desktop" | "service" | "timer" => return Some(Content::Shell(started_by(added))),
        "yml" | "yaml"
            if name.to_ascii_lowercase().starts_with("taskfile")
                || path.contains("/.github/workflows/")
                || path.contains(".gitlab-ci")
                || path.contains("/.circleci/") =>
        {
            return Some(Content::Shell(steps(added)));
        }
        "mk" => return Some(Content::Shell(recipes(added))),
        "json" if name == "package.json" => return Some(Content::Shell(scripts(added))),
        "json" if name.contains("mcp") || path.contains("/.claude") || path.contains("/.gemini/") => {
            return Some(Content::Shell(servers(added)));
        }
        _ => {}
    }
    if matches!(name, "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile") {
        return Some(Content::Shell(recipes(added)));
    }
    let is_profile = matches!(
        name,
        ".bashrc"
            | ".bash_profile"
            | ".bash_login"
            | ".bash_logout"
            | ".profile"
            | ".zshrc"
            | ".zprofile"
            | ".zshenv"
            | ".zlogin"
            | ".envrc"
            | ".xprofile"
            | ".xinitrc"
            | ".kshrc"
            | "bashrc"
            | "profile"
    );
    let is_hook = path.contains("/.git/hooks/") || path.contains("/.husky/") || path.contains("/cron.");
    let first = added.lines().next().unwrap_or_default();
    let is_script = first.starts_with("#!") && first.ends_with("sh");
    let is_python = first.starts_with("#!") && first.contains("python");
    match () {
        () if is_profile || is_hook || is_script => shell(),
        () if is_python => Some(Content::Code(Language::Python)),
        () => None,
    }
}

/// Command lines of desktop entries and units: what stands behind `Exec...=`.
fn started_by(text: &str) -> String {
    let lines = text.lines().filter_map(|line| {
        let (key, command) = line.trim().split_once('=')?;
        key.starts_with("Exec").then(|| command.trim_start_matches(['-', '@', '+', '!', ':']))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Commands of the steps of a build: what stands behind `run:`, `script:` and `command:`, blocks included.
fn steps(text: &str) -> String {
    let mut commands = Vec::new();
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if let Some(outer) = block {
            if line.trim().is_empty() || indent > outer {
                commands.push(line.trim().trim_start_matches("- ").to_owned());
                continue;
            }
            block = None;
        }
        let entry = line.trim().trim_start_matches("- ").trim_start_matches('{').trim();
        let keys = ["run:", "script:", "command:", "before_script:", "after_script:", "cmds:", "cmd:"];
        let Some(rest) = keys.iter().find_map(|key| entry.strip_prefix(key)) else { continue };
        match rest.trim() {
            "" | "|" | "|-" | ">" | ">-" | "|+" => block = Some(indent),
            command => commands.push(command.trim_matches(['"', '[', ']']).to_owned()),
        }
    }
    // `${{ ... }}` is replaced before the shell sees it; secrets among them are secrets.
    commands
        .join("\n")
        .replace("toJSON(secrets)", "SECRET")
        .replace("${{", "${")
        .replace("}}", "}")
        .replace("${ ", "${")
        .replace(" }", "}")
}

/// Recipe lines of a file of tasks: what is indented. Variables of make (`$(NAME)`) are not known.
fn recipes(text: &str) -> String {
    let lines = text.lines().filter(|line| line.starts_with(['\t', ' '])).map(|line| {
        let line = line.trim_start().trim_start_matches(['@', '-', '+']);
        let mut parts = line.split("$(");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.split_once(')') {
                Some((name, rest)) if !name.contains(char::is_whitespace) => {
                    out.push_str(&format!("${{{name}}}{rest}"));
                }
                _ => out.push_str(&format!("$({part}")),
            }
        }
        out.replace("$$", "$")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Values of the lines of a package file that look like scripts.
fn scripts(text: &str) -> String {
    let lines = text.lines().filter_map(|line| {
        let (_, value) = line.split_once("\":")?;
        let value = value.trim().trim_end_matches([',', '}', ' ']).strip_prefix('"')?.strip_suffix('"')?;
        value.contains(' ').then(|| value.replace("\\\"", "\"").replace("\\\\", "\\"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Command lines of the servers in a settings file.
fn servers(text: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return String::new() };
    let mut lines = Vec::new();
    commands(&value, &mut lines, 0);
    lines.join("\n")
}

fn commands(value: &Value, lines: &mut Vec<String>, depth: u8) {
    if depth > 12 {
        return;
    }
    match value {
        Value::Object(entries) => {
            if let Some(command) = entries.get("command").and_then(Value::as_str) {
                let words =
                    entries.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
                let words = words.map(quoted);
                lines.push(std::iter::once(command.to_owned()).chain(words).collect::<Vec<_>>().join(" "));
            }
            entries.values().for_each(|value| commands(value, lines, depth + 1));
        }
        Value::Array(items) => items.iter().for_each(|item| commands(item, lines, depth + 1)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
