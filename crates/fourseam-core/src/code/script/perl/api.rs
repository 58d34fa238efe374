//! What Perl's built-in functions and common modules do. `CORE::` and `main::` are left out of names.

use super::super::eval::{Args, Evaluator, Profile};
use super::super::meaning::{Decoding, Meaning, Meaning::*};
use super::super::parse::parse;
use super::super::text_ops;
use super::super::value::{Shape, Taints, Value};
use super::SYNTAX;
use crate::analysis::EffectKind;

pub(in super::super) static PROFILE: Profile = Profile {
    parse: |text, work| parse(text, &SYNTAX, work),
    special,
    functions: FUNCTIONS,
    methods: METHODS,
    path_methods: &[],
    concat: &["."],
    slash_joins: false,
    text_is_callable: true,
    everything_is_a_call: false,
    expands_home: false,
    normal,
};

fn normal(path: &str) -> String {
    ["CORE::GLOBAL::", "CORE::", "main::", "POSIX::"]
        .iter()
        .fold(path, |path, prefix| path.strip_prefix(prefix).unwrap_or(path))
        .to_owned()
}

/// Functions whose arguments have a form of their own.
fn special(evaluator: &mut Evaluator, name: &str, args: &Args) -> Option<Value> {
    let first = args.positional.first().cloned();
    match name {
        "open" => Some(open(evaluator, args)),
        "map" | "grep" | "sort" | "first" | "any" | "all" => {
            let block = first.filter(|value| matches!(value.shape, Shape::Function(_)))?;
            let rest = args.positional.iter().skip(1);
            let elements = rest.flat_map(|value| value.elements().unwrap_or_else(|| vec![value.clone()]));
            let elements: Vec<Value> = elements.take(256).collect();
            let results: Vec<Value> =
                elements.iter().map(|element| evaluator.apply(&block, &Args::of(vec![element.clone()]))).collect();
            Some(Value::list(if name == "map" { results } else { elements }))
        }
        "shift" | "pop" => {
            let list = match first {
                Some(list) => list,
                None => evaluator.variable_named("@_"),
            };
            let mut items = list.elements().unwrap_or_default();
            if items.is_empty() {
                return Some(Value::unknown("argument").tainted(list.taint));
            }
            let taken = if name == "shift" { items.remove(0) } else { items.pop().unwrap_or_else(Value::null) };
            if args.positional.is_empty() {
                evaluator.set_fresh("@_", Value::list(items));
            }
            Some(taken)
        }
        "unlink" | "rmdir" | "print" | "eval" | "lc" | "uc" | "chomp" | "ord" | "chr" if args.positional.is_empty() => {
            let it = evaluator.variable_named("$_");
            evaluator.meaning(name).map(|meaning| evaluator.carry_out(meaning, name, &Args::of(vec![it])))
        }
        "IO::Socket::INET.new" | "IO::Socket::SSL.new" | "IO::Socket::IP.new" => {
            let named = args
                .positional
                .iter()
                .position(|value| value.literal().is_some_and(|name| matches!(name.as_str(), "PeerAddr" | "PeerHost")));
            let host = args.positional.get(named.map_or(0, |at| at + 1)).cloned();
            Some(evaluator.connect(&Args::of(host.into_iter().collect()), 0))
        }
        "pack" => {
            let format = first.and_then(|format| format.literal())?;
            let rest: Vec<Value> = args
                .positional
                .iter()
                .skip(1)
                .flat_map(|value| value.elements().unwrap_or_else(|| vec![value.clone()]))
                .collect();
            text_ops::pack(&rest, &format).or_else(|| Some(Value::unknown("pack").tainted(args.taint())))
        }
        "unpack" if first.as_ref().and_then(Value::literal).is_some_and(|format| format.starts_with('u')) => {
            Some(Value::unknown("unpack").tainted(Taints::DECODED))
        }
        _ => None,
    }
}

/// `open(H, mode, path)`, `open(H, ">path")`, `open(H, "command |")`.
fn open(evaluator: &mut Evaluator, args: &Args) -> Value {
    let handle = args.positional.first().cloned().unwrap_or_else(Value::null);
    let mode = args.positional.get(1).cloned().unwrap_or_else(Value::null);
    let mode_text = mode.as_text().display();
    let trimmed = mode_text.trim();
    let value = match args.positional.get(2) {
        Some(_) if trimmed.contains('|') => {
            let words = Args::of(args.positional.iter().skip(2).cloned().collect());
            evaluator.carry_out(Meaning::System, "open", &words)
        }
        Some(path) => {
            let path = path.clone();
            opened(evaluator, trimmed, &path)
        }
        None if trimmed.starts_with('|') || trimmed.ends_with('|') => {
            let text = cut(&mode, |text| text.trim().trim_matches('|').to_owned());
            evaluator.carry_out(Meaning::System, "open", &Args::of(vec![text]))
        }
        None => {
            let sign: String = trimmed.chars().take_while(|c| matches!(c, '<' | '>' | '+')).collect();
            let path = cut(&mode, |text| text.trim_start_matches([' ', '<', '>', '+']).to_owned());
            opened(evaluator, &sign, &path)
        }
    };
    if let Shape::Unknown(name) = &handle.shape
        && name.starts_with('$')
    {
        evaluator.set(name, value.clone());
        evaluator.set(&format!("$<{name}>"), value.clone());
    } else if let Shape::Library(name) = &handle.shape {
        evaluator.set(&format!("$<{name}>"), value.clone());
    }
    value
}

