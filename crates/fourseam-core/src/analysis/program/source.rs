//! Reads program data from YAML. The form is described for authors in `fourseam-packs/programs/README.md`.

use super::notation;
use super::{Arg, Body, Command, Condition, Form, OptionSpec, Program, Reference, Syntax};
use crate::analysis::effect::Place;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::{Location, Spanned};
use std::fmt;

/// What is wrong with a file of program data, and where.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct SourceError {
    /// File as named by the caller.
    pub file: String,
    /// Line, from 1; 0 when not known.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// Reads every program of one YAML file. `file` is its name, for messages.
///
/// # Errors
/// When the text is not YAML, or a notation in it is wrong, or a condition names an option that is not listed.
pub fn read(file: &str, text: &str) -> Result<Vec<Program>, SourceError> {
    let error = |location: Option<Location>, what: String| SourceError {
        file: file.to_owned(),
        line: location.map_or(0, |location| location.line()),
        what,
    };
    let nodes: Nodes =
        serde_saphyr::from_str(text).map_err(|problem| error(problem.location(), problem.to_string()))?;
    let reader = Reader { inherited: Vec::new(), syntax: Syntax::default() };
    let mut commands = Vec::new();
    reader.nodes(nodes, &mut commands).map_err(|Wrong(location, what)| error(Some(location), what))?;
    Ok(commands.into_iter().filter_map(at_the_top).collect())
}

/// A program by its names.
fn at_the_top(Command { name, aliases, body }: Command) -> Option<Program> {
    match body {
        Body::Here(program) => Some(Program { name, aliases, ..*program }),
        Body::Stored(_) => None,
    }
}

/// A wrong place and what is wrong there.
struct Wrong(Location, String);

/// Nodes by their names, in order.
#[derive(Debug, Default)]
struct Nodes(Vec<(Spanned<String>, Option<Node>)>);

/// A program or subcommand as written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Node {
    syntax: Option<Syntax>,
    options: Option<Spanned<Texts>>,
    global: Option<Spanned<Texts>>,
    args: Option<Spanned<String>>,
    forms: Vec<FormNode>,
    effects: Option<Spanned<Texts>>,
    runs: Option<Spanned<Texts>>,
    stdin: Option<Spanned<Texts>>,
    output: Option<Spanned<Texts>>,
    harmless: Option<Spanned<Word>>,
    read_only: Option<Spanned<Word>>,
    recursive: Option<Spanned<Word>>,
    place: Option<Place>,
    commands: Nodes,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormNode {
    #[serde(rename = "if")]
    when: Spanned<Word>,
    args: Spanned<String>,
}

/// One text or a list of texts, each with its own place where that is known.
#[derive(Clone, Debug)]
struct Texts(Vec<(Option<Location>, String)>);

/// A text; `true` and `false` count as text.
#[derive(Clone, Debug)]
struct Word(String);

/// What is inherited on the way down.
struct Reader {
    inherited: Vec<OptionSpec>,
    syntax: Syntax,
}

impl Reader {
    fn nodes(&self, nodes: Nodes, into: &mut Vec<Command>) -> Result<(), Wrong> {
        for (names, node) in nodes.0 {
            let program = self.program(node.unwrap_or_default())?;
            let groups = notation::names(&names.value);
            if groups.is_empty() {
                return Err(Wrong(names.referenced, "a name is empty".to_owned()));
            }
            for group in groups {
                place_at(&group, program.clone(), into).map_err(|what| Wrong(names.referenced, what))?;
            }
        }
        Ok(())
    }

    fn program(&self, node: Node) -> Result<Program, Wrong> {
        let syntax = node.syntax.unwrap_or(self.syntax);
        let options = listed(node.options, notation::options)?.into_iter().flatten().collect::<Vec<_>>();
        let global = listed(node.global, notation::options)?.into_iter().flatten().collect::<Vec<_>>();
        let args = node.args.map_or(Ok(Vec::new()), |args| parsed(&args, notation::args))?;
        let mut forms = Vec::new();
        for form in node.forms {
            let scope =
                Scope { options: &options, global: &global, inherited: &self.inherited, args: &args, forms: &[] };
            let when = scope.condition(&form.when)?;
            forms.push(Form { when, args: parsed(&form.args, notation::args)? });
        }
        let scope =
            Scope { options: &options, global: &global, inherited: &self.inherited, args: &args, forms: &forms };
        let condition = |text: Option<Spanned<Word>>| text.map_or(Ok(Condition::Never), |text| scope.condition(&text));
        let mut program = Program {
            syntax,
            effects: Vec::new(),
            harmless: condition(node.harmless)?,
            read_only: condition(node.read_only)?,
            recursive: condition(node.recursive)?,
            place: node.place,
            ..Program::default()
        };
        let lists = (node.effects, node.runs, node.stdin, node.output);
        program.effects = scope.rules(lists.0, notation::effect, |rule, scope, at| {
            scope.resolve_condition(&mut rule.when, at)?;
            rule.on.iter_mut().try_for_each(|on| scope.resolve(&mut on.of, at))
        })?;
        program.runs = scope.rules(lists.1, notation::run, |rule, scope, at| {
            scope.resolve_condition(&mut rule.when, at)?;
            scope.resolve(&mut rule.of.of, at)
        })?;
        program.stdin =
            scope.rules(lists.2, notation::stdin, |rule, scope, at| scope.resolve_condition(&mut rule.when, at))?;
        program.output =
            scope.rules(lists.3, notation::output, |rule, scope, at| scope.resolve_condition(&mut rule.when, at))?;

        let inherited = self.inherited.iter().chain(&global).cloned().collect();
        Reader { inherited, syntax }.nodes(node.commands, &mut program.commands)?;
        program.options = options;
        program.global = global;
        program.args = args;
        program.forms = forms;
        Ok(program)
    }
}

