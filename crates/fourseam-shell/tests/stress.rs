//! Inputs that break parsers: no crash, no hang, never silent.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run programs")]
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests may panic")]

mod support;

use std::time::{Duration, Instant};
use support::read;

/// Far above what is allowed, since tests are not optimised and machines are busy. A hang is minutes.
const LIMIT: Duration = Duration::from_secs(8);

fn repeat(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

fn inputs() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| all.push((name.to_owned(), text));
    for n in [40, 300, 3_000, 12_000] {
        for (name, open, inner, close) in [
            ("subshells", "( ", "ls", " )"),
            ("subshells, no blanks", "(", "ls", ")"),
            ("substitutions", "echo $(", "ls", ")"),
            ("quoted substitutions", "echo \"$(", "ls", ")\""),
            ("groups", "{ ", "ls;", " };"),
            ("defaults", "echo ${a:-", "$(ls)", "}"),
            ("trims", "echo ${a#", "$(ls)", "}"),
            ("replacements", "echo ${a/", "$(ls)", "/}"),
            ("arithmetic", "echo $((", "1", "))"),
            ("arithmetic that is none", "echo $((", "ls) ", ")"),
            ("conditions", "if true; then ", "ls;", " fi;"),
            ("loops", "for i in 1 2 3; do ", "ls;", " done;"),
            ("while loops", "while true; do X=$X/a; ", "ls;", " done;"),
            ("cases", "case a in a) ", "ls", ";; esac"),
            ("tests", "[[ ( ", "a", " ) ]]"),
            ("processes", "cat <(", "ls", ")"),
            ("functions", "f() { ", "ls;", " };"),
            ("arrays", "a=( $(", "ls", ") )"),
            ("subscripts", "echo ${a[", "1", "]}"),
            ("evals", "eval ", "ls", ""),
            ("braces", "{a,", "b", "}"),
            ("bangs", "! ", "ls", ""),
            ("coprocesses", "coproc ", "ls", ""),
            ("backticks", "echo `", "ls", "`"),
            ("double quotes", "\"$(\"", "ls", "\")\""),
            ("globs", "echo @(", "a", ")"),
        ] {
            add(&format!("{n} {name}"), repeat(open, inner, close, n));
            add(&format!("{n} unclosed {name}"), open.repeat(n));
            add(&format!("{n} closing {name}"), close.repeat(n));
        }
    }
    let n = 10_000;
    add("pipes", vec!["cat"; n].join(" | "));
    add("ands", vec!["true"; n].join(" && "));
    add("commands", vec!["true"; n].join("; "));
    add("lines", vec!["echo $x | grep -v y > /tmp/z && rm \"$x\""; 1_500].join("\n"));
    add("doubling", format!("X=ab\n{}echo $X", "X=$X$X\n".repeat(200)));
    add("doubling array", format!("X=(a b)\n{}echo ${{X[@]}}", "X=(${X[@]} ${X[@]})\n".repeat(200)));
    add("brace products", format!("echo {}", "{a,b}".repeat(3_000)));
    add("brace ranges", "echo {1..999999999} {a..z}{a..z}{a..z}{a..z}".to_owned());
    add(
        "values",
        format!("{}rm $A$B$C$D$E", "if x; then A=1 B=2 C=3 D=4 E=5; else A=6 B=7 C=8 D=9 E=0; fi;".repeat(50)),
    );
    add(
        "functions that call",
        (0..40).map(|at| format!("f{at}() {{ f{0}; f{0}; }}; ", at + 1)).collect::<String>() + "f0",
    );
    add("recursion", ":(){ :|:& };:".to_owned());
    add("eval of eval", format!("X='eval \"$X\"'; {}", "eval \"$X\";".repeat(500)));
    add("aliases", (0..40).map(|at| format!("alias a{at}='a{0}; a{0}'\n", at + 1)).collect::<String>() + "a0");
    add("traps", format!("trap 'trap \"ls\" EXIT; {}' EXIT", "ls;".repeat(500)));
    add(
        "heredocs",
        format!(
            "cat {}\n{}",
            (0..900).map(|at| format!("<<E{at} ")).collect::<String>(),
            (0..900).map(|at| format!("x\nE{at}\n")).collect::<String>()
        ),
    );
    add("unclosed heredocs", "cat <<E\n$(cat <<E\n".repeat(2_000));
    add("heredoc of openers", format!("cat <<E\n{}\nE\n", "$( ${ ` $(( ".repeat(2_000)));
    add("quotes", "'\"".repeat(20_000));
    add("dollars", "$".repeat(50_000));
    add("backslashes", format!("echo {}", "\\".repeat(50_001)));
    add("assignments", (0..4_000).map(|at| format!("V{at}=$V{at}x; ")).collect());
    add("long pattern", format!("X={}; echo ${{X//*a*a*a*a*b/}} ${{X##*a*a*a*b}}", "a".repeat(900)));
    add("arithmetic chain", format!("echo $(({}))", vec!["1"; 20_000].join("+")));
    add("arithmetic signs", format!("echo $(({}1))", "-~!".repeat(20_000)));
    add(
        "arithmetic names",
        format!("{}echo $((a0))", (0..3_000).map(|at| format!("a{at}=a{}; ", at + 1)).collect::<String>()),
    );
    add("nul", "echo a\0b; rm x\0; \0rm y".to_owned());
    add("marks", "\u{feff}ls; \u{a0}rm x; r\u{200b}m y".to_owned());
    all
}

/// Every input ends in time, gives bounded output, and either has commands, an opaque part, or nothing to run.
#[test]
fn no_input_breaks_the_reader() {
    let mut slow = Vec::new();
    for (name, text) in inputs() {
        let start = Instant::now();
        let script = read(&text);
        let elapsed = start.elapsed();
        if elapsed > Duration::from_millis(100) {
            slow.push(format!(
                "{name}: {} ms, {} bytes, {} commands",
                elapsed.as_millis(),
                text.len(),
                script.commands.len()
            ));
        }
        assert!(elapsed < LIMIT, "{name} took {elapsed:?}");
        assert!(script.commands.len() < 100_000, "{name}: {} commands", script.commands.len());
        // `((((ls))))` is arithmetic, `[[ ... ]]` tests, and brackets alone run nothing.
        let runs_nothing = !text.contains("ls") || name.contains("no blanks") || name.contains("tests");
        assert!(runs_nothing || !script.commands.is_empty() || !script.opaque.is_empty(), "{name} is silent");
    }
    slow.iter().for_each(|line| println!("{line}"));
}
