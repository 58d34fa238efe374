//! Named tasks of a project (`make x`, `npm run x`, `just x`): their recipes, read as shell text.

use super::analyst::Analyst;
use super::call::{Understood, display};
use super::effect::UnknownClass;
use super::flow::Taints;
use super::path::Follow;
use super::program::{Code, TaskFile};
use fourseam_shell::{Span, Word};
use std::collections::BTreeMap;

/// Stands for the task that runs when none is named.
const DEFAULT: &str = "(default)";
/// Tasks that one task pulls in.
const MOST_TASKS: usize = 12;

impl Analyst<'_> {
    /// Runs the recipe of a task.
    pub(super) fn task(&mut self, understood: &Understood<'_, '_, '_>, file: TaskFile, word: &Word) -> Taints {
        let name = display(word);
        let text = self.task_text(understood, file);
        let recipe = text.and_then(|text| match file {
            TaskFile::Make => make(&text, &name, &variables(understood)),
            TaskFile::Npm => npm(&text, &name),
            TaskFile::Just => just(&text, &name),
            TaskFile::Task => None,
        });
        let shown = format!("{} {name}", understood.reading.chain.first().map_or("", |program| program.name.as_str()));
        match recipe {
            Some(recipe) => self.file_text(understood, Code::Shell, &recipe, &shown),
            // Without a script of that name, `yarn x` and `bun run x` start a program of the project's dependencies.
            None if file == TaskFile::Npm && self.knowledge.program(&name).is_some() => {
                let words: Vec<Word> =
                    understood.reading.args.iter().map(|arg| arg.word.clone().into_owned()).collect();
                self.start(understood, &words)
            }
            None => {
                self.unknown(UnknownClass::ScriptFile, &shown, Some(understood.invocation));
                Taints::NONE
            }
        }
    }

    /// The task file: the one that is named, on standard input, or in the working directory.
    fn task_text(&self, understood: &Understood<'_, '_, '_>, file: TaskFile) -> Option<String> {
        let read = |word: &Word| {
            let path = self.path(understood.call, word, Follow::Links);
            let resolved = path.resolved?;
            match self.changes.of(&resolved) {
                Some(change) => change.text,
                None => self.own_text(&resolved),
            }
        };
        let mut flags = understood.reading.flags.iter().filter(|flag| flag.name == "-f");
        if let Some((_, word)) = flags.find_map(|flag| flag.values.first()) {
            return if word.literal() == Some("-") { understood.call.input.text.clone() } else { read(word) };
        }
        names(file).iter().find_map(|name| read(&Word::known(*name, Span::default())))
    }
}

fn names(file: TaskFile) -> &'static [&'static str] {
    match file {
        TaskFile::Make => &["GNUmakefile", "makefile", "Makefile"],
        TaskFile::Npm => &["package.json"],
        TaskFile::Just => &["justfile", "Justfile", ".justfile"],
        TaskFile::Task => &["Taskfile.yml", "Taskfile.yaml"],
    }
}

/// `NAME=value` on the command line.
fn variables(understood: &Understood<'_, '_, '_>) -> BTreeMap<String, String> {
    let words = understood.call.words.iter().filter(|word| super::reading::is_assignment(word));
    words
        .filter_map(|word| word.literal()?.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}

/// The recipe lines of a target of a makefile and of the targets it needs, with simple variables put in.
fn make(text: &str, target: &str, given: &BTreeMap<String, String>) -> Option<String> {
    let joined = text.replace("\\\n", " ");
    let mut variables: BTreeMap<&str, &str> = BTreeMap::new();
    let mut rules: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    let mut current: Vec<&str> = Vec::new();
    let mut first = None;
    for line in joined.lines() {
        if let Some(recipe) = line.strip_prefix('\t') {
            for name in &current {
                rules.entry(name).or_default().1.push(recipe);
            }
            continue;
        }
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        if let Some((name, value)) = assignment(line) {
            variables.insert(name, value);
            continue;
        }
        let Some((targets, behind)) = line.split_once(':').filter(|_| !line.starts_with([' ', '#', '.'])) else {
            continue;
        };
        let (needs, inline) =
            behind.trim_start_matches(':').split_once(';').unwrap_or((behind.trim_start_matches(':'), ""));
        current = targets.split_whitespace().collect();
        first = first.or(current.first().copied());
        for name in &current {
            let rule = rules.entry(name).or_default();
            rule.0.extend(needs.split_whitespace());
            if !inline.trim().is_empty() {
                rule.1.push(inline);
            }
        }
    }
    let value = |name: &str| given.get(name).map(String::as_str).or_else(|| variables.get(name).copied());
    let target = if target == DEFAULT { first? } else { target };
    let mut wanted = vec![target];
    let mut recipe = String::new();
    let mut at = 0;
    while let Some(name) = wanted.get(at).copied().filter(|_| at < MOST_TASKS) {
        at += 1;
        let Some((needs, lines)) = rules.get(name) else { continue };
        wanted.extend(needs.iter().filter(|needed| rules.contains_key(*needed)));
        for line in lines {
            let line = line.trim_start_matches(['@', '-', '+', ' ', '\t']);
            recipe.push_str(&expanded(line, name, &value));
            recipe.push('\n');
        }
    }
    rules.contains_key(target).then_some(recipe)
}

/// `NAME = value`, `:=`, `?=`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let name = name.strip_prefix("export ").unwrap_or(name);
    let is_name =
        !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    is_name.then(|| (name, value.trim()))
}