/// Puts a node at its path (`state rm|remove`); the nodes on the way are made when missing.
fn place_at(group: &[String], mut program: Program, into: &mut Vec<Command>) -> Result<(), String> {
    let Some((first, aliases)) = group.split_first() else { return Ok(()) };
    let mut path = first.split_whitespace().collect::<Vec<_>>();
    let Some(last) = path.pop() else { return Ok(()) };
    let mut level = into;
    for step in path {
        let at = match level.iter().position(|there| there.is_called(step)) {
            Some(at) => at,
            None => {
                let body = Body::Here(Box::new(Program { syntax: program.syntax, ..Program::default() }));
                level.push(Command { name: step.to_owned(), aliases: Vec::new(), body });
                level.len() - 1
            }
        };
        let Some(Body::Here(there)) = level.get_mut(at).map(|there| &mut there.body) else { return Ok(()) };
        level = &mut there.commands;
    }
    let names = (last.to_owned(), aliases.to_vec());
    match level.iter_mut().find(|there| there.is_called(last)) {
        None => {
            let (name, aliases) = names;
            level.push(Command { name, aliases, body: Body::Here(Box::new(program)) });
        }
        Some(Command { name, aliases, body: Body::Here(there) }) if is_only_a_step(there) => {
            program.commands.append(&mut there.commands);
            **there = program;
            (*name, *aliases) = names;
        }
        Some(_) => return Err(format!("`{last}` is described twice")),
    }
    Ok(())
}

/// Made on the way to its subcommands, and not described itself.
fn is_only_a_step(program: &Program) -> bool {
    let commands = program.commands.clone();
    !commands.is_empty() && *program == Program { syntax: program.syntax, commands, ..Program::default() }
}

/// What the conditions of one node may refer to.
#[derive(Clone, Copy)]
struct Scope<'a> {
    options: &'a [OptionSpec],
    global: &'a [OptionSpec],
    inherited: &'a [OptionSpec],
    args: &'a [Arg],
    forms: &'a [Form],
}

impl Scope<'_> {
    fn condition(&self, text: &Spanned<Word>) -> Result<Condition, Wrong> {
        let mut condition = Condition::parse(&text.value.0).map_err(|what| Wrong(text.referenced, what))?;
        self.resolve_condition(&mut condition, text.referenced)?;
        Ok(condition)
    }

    fn rules<T>(
        &self,
        texts: Option<Spanned<Texts>>,
        parse: impl Fn(&str) -> Result<T, String>,
        resolve: impl Fn(&mut T, &Self, Location) -> Result<(), Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let mut rules = Vec::new();
        for (text, at) in each(texts) {
            let mut rule = parse(&text).map_err(|what| Wrong(at, what))?;
            resolve(&mut rule, self, at)?;
            rules.push(rule);
        }
        Ok(rules)
    }

    fn resolve_condition(&self, condition: &mut Condition, at: Location) -> Result<(), Wrong> {
        match condition {
            Condition::Never | Condition::Always | Condition::Stdin | Condition::CalledAs(_) => Ok(()),
            Condition::Has(reference) | Condition::Is(reference, _) => self.resolve(reference, at),
            Condition::Not(inner) => self.resolve_condition(inner, at),
            Condition::All(all) | Condition::Any(all) => {
                all.iter_mut().try_for_each(|inner| self.resolve_condition(inner, at))
            }
        }
    }

    /// Replaces an option's spelling by the canonical one, and checks that names are listed.
    fn resolve(&self, reference: &mut Reference, at: Location) -> Result<(), Wrong> {
        match reference {
            Reference::Option(name) => {
                *name = self.canonical(name).ok_or_else(|| {
                    Wrong(
                        at,
                        format!("the option `{name}` is used in a condition but not listed in `options` or `global`"),
                    )
                })?;
                Ok(())
            }
            Reference::Name(name) => {
                if let Some(option) = self.canonical(name) {
                    *reference = Reference::Option(option);
                    return Ok(());
                }
                let mut args = self.args.iter().chain(self.forms.iter().flat_map(|form| &form.args));
                if args.any(|arg| arg.name.as_ref() == Some(name)) {
                    return Ok(());
                }
                Err(Wrong(at, format!("`{name}` is neither a role nor the name of an argument")))
            }
            Reference::Arg(_)
            | Reference::AnyArg
            | Reference::Role(_)
            | Reference::Variable(_)
            | Reference::Subcommand
            | Reference::Literal(_) => Ok(()),
        }
    }

    fn canonical(&self, name: &str) -> Option<String> {
        if matches!(name, "--help" | "--version") {
            return Some(name.to_owned());
        }
        let listed = || self.options.iter().chain(self.global).chain(self.inherited);
        let spec = listed().find(|spec| spec.names.iter().any(|known| known == name)).or_else(|| {
            let taken_back = format!("--{}", name.strip_prefix("--no-")?);
            listed().find(|spec| spec.negatable && spec.names.contains(&taken_back))
        })?;
        if spec.names.iter().any(|known| known == name) { spec.names.first().cloned() } else { Some(name.to_owned()) }
    }
}