fn opened(evaluator: &mut Evaluator, mode: &str, path: &Value) -> Value {
    if mode.starts_with(">>") {
        evaluator.paths(EffectKind::Write, "append", path, false, Taints::NONE);
    } else if mode.contains('>') {
        evaluator.paths(EffectKind::Overwrite, "overwrite", path, false, Taints::NONE);
    } else {
        return evaluator.read_file(path);
    }
    Value::new(Shape::Content(path.as_text()))
}

/// A change of the first known piece of a text.
fn cut(value: &Value, change: impl Fn(&str) -> String) -> Value {
    use crate::code::{Part, Text};
    let mut text = Text::default();
    for part in value.as_text().parts() {
        text.push(match part {
            Part::Known(known) => Part::Known(change(known)),
            part => part.clone(),
        });
    }
    Value::text(text).tainted(value.taint)
}

const FUNCTIONS: &[(&str, Meaning)] = &[
    ("unlink", DeleteAll),
    ("rmdir", Delete(0)),
    ("remove", DeleteAll),
    ("remove_tree", DeleteTrees),
    ("rmtree", DeleteTree(0)),
    ("File::Path::remove_tree", DeleteTrees),
    ("File::Path::rmtree", DeleteTree(0)),
    ("File::Remove::remove", DeleteTrees),
    ("pathrmdir", DeleteTree(0)),
    ("File::Copy::Recursive::pathrmdir", DeleteTree(0)),
    ("rename", Move(0, 1)),
    ("move", Move(0, 1)),
    ("mv", Move(0, 1)),
    ("File::Copy::move", Move(0, 1)),
    ("copy", Copy(0, 1)),
    ("cp", Copy(0, 1)),
    ("File::Copy::copy", Copy(0, 1)),
    ("symlink", Link(1)),
    ("link", Link(1)),
    ("sysopen", Open(1)),
    ("truncate", Overwrite(0)),
    ("write_file", Overwrite(0)),
    ("File::Slurp::write_file", Overwrite(0)),
    ("append_file", Append(0)),
    ("read_file", ReadFile(0)),
    ("File::Slurp::read_file", ReadFile(0)),
    ("mkdir", Create(0)),
    ("make_path", Create(0)),
    ("mkpath", Create(0)),
    ("chmod", Rights(1)),
    ("chown", Rights(2)),
    ("system", System),
    ("exec", System),
    ("readpipe", Shell(0)),
    ("run", System),
    ("capture", System),
    ("open2", Program(2)),
    ("open3", Program(3)),
    ("syscall", Obscure),
    ("DynaLoader::bootstrap", Obscure),
    ("kill", Kill(1)),
    ("chdir", ChangeFolder(0)),
    ("eval", Eval(0)),
    ("do", RunFile(0)),
    ("Storable::thaw", Deserialize(0)),
    ("get", Request(0)),
    ("LWP::Simple::get", Request(0)),
    ("LWP::Simple::getprint", Request(0)),
    ("getstore", Download(0, 1)),
    ("LWP::Simple::getstore", Download(0, 1)),
    ("connect", Connect(1)),
    ("gethostbyname", Request(0)),
    ("%ENV", Environment),
    ("$ENV", Environment),
    ("getcwd", Constant(".")),
    ("cwd", Constant(".")),
    ("File::HomeDir.my_home", Home),
    ("glob", Glob(0)),
    ("bsd_glob", Glob(0)),
    ("readdir", Names(0)),
    ("find", MapCall(0, 1)),
    ("finddepth", MapCall(0, 1)),
    ("dirname", Parent(0)),
    ("catfile", Join),
    ("catdir", Join),
    ("File::Spec.catfile", Join),
    ("File::Spec.catdir", Join),
    ("File::Spec.tmpdir", Constant("/tmp")),
    ("tempfile", Temporary),
    ("tempdir", Temporary),
    ("join", JoinWith),
    ("sprintf", Sprintf),
    ("reverse", Reverse(0)),
    ("lc", Same(0)),
    ("uc", Same(0)),
    ("chomp", Same(0)),
    ("keys", Same(0)),
    ("values", Same(0)),
    ("encode_json", Same(0)),
    ("uri_escape", Same(0)),
    ("Dumper", Same(0)),
    ("chr", Character),
    ("ord", Ordinal(0)),
    ("encode_base64", Brings(Taints::NONE)),
    ("decode_base64", Decode(Decoding::Base64, 0)),
    ("MIME::Base64::decode_base64", Decode(Decoding::Base64, 0)),
    ("MIME::Base64::decode", Decode(Decoding::Base64, 0)),
    ("uri_unescape", Decode(Decoding::Percent, 0)),
    ("uncompress", Decode(Decoding::Other, 0)),
    ("memGunzip", Decode(Decoding::Other, 0)),
];

const METHODS: &[(&str, Meaning)] = &[
    ("do", MaybeSql(1)),
    ("prepare", MaybeSql(1)),
    ("execute", MaybeSql(1)),
    ("selectall_arrayref", MaybeSql(1)),
    ("post", Post(1)),
    ("mirror", Download(1, 2)),
    ("getstore", Download(1, 2)),
    ("remove_tree", DeleteTree(0)),
    ("spew", Overwrite(0)),
    ("slurp", ReadFile(0)),
    ("can", Named(1)),
];
