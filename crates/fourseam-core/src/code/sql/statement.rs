//! What a sequence of statements comes to: acts in order, transactions, temporary tables.

use super::class::{
    MOST_PARTS, altered, at_depth_zero, called, created, dropped, explained, is_unbounded, object_name, parts, pragma,
    set, skip_open, worse,
};
use super::lex::Token;
use super::verbs;
use super::{MAX_DEPTH, nested};
use crate::analysis::{EffectKind, SqlClass, UnknownClass};
use crate::code::{Act, ActTarget, Language, Reading, Text, shorten};

/// One statement.
pub(super) struct Statement<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Canonical text.
    pub(super) text: String,
}

/// What the statements of a text have come to so far.
pub(super) struct Session {
    pub(super) reading: Reading,
    /// Index of the first act of the open transaction.
    transaction: Option<usize>,
    temporary: Vec<String>,
    reads: String,
    depth: usize,
}

impl Session {
    pub(super) fn new(depth: usize) -> Self {
        Self { reading: Reading::default(), transaction: None, temporary: Vec::new(), reads: String::new(), depth }
    }

    /// Takes in one statement.
    pub(super) fn statement(&mut self, statement: &Statement<'_>) {
        let tokens = statement.tokens.as_slice();
        let class = self.class(tokens);
        self.remember_temporary(tokens);
        if class == SqlClass::Read {
            self.read_only(&statement.text);
        } else {
            self.reading.act(Act::Sql { class, text: statement.text.clone() });
        }
        self.transaction(tokens, class);
    }

    /// Notes a statement or meta command that only reads.
    pub(super) fn read_only(&mut self, text: &str) {
        if self.reads.len() < 200 {
            if !self.reads.is_empty() {
                self.reads.push_str("; ");
            }
            self.reads.push_str(text);
        }
    }

    /// Everything that was said.
    pub(super) fn finish(mut self) -> Reading {
        if !self.reads.is_empty() {
            self.reading.act(Act::Sql { class: SqlClass::Read, text: shorten(&self.reads) });
        }
        self.reading
    }