/// A recipe line with `$(NAME)`, `${NAME}`, `$@` and `$$` put in. What is not known becomes a shell variable.
fn expanded<'v>(line: &str, target: &str, value: &impl Fn(&str) -> Option<&'v str>) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('$') {
        text.push_str(before);
        if let Some(after) = behind.strip_prefix('$') {
            text.push('$');
            rest = after;
            continue;
        }
        if let Some(after) = behind.strip_prefix('@') {
            text.push_str(target);
            rest = after;
            continue;
        }
        let close = match behind.chars().next() {
            Some('(') => ')',
            Some('{') => '}',
            _ => {
                text.push_str("$make");
                rest = behind.get(1..).unwrap_or("");
                continue;
            }
        };
        let Some((name, after)) = behind.get(1..).and_then(|inside| inside.split_once(close)) else {
            rest = behind;
            continue;
        };
        match value(name) {
            // One step only: a value that needs another is left to the shell as unknown.
            Some(value) if !value.contains('$') => text.push_str(value),
            _ => {
                let is_name = |character: &char| character.is_ascii_alphanumeric() || *character == '_';
                text.push_str("${");
                text.extend(name.chars().filter(is_name));
                text.push('}');
            }
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// A script of `package.json`, with what runs before and after it.
fn npm(text: &str, name: &str) -> Option<String> {
    let file: serde_json::Value = serde_json::from_str(text).ok()?;
    let scripts = file.get("scripts")?;
    let script = |name: &str| scripts.get(name).and_then(serde_json::Value::as_str);
    let main = script(name)?;
    let before = script(&format!("pre{name}")).unwrap_or_default();
    let after = script(&format!("post{name}")).unwrap_or_default();
    Some(format!("{before}\n{main}\n{after}\n"))
}

/// The recipe of a justfile and of the recipes it needs. Values in `{{ }}` are not known.
fn just(text: &str, name: &str) -> Option<String> {
    let mut recipes: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    let mut current: Option<&str> = None;
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(lines) = current.and_then(|name| recipes.get_mut(name)) {
                lines.1.push(line.trim());
            }
            continue;
        }
        let Some((head, needs)) =
            line.split_once(':').filter(|(_, behind)| !behind.starts_with('=') && !line.starts_with('#'))
        else {
            continue;
        };
        let name = head.trim_start_matches('@').split_whitespace().next().unwrap_or("");
        let needs = needs
            .split_whitespace()
            .map(|needed| needed.trim_matches(['(', ')', '&']))
            .filter(|needed| !needed.is_empty());
        recipes.insert(name, (needs.collect(), Vec::new()));
        current = Some(name);
    }
    let mut wanted = vec![name];
    let mut recipe = String::new();
    let mut at = 0;
    while let Some(next) = wanted.get(at).copied().filter(|_| at < MOST_TASKS) {
        at += 1;
        let Some((needs, lines)) = recipes.get(next) else { continue };
        wanted.extend(needs.iter().filter(|needed| recipes.contains_key(*needed)));
        for line in lines {
            recipe.push_str(&without_values(line.trim_start_matches(['@', '-'])));
            recipe.push('\n');
        }
    }
    recipes.contains_key(name).then_some(recipe)
}

fn without_values(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        text.push_str("${just}");
        rest = behind.split_once("}}").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn makefiles_give_recipes_with_variables() {
        let text = "DIR := build\nOTHER = $(shell pwd)\n\nclean: stop\n\t@rm -rf $(DIR) $(OTHER)/x\n\t-echo $$HOME $@\nstop:\n\tkill 1\n";
        assert_eq!(
            make(text, "clean", &BTreeMap::new()).unwrap(),
            "rm -rf build ${OTHER}/x\necho $HOME clean\nkill 1\n"
        );
        let given = BTreeMap::from([("DIR".to_owned(), "/".to_owned())]);
        assert!(make(text, "clean", &given).unwrap().starts_with("rm -rf / "));
        assert_eq!(make(text, "nothing", &BTreeMap::new()), None);
    }

    #[test]
    fn package_scripts_run_with_their_neighbours() {
        let text = r#"{"scripts": {"build": "tsc", "prebuild": "rm -rf dist"}}"#;
        assert_eq!(npm(text, "build").unwrap(), "rm -rf dist\ntsc\n\n");
        assert_eq!(npm(text, "test"), None);
    }

    #[test]
    fn justfiles_give_recipes() {
        let text = "dir := 'x'\n\nclean arg='1': stop\n    rm -rf {{dir}}/y\nstop:\n    kill 1\n";
        assert_eq!(just(text, "clean").unwrap(), "rm -rf ${just}/y\nkill 1\n");
    }
}
