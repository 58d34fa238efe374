//! What stands around a command: standard input, redirects, folder, frames, pipeline, scope.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests may panic")]

mod support;

use fourseam_shell::{Command, Frame, Piece, RedirectKind, Scope, Stdin, UnknownFrom, Word, parse};
use support::{line, lines, programs, read};

/// The first command of this program.
fn find<'a>(script: &'a fourseam_shell::Script, program: &str) -> &'a Command {
    script
        .commands
        .iter()
        .find(|command| command.words.first().is_some_and(|word| word.text() == program))
        .unwrap_or_else(|| panic!("no `{program}` in {:?}", lines(script)))
}

#[test]
fn texts_on_standard_input_are_known() {
    for (text, program, input) in [
        ("cat <<E\nhi $HOME\nE", "cat", "hi /home/ana\n"),
        ("cat <<'E'\nhi $HOME\nE", "cat", "hi $HOME\n"),
        ("cat <<-E\n\thi\n\t\tyou\n\tE\n", "cat", "hi\nyou\n"),
        ("cat <<E\na \\$x \\\\ \\q\nE", "cat", "a $x \\ \\q\n"),
        ("sh <<< 'ls -l'", "sh", "ls -l\n"),
        ("echo ls | sh", "sh", "ls\n"),
        ("printf '%s\\n' a b | sh -s", "sh", "a\nb\n"),
        ("cat <<E | grep x | sh\nls\nE", "grep", "ls\n"),
        ("echo bHM= | base64 -d | sh", "sh", "ls"),
        ("{ echo a; echo b; } | sh", "sh", "a\nb\n"),
        ("f() { echo ls; }; f | sh", "sh", "ls\n"),
        ("for i in 1 2; do echo ls $i; done | sh", "sh", "ls 1\nls 2\n"),
        ("sh < <(echo ls)", "sh", "ls\n"),
        ("echo ls > x; sh < x", "sh", "ls\n"),
        ("echo ls | tee >(sh) > /dev/null", "sh", "ls\n"),
        ("echo ls > >(sh)", "sh", "ls\n"),
        ("exec <<< ls; sh", "sh", "ls\n"),
        ("sh <&3 3<<< ls", "sh", "ls\n"),
        ("{ sh; } <<< ls", "sh", "ls\n"),
        ("ssh host.example.com <<E\nls\nE", "ssh", "ls\n"),
    ] {
        let script = read(text);
        match &find(&script, program).stdin {
            Stdin::Text(word) if word.literal() == Some(input) => {}
            other if text.contains("<&3") => {
                // The descriptor is opened after it is used, which bash refuses.
                assert!(matches!(other, Stdin::Inherited), "{text:?}: {other:?}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn other_inputs_are_named() {
    assert!(matches!(&find(&read("sh < file"), "sh").stdin, Stdin::File(word) if word.literal() == Some("file")));
    assert!(matches!(&find(&read("curl x | tee y | sh"), "sh").stdin, Stdin::Pipe(from) if from == &[1]));
    assert!(matches!(&find(&read("(curl x; date) | sh"), "sh").stdin, Stdin::Pipe(from) if from == &[0, 1]));
    assert!(matches!(&find(&read("ls; sh"), "sh").stdin, Stdin::Inherited));
}

#[test]
fn redirects_are_listed() {
    let script = read("ls >a 2>>b <c 2>&1 &>d &>>e >|f <>g >&h 3>&- {fd}>i");
    let kinds: Vec<(RedirectKind, Option<u32>, String)> = script.commands[0]
        .redirects
        .iter()
        .map(|redirect| (redirect.kind, redirect.fd, redirect.target.text()))
        .collect();
    let wanted = [
        (RedirectKind::Write, None, "a"),
        (RedirectKind::Append, Some(2), "b"),
        (RedirectKind::Read, None, "c"),
        (RedirectKind::Duplicate, Some(2), "1"),
        (RedirectKind::WriteBoth, None, "d"),
        (RedirectKind::AppendBoth, None, "e"),
        (RedirectKind::Clobber, None, "f"),
        (RedirectKind::ReadWrite, None, "g"),
        (RedirectKind::WriteBoth, None, "h"),
        (RedirectKind::Duplicate, Some(3), "-"),
        (RedirectKind::Write, Some(10), "i"),
    ];
    assert_eq!(kinds, wanted.map(|(kind, fd, target)| (kind, fd, target.to_owned())));
    let script = read("{ ls; } > out");
    assert!(script.commands[0].words.is_empty() && script.commands[0].redirects[0].target.literal() == Some("out"));
}

#[test]
fn the_working_folder_is_followed() {
    for (text, folder) in [
        ("here", Some("/home/ana/project")),
        ("cd /tmp; here", Some("/tmp")),
        ("cd src && here", Some("/home/ana/project/src")),
        ("cd ..; here", Some("/home/ana")),
        ("cd ../../..; here", Some("/")),
        ("cd; here", Some("/home/ana")),
        ("cd ~/x; here", Some("/home/ana/x")),
        ("cd -- /tmp; here", Some("/tmp")),
        ("cd /tmp; cd -; here", Some("/home/ana/project")),
        ("(cd /tmp); here", Some("/home/ana/project")),
        ("(cd /tmp; here)", Some("/tmp")),
        ("pushd /tmp; here", Some("/tmp")),
        ("pushd /tmp; popd; here", Some("/home/ana/project")),
        ("pushd /a; pushd /b; pushd; here", Some("/a")),
        ("cd $nowhere; here", None),
        ("cd \"$X\"; here", None),
        ("cd $(mktemp -d); here", None),
        ("f() { cd /tmp; }; f; here", Some("/tmp")),
        ("builtin cd /tmp; here", Some("/tmp")),
        ("X=/tmp; cd $X/a; here", Some("/tmp/a")),
        ("cd /tmp | cat; (here)", Some("/home/ana/project")),
        ("eval 'cd /tmp'; here", Some("/tmp")),
        ("cd /tmp; here=$PWD; cd /; here $here", Some("/")),
    ] {
        let script = read(text);
        let command = find(&script, "here");
        assert_eq!(command.cwd.as_ref().map(Word::text).as_deref(), folder, "{text:?}");
    }
    // A folder that may be either: both are written down.
    let script = read("if x; then cd /tmp; fi; here");
    let folders: Vec<_> = script
        .commands
        .iter()
        .filter(|command| line(command) == "here")
        .map(|command| command.cwd.clone().unwrap().text())
        .collect();
    assert_eq!(folders, ["/tmp", "/home/ana/project"]);
}

#[test]
fn frames_say_where_a_command_stands() {
    let function = |name: &str| Frame::Function(name.to_owned());
    for (text, frames) in [
        ("here", vec![]),
        ("(here)", vec![Frame::Subshell]),
        ("{ here; }", vec![Frame::Group]),
        ("for i in 1; do here; done", vec![Frame::Loop]),
        ("if here; then :; fi", vec![Frame::Condition]),
        ("true && here", vec![Frame::Condition]),
        ("case x in x) here;; esac", vec![Frame::Condition]),
        ("echo $(here)", vec![Frame::Substitution]),
        ("echo `here`", vec![Frame::Substitution]),
        ("cat <(here)", vec![Frame::ProcessSubstitution]),
        ("cat <<E\n$(here)\nE", vec![Frame::Heredoc, Frame::Substitution]),
        ("eval here", vec![Frame::Eval]),
        ("trap here EXIT", vec![Frame::Trap]),
        ("coproc here", vec![Frame::Coproc]),
        ("f() { here; }; f", vec![function("f"), Frame::Group]),
        ("f() { here; }", vec![Frame::FunctionDefinition("f".to_owned()), Frame::Group]),
        ("f() ( $(here) ); f", vec![function("f"), Frame::Subshell, Frame::Substitution]),
        ("alias x=here; x", vec![Frame::Alias("x".to_owned())]),
    ] {
        let script = read(text);
        assert_eq!(find(&script, "here").inside, frames, "{text:?}");
    }
}

#[test]
fn pipelines_are_numbered() {
    let script = read("a | { b; c; } | d; e & ! f");
    let places: Vec<(String, u32, u32)> =
        script.commands.iter().map(|command| (line(command), command.pipeline.index, command.pipeline.len)).collect();
    let wanted = [("a", 0, 3), ("b", 1, 3), ("c", 1, 3), ("d", 2, 3), ("e", 0, 1), ("f", 0, 1)];
    assert_eq!(places, wanted.map(|(name, index, len)| (name.to_owned(), index, len)));
    let ids: Vec<u32> = script.commands.iter().map(|command| command.pipeline.id).collect();
    assert!(ids[0] == ids[3] && ids[3] != ids[4] && ids[4] != ids[5]);
    assert!(find(&script, "e").background && find(&script, "f").negated && !find(&script, "f").background);
}

#[test]
fn unknown_parts_say_where_they_come_from() {
    for (text, from) in [
        ("here $X", UnknownFrom::Variable("X".to_owned())),
        ("here $(date)", UnknownFrom::Output(vec![1])),
        ("X=$(date); here $X", UnknownFrom::Assigned { name: "X".to_owned(), commands: vec![1] }),
        ("Y=$X; here $Y", UnknownFrom::Variable("X".to_owned())),
        ("curl x | while read l; do here $l; done", UnknownFrom::Assigned { name: "l".to_owned(), commands: vec![0] }),
        ("here <(date)", UnknownFrom::Process(vec![1])),
        ("here $1", UnknownFrom::Other),
        ("here $?", UnknownFrom::Other),
        ("here ${X%.txt}", UnknownFrom::Variable("X".to_owned())),
    ] {
        let script = read(text);
        let found: Vec<UnknownFrom> =
            find(&script, "here").words[1].unknowns().map(|unknown| unknown.from.clone()).collect();
        assert_eq!(found, [from], "{text:?}");
    }
    let splits = |text: &str| find(&read(text), "here").words[1].unknowns().next().unwrap().may_split;
    assert!(splits("here $X") && !splits("here \"$X\"") && splits("here \"$@\""));
    let script = read("here a\"$X\"/*.[ch]");
    let word = &find(&script, "here").words[1];
    assert!(
        matches!(word.pieces.as_slice(), [Piece::Literal(a), Piece::Unknown(_), Piece::Literal(slash), Piece::Glob(star), Piece::Literal(dot), Piece::Glob(set)]
        if a == "a" && slash == "/" && star == "*" && dot == "." && set == "[ch]"),
        "{word:?}"
    );
}

#[test]
fn a_child_shell_knows_what_was_exported() {
    let script = read("A=1; export B=2; f() { :; }; C=3 sh -c x");
    let child = find(&script, "sh").scope.exported();
    let words = |text: &str| lines(&parse(text, &child));
    assert_eq!(words("here $B $C"), ["here 2 3"]);
    assert_eq!(words("here $A"), ["here"], "not exported");
    assert_eq!(words("here ~ $HOME"), ["here /home/ana /home/ana"]);
    assert_eq!(words("f"), ["f"], "functions are not passed on");
    let script = read("X=1 here $X");
    assert!(find(&script, "here").words[1].literal().is_none(), "the words are expanded before the assignment");
}

#[test]
fn a_scope_is_what_the_text_starts_with() {
    let scope = Scope::default().with_variable("X", "a b").with_unset("Y").with_cwd("/srv");
    let positional = scope.clone().with_positional(&[Word::known("one", fourseam_shell::Span::default())]);
    assert_eq!(lines(&parse("here $X \"$X\" $Y\"$Y\" $PWD", &scope)), ["here a b [a b] [] /srv"]);
    assert_eq!(lines(&parse("here $1 $# \"$@\" $2", &positional)), ["here one 1 one"]);
    assert_eq!(programs(&parse("${Y:-ls} $1", &scope)), ["ls"]);
}

#[test]
fn files_the_text_wrote_can_be_looked_up() {
    let script =
        read("cat > run.sh <<'E'\nls /\nE\necho pwd >> run.sh; chmod +x run.sh; bash run.sh; cd /; bash run.sh");
    let known: Vec<Option<String>> = script
        .commands
        .iter()
        .filter(|command| line(command) == "bash run.sh")
        .map(|command| command.scope.file(&command.words[1]).map(|text| text.text()))
        .collect();
    assert_eq!(known, [Some("ls /\npwd\n".to_owned()), None]);
    let script = read("echo ls > a; sed -i s/x/y/ a; bash a");
    let bash = find(&script, "bash");
    assert!(bash.scope.file(&bash.words[1]).unwrap().literal().is_none(), "changed by a program that is not followed");
}

/// What bash makes of one line, word by word.
#[test]
fn words_are_expanded() {
    for (text, wanted) in [
        (
            "here a{b,c}d {1..3} {a..c} {01..03} {3..1} {x} {a,b}{c,d}",
            "here abd acd 1 2 3 a b c 01 02 03 3 2 1 {x} ac ad bc bd",
        ),
        ("here \"a b\"'c d'\\ e$'\\tf'", "here [a bc d e\tf]"),
        ("here ~ ~/x \"~\" x~ a=~/b ~root/x", "here /home/ana /home/ana/x ~ x~ a=/home/ana/b ~root/x"),
        (
            "X=a.tar.gz; here ${X%.*} ${X%%.*} ${X#*.} ${X##*.} ${X/a/b} ${X//a/b} ${X/#a/b} ${X/%gz/x}",
            "here a.tar a tar.gz gz b.tar.gz b.tbr.gz b.tar.gz a.tar.x",
        ),
        ("X=hello; here ${X:1:3} ${X: -2} ${X:0:-1} ${#X} ${X^} ${X^^} ${X,,}", "here ell lo hell 5 Hello HELLO hello"),
        ("X=; here ${X:-a} ${X-b} ${X:+c} ${X+d} \"$X\"", "here a d []"),
        ("here $((1 + 2 * 3)) $((7 / 2)) $((2 ** 5)) $((0x1f)) $((5 > 3 ? 1 : 2)) $((-7 % 3))", "here 7 3 32 31 1 -1"),
        (
            "a=(x \"y z\"); here \"${a[@]}\" ${a[@]} \"${a[*]}\" ${#a[@]} ${a[1]} ${a[-1]}",
            "here x [y z] x y z [x y z] 2 y z y z",
        ),
        ("set -- a 'b c'; here \"$@\" $* $# $1 \"$2\"", "here a [b c] a b c 2 a [b c]"),
        ("X='a  b'; here $X \"$X\"", "here a b [a  b]"),
        ("IFS=:; X=a::b; here $X", "here a [] b"),
        ("X='*'; here \"$X\"", "here *"),
        ("here $(echo a b) \"$(echo a b)\" `echo c`", "here a b [a b] c"),
        ("here \"$(printf 'a\\n\\n')\"x", "here ax"),
        ("X=a; Y=X; here ${!Y}", "here a"),
        ("i=5; ((i++)); here $i $((i += 2)) $i", "here 6 8 8"),
        ("here \\a \\\\ \"\\a\" \"\\\\\" '\\\\'", "here a \\ \\a \\ \\\\"),
        ("here a\\\nb \\\n c", "here ab c"),
        ("here $'\\101\\x42\\u0043\\e[0m\\'' ", "here ABC\u{1b}[0m'"),
        ("X=1; X+=2; here $X; declare -i N=2+3; here $N", "here 12"),
    ] {
        let script = read(text);
        let found = lines(&script);
        assert!(found.iter().any(|line| line == wanted), "{text:?}: {found:#?}");
    }
}

/// What zsh reads and bash does not.
#[test]
fn zsh_is_read_where_it_differs() {
    for text in [
        "for x (a b) here $x",
        "for x (a b); do here $x; done",
        "diff =(here a) b",
        "=here a",
        "repeat 3 here a",
        "{ ls; } always { here a; }",
        "here a &|",
        "here a &!",
        "f() here a; f",
        "echo a | read x; here $x",
        "ls >>| out; here a",
    ] {
        let script = read(text);
        assert!(lines(&script).iter().any(|line| line == "here a"), "{text:?}: {:?}", lines(&script));
        assert!(
            script.opaque.iter().all(|opaque| opaque.why != fourseam_shell::Why::Syntax),
            "{text:?}: {:?}",
            script.opaque
        );
    }
    for text in ["here ${(f)x}", "${=x}", "if [[ a ]] { here a }", "foreach x (a); here a; end"] {
        let script = read(text);
        let said = !script.opaque.is_empty()
            || script.commands.iter().any(|command| command.words.iter().any(|word| word.literal().is_none()));
        assert!(said, "{text:?}: {:?}", lines(&script));
    }
}

/// Long loops over numbers and nested loops stay readable: nothing of them is opaque.
#[test]
fn ordinary_loops_are_not_too_much() {
    for text in [
        "for i in {1..1000}; do curl -s http://localhost:3000/$i; done",
        "for i in $(seq 1 200); do echo $i; done",
        "for i in {1..50}; do for j in {1..50}; do echo $i $j; done; done",
        "for i in {a..z}; do for j in {a..z}; do for k in 1 2 3; do echo $i$j$k; done; done; done",
        "while true; do for f in *.txt; do echo \"$f\"; done; sleep 1; done",
        "touch file{1..500}.txt",
    ] {
        let script = read(text);
        assert!(script.opaque.is_empty(), "{text:?}: {:?}", script.opaque);
        assert!(script.commands.len() < 4_000, "{text:?}: {}", script.commands.len());
    }
    let script = read("a=(x x /); for i in {0..99}; do here ${a[i]}; done");
    assert!(lines(&script).contains(&"here /".to_owned()));
}