    fn transaction(&mut self, tokens: &[Token<'_>], class: SqlClass) {
        let Some(first) = tokens.first() else { return };
        let opens = first.is("START") || (first.is("BEGIN") && class == SqlClass::Read && tokens.len() < 8);
        if opens {
            self.transaction = Some(self.reading.acts.len());
        } else if first.is_any(&["COMMIT", "END"]) {
            self.transaction = None;
        } else if first.is_any(&["ROLLBACK", "ABORT"]) && !tokens.iter().any(|token| token.is("TO")) {
            let start = self.transaction.take().unwrap_or(usize::MAX);
            for act in self.reading.acts.iter_mut().skip(start) {
                roll_back(act);
            }
        }
    }

    fn remember_temporary(&mut self, tokens: &[Token<'_>]) {
        let temporary = tokens.iter().take(5).any(|token| token.is_any(&["TEMP", "TEMPORARY"]));
        if temporary && tokens.first().is_some_and(|token| token.is("CREATE")) && self.temporary.len() < 64 {
            self.temporary.extend(object_name(tokens).map(str::to_lowercase));
        }
    }

    fn class(&mut self, tokens: &[Token<'_>]) -> SqlClass {
        if let Some(rest) = explained(tokens) {
            return rest.map_or(SqlClass::Read, |rest| self.class(rest));
        }
        let parts = parts(tokens);
        if parts.len() > MOST_PARTS {
            self.reading.doubt(UnknownClass::Limit, "more statements in one than are told");
        }
        parts.into_iter().map(|part| self.part(part)).fold(SqlClass::Read, worse)
    }

    /// The class of a part that begins with its verb.
    fn part(&mut self, tokens: &[Token<'_>]) -> SqlClass {
        let tokens = skip_open(tokens);
        let Some(first) = tokens.first() else { return SqlClass::Read };
        let verb = first.source.to_ascii_uppercase();
        let class = match verb.as_str() {
            "DROP" => dropped(tokens),
            "TRUNCATE" => SqlClass::Truncate,
            "DELETE" | "UPDATE" if is_unbounded(tokens) => SqlClass::Unbounded,
            "DELETE" | "UPDATE" => SqlClass::Write,
            "CREATE" => created(tokens),
            "ALTER" => altered(tokens),
            "SET" => set(tokens),
            "PRAGMA" => pragma(tokens),
            "COPY" => self.copy(tokens),
            "ATTACH" => self.attach(tokens),
            "DO" => self.block(tokens),
            "EXEC" | "EXECUTE" | "PREPARE" | "XP_CMDSHELL" => self.execute(tokens),
            "INSERT" if tokens.get(1).is_some_and(|token| token.is("OVERWRITE")) => SqlClass::Unbounded,
            "SELECT" | "WITH" => self.selected(tokens),
            "RESET" if tokens.get(1).is_some_and(|token| token.is_any(&["MASTER", "BINARY"])) => SqlClass::Drop,
            "LOAD" if !tokens.iter().any(|token| token.is("INTO")) => SqlClass::Execute,
            "DETACH" if tokens.iter().any(|token| token.is("PERMANENTLY")) => SqlClass::Drop,
            other => verbs::plain(other).unwrap_or(SqlClass::Unknown),
        };
        let class = worse(class, called(tokens));
        let names_temporary = object_name(tokens)
            .is_some_and(|name| name.starts_with('#') || self.temporary.contains(&name.to_lowercase()));
        if names_temporary && class != SqlClass::Execute { SqlClass::Write } else { class }
    }

    fn selected(&self, tokens: &[Token<'_>]) -> SqlClass {
        let mut class = SqlClass::Read;
        for (token, next) in at_depth_zero(tokens).zip(at_depth_zero(tokens).skip(1)) {
            if token.is("INTO") && next.is_any(&["OUTFILE", "DUMPFILE"]) {
                class = worse(class, SqlClass::Execute);
            } else if token.is("INTO") && self.depth == 0 && !next.source.starts_with('@') {
                class = worse(class, SqlClass::Write);
            }
        }
        class
    }

    /// `COPY t TO|FROM 'file' | PROGRAM 'command' | STDIN`.
    fn copy(&mut self, tokens: &[Token<'_>]) -> SqlClass {
        let out = at_depth_zero(tokens).any(|token| token.is("TO"));
        if let Some(at) = tokens.iter().position(|token| token.is("PROGRAM")) {
            match tokens.get(at + 1).and_then(Token::string) {
                Some(command) => self.shell(command),
                None => self.reading.doubt(UnknownClass::ShellCode, "copy program"),
            }
            return SqlClass::Execute;
        }
        let direction = at_depth_zero(tokens).skip_while(|token| !token.is_any(&["TO", "FROM"])).nth(1);
        let Some(file) = direction.and_then(Token::string) else {
            return if out { SqlClass::Read } else { SqlClass::Write };
        };
        if out {
            self.path(EffectKind::Overwrite, "overwrite", file);
            SqlClass::Read
        } else {
            self.path(EffectKind::Read, "read", file);
            SqlClass::Write
        }
    }

    fn attach(&mut self, tokens: &[Token<'_>]) -> SqlClass {
        if let Some(file) = tokens.iter().find_map(Token::string).filter(|file| !file.starts_with(':')) {
            self.path(EffectKind::Write, "attach", file);
        }
        SqlClass::Read
    }

    /// `DO $$ .. $$ LANGUAGE x`.
    fn block(&mut self, tokens: &[Token<'_>]) -> SqlClass {
        let Some(body) = tokens.iter().find_map(Token::string) else { return SqlClass::Read };
        let language = tokens.iter().skip_while(|token| !token.is("LANGUAGE")).nth(1).and_then(Token::name);
        match language.map(str::to_ascii_lowercase).as_deref() {
            None | Some("plpgsql" | "sql") => self.inner(body),
            Some(other) => {
                match other {
                    "plpython3u" | "plpythonu" => self.code(Language::Python, body),
                    "plperlu" | "plperl" => self.code(Language::Perl, body),
                    "plsh" => self.shell(body),
                    _ => self.reading.doubt(UnknownClass::Code, body),
                }
                SqlClass::Execute
            }
        }
    }

    /// `EXECUTE 'text'`, `EXEC ('text')`, `EXEC procedure`, `PREPARE x AS ..`.
    fn execute(&mut self, tokens: &[Token<'_>]) -> SqlClass {
        let shell = tokens.iter().position(|token| token.name().is_some_and(|n| n.eq_ignore_ascii_case("xp_cmdshell")));
        if let Some(at) = shell {
            match tokens.iter().skip(at).find_map(Token::string) {
                Some(command) => self.code(Language::Cmd, command),
                None => self.reading.doubt(UnknownClass::ShellCode, "xp_cmdshell"),
            }
            return SqlClass::Execute;
        }
        if let Some(at) = tokens.iter().position(|token| token.is("AS")).filter(|_| tokens.len() > 3) {
            return tokens.get(at + 1..).map_or(SqlClass::Unknown, |rest| self.class(rest));
        }
        let texts: Vec<&str> = tokens.iter().filter_map(Token::string).collect();
        let named = tokens.get(1).and_then(Token::name).filter(|name| !name.starts_with('@'));
        match named.map(str::to_ascii_lowercase).as_deref() {
            Some("sp_executesql" | "immediate" | "format" | "concat" | "statement") | None if !texts.is_empty() => {
                self.inner(&texts.join(" "))
            }
            Some("sp_configure" | "sp_addlogin" | "sp_addsrvrolemember" | "sp_addrolemember") => SqlClass::Grant,
            Some("sp_executesql" | "immediate" | "format" | "concat" | "statement") | None => SqlClass::Unknown,
            Some(name) if name.starts_with("sp_help") || name.starts_with("sp_who") || name.starts_with("sp_col") => {
                SqlClass::Read
            }
            Some(_) if tokens.iter().any(|token| token.is("FROM")) && texts.is_empty() => SqlClass::Unknown,
            Some(_) if tokens.iter().any(|token| token.is("FROM")) => self.inner(&texts.join(" ")),
            Some(_) => SqlClass::Write,
        }
    }

    /// Statements inside a statement; their acts are told, and what they come to.
    fn inner(&mut self, text: &str) -> SqlClass {
        if self.depth >= MAX_DEPTH {
            self.reading.doubt(UnknownClass::Limit, text);
            return SqlClass::Unknown;
        }
        let inner = nested(text, self.depth + 1);
        let classes = inner.acts.iter().filter_map(|act| match act {
            Act::Sql { class, .. } => Some(*class),
            Act::Effect { .. } | Act::Shell { .. } | Act::Command { .. } | Act::Code { .. } => None,
        });
        let class = classes.fold(SqlClass::Read, worse);
        let told = inner.acts.into_iter().filter(|act| !matches!(act, Act::Sql { .. })).collect();
        self.reading.merge(Reading { acts: told, unknowns: inner.unknowns });
        class
    }

    /// An effect on a file named by a statement or meta command.
    pub(super) fn path(&mut self, kind: EffectKind, verb: &'static str, file: &str) {
        let target = ActTarget::Path(Text::known(file));
        self.reading.act(Act::Effect { kind, verb, target, recursive: false, taint: Vec::new() });
    }

    /// A shell command named by a statement or meta command.
    pub(super) fn shell(&mut self, text: &str) {
        self.reading.act(Act::Shell { text: text.trim().to_owned(), known: true, taint: Vec::new() });
    }

    fn code(&mut self, language: Language, text: &str) {
        self.reading.act(Act::Code { language, text: text.trim().to_owned() });
    }
}

fn roll_back(act: &mut Act) {
    if let Act::Sql { class, text } = act
        && matches!(class, SqlClass::Write | SqlClass::Unbounded)
    {
        *class = SqlClass::Read;
        text.push_str(" -- rolled back");
    }
}