fn parsed<T>(text: &Spanned<String>, parse: impl Fn(&str) -> Result<T, String>) -> Result<T, Wrong> {
    parse(&text.value).map_err(|what| Wrong(text.referenced, what))
}

fn listed<T>(texts: Option<Spanned<Texts>>, parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Wrong> {
    each(texts).map(|(text, at)| parse(&text).map_err(|what| Wrong(at, what))).collect()
}

/// The texts of a list, each with its place.
fn each(texts: Option<Spanned<Texts>>) -> impl Iterator<Item = (String, Location)> {
    texts.into_iter().flat_map(|Spanned { value, referenced, .. }| {
        value.0.into_iter().map(move |(own, text)| (text, own.unwrap_or(referenced)))
    })
}

impl Clone for Nodes {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|(name, node)| (name.clone(), node.clone())).collect())
    }
}

impl<'de> Deserialize<'de> for Nodes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Nodes;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("programs by name")
            }
            fn visit_unit<E>(self) -> Result<Nodes, E> {
                Ok(Nodes::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Nodes, A::Error> {
                let mut nodes = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    nodes.push(entry);
                }
                Ok(Nodes(nodes))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Texts;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text or a list of texts")
            }
            fn visit_str<E>(self, text: &str) -> Result<Texts, E> {
                Ok(Texts(vec![(None, text.to_owned())]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element::<Spanned<String>>()? {
                    texts.push((Some(text.referenced), text.value));
                }
                Ok(Texts(texts))
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBool;
        impl Visitor<'_> for TextOrBool {
            type Value = Word;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a condition")
            }
            fn visit_str<E>(self, text: &str) -> Result<Word, E> {
                Ok(Word(text.to_owned()))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }
        }
        deserializer.deserialize_any(TextOrBool)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]
    use super::*;

    #[test]
    fn names_share_data_or_are_aliases_and_paths_nest() {
        let programs =
            read("x.yaml", "tofu, terraform|tf:\n  commands:\n    state rm|remove: {args: resource...}\n").unwrap();
        assert_eq!(programs.iter().map(|program| program.name.as_str()).collect::<Vec<_>>(), ["tofu", "terraform"]);
        assert!(programs[1].is_called("tf"));
        assert_eq!(
            told("tofu, terraform|tf: {commands: {state rm|remove: {args: resource...}}}", "state remove x"),
            "state rm"
        );
    }

    /// The subcommand that words lead to.
    fn told(yaml: &str, words: &str) -> String {
        let programs = read("x.yaml", yaml).unwrap();
        let mut node = &programs[0];
        let mut told = Vec::new();
        for word in words.split(' ') {
            let Some(command) = node.command(word) else { break };
            told.push(command.told(word).to_owned());
            let Body::Here(program) = &command.body else { break };
            node = program;
        }
        told.join(" ")
    }

    #[test]
    fn names_of_subcommands_may_be_patterns() {
        let yaml = "cloud:\n  commands:\n    db drop-index: {}\n    db drop-*: {}\n    '** delete': {}\n    db: {args: text}\n";
        assert_eq!(told(yaml, "db drop-table x"), "db drop-table");
        assert_eq!(told(yaml, "db drop-index"), "db drop-index");
        assert_eq!(told(yaml, "vm delete"), "");
        assert!(read("x.yaml", yaml).unwrap()[0].any_words().is_some());
    }

    #[test]
    fn errors_name_file_and_line() {
        for (text, wanted) in [
            ("rm:\n  args: dleet...\n", "x.yaml:2: `dleet` is not a role"),
            (
                "rm:\n  options: -f\n  effects:\n    - delete tree if -f\n    - delete tree if -r\n",
                "x.yaml:5: the option `-r`",
            ),
            ("rm:\n  effects: delete tree on branch\n", "x.yaml:2: `branch` is neither"),
            ("rm:\n  argz: x\n", "x.yaml:2:"),
            ("rm: {}\nrm: {}\n", "x.yaml:2:"),
            ("rm: {commands: {a: {}, a|b: {}}}\n", "x.yaml:1: `a` is described twice"),
        ] {
            let message = read("x.yaml", text).unwrap_err().to_string();
            assert!(message.starts_with(wanted), "{message}");
        }
    }
}
