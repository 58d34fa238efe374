//! Objects that PowerShell calls and that change the machine: static members of .NET, WMI classes, COM servers.

use super::super::eval::{Args, Evaluator};
use super::super::value::{Shape, Taints, Value};
use super::bind::Bound;
use super::registry;
use crate::analysis::{EffectKind, UnknownClass};
use crate::code::{Act, ActTarget, Language, Text};

/// Beginning of the names that stand for instances of a WMI class.
const WMI: &str = "[wmi:";

/// Carries out a call on an object; `None` leaves it to the tables.
pub(super) fn called(evaluator: &mut Evaluator, name: &str, args: &Args) -> Option<Value> {
    if let Some(class) = name.strip_prefix(WMI) {
        let (class, method) = class.split_once("].")?;
        return wmi(evaluator, class, method, args);
    }
    let arg = |at: usize| args.positional.get(at);
    let member = name.rsplit('.').next().unwrap_or_default();
    match (name, member) {
        ("[environment].setenvironmentvariable", _) => {
            let scope = arg(2).and_then(Value::literal).unwrap_or_default().to_lowercase();
            if matches!(scope.as_str(), "user" | "machine") {
                let target = ActTarget::Resource(arg(0).map(Value::as_text).unwrap_or_default());
                evaluator.effect(EffectKind::Persist, "environment", target, false, args.taint());
            }
        }
        ("[microsoft.win32.registry].setvalue", _) => {
            let key = arg(0).map(Value::as_text).unwrap_or_default();
            registry::changed(evaluator, &key, arg(2), args.taint());
        }
        (_, "setvalue") if name.starts_with("[microsoft.win32.registry") => {
            registry::changed(evaluator, &hive(name, None), arg(1), args.taint());
        }
        (_, "deletesubkeytree" | "deletesubkey" | "deletevalue") if name.starts_with("[microsoft.win32.registry") => {
            registry::removed(evaluator, &hive(name, arg(0)), member == "deletesubkeytree");
        }
        (_, "registertaskdefinition" | "registertask") => {
            let target = ActTarget::Resource(arg(0).map(Value::as_text).unwrap_or_default());
            evaluator.effect(EffectKind::Persist, "scheduled-job", target, false, Taints::NONE);
        }
        (_, "executeshellcommand") => {
            evaluator.effect(
                EffectKind::Execute,
                "library",
                ActTarget::Resource(Text::known(name)),
                false,
                args.taint(),
            );
        }
        (_, "uploadfile" | "uploadfileasync" | "uploadfiletaskasync") => {
            let file = args.positional.last().cloned().unwrap_or_else(Value::null);
            evaluator.read_file(&file);
            let taint = evaluator.taint_of_files(&file);
            evaluator.network("send", arg(0).unwrap_or(&Value::null()), taint);
        }
        (_, "executeexcel4macro" | "ddeinitiate") => evaluator.doubt(UnknownClass::Code, name),
        _ => return None,
    }
    Some(Value::unknown(name))
}

/// `[Microsoft.Win32.Registry]::LocalMachine` and what stands below it, as a key.
fn hive(name: &str, below: Option<&Value>) -> Text {
    let hive = if name.contains("].localmachine") {
        "hklm"
    } else if name.contains("].classesroot") {
        "hkcr"
    } else if name.contains("].users") {
        "hku"
    } else {
        "hkcu"
    };
    let key = Text::known(format!("{hive}\\"));
    match below {
        Some(below) => key.plus(&below.as_text()),
        None => key.plus(&Text::unknown("key")),
    }
}

/// `Get-WmiObject Win32_ShadowCopy`: stands for instances of the class.
pub(super) fn instances(bound: &Bound) -> Value {
    match class(bound) {
        Some(class) => Value::list(vec![Value::library(format!("{WMI}{class}]"))]),
        None => Value::unknown("instances of a class"),
    }
}

/// `Invoke-WmiMethod -Class Win32_Process -Name Create -ArgumentList ..`.
pub(super) fn method_of_class(evaluator: &mut Evaluator, bound: &Bound) {
    let method = bound.named("methodname").cloned().or_else(|| bound.value("name", 1));
    let method = method.and_then(|name| name.literal()).unwrap_or_default().to_lowercase();
    let given = bound.named("arguments").cloned().or_else(|| bound.value("argumentlist", 2));
    let given = given.map(|given| match &given.shape {
        Shape::Map(fields) => fields.iter().map(|(_, value)| value.clone()).collect(),
        _ => given.elements().unwrap_or_else(|| vec![given.clone()]),
    });
    let class = class(bound).or_else(|| piped_class(bound)).unwrap_or_default();
    wmi(evaluator, &class, &method, &Args::of(given.unwrap_or_default()));
}

/// `Get-CimInstance Win32_ShadowCopy | Remove-CimInstance`.
pub(super) fn removed(evaluator: &mut Evaluator, bound: &Bound) {
    let class = piped_class(bound).or_else(|| class(bound)).unwrap_or_default();
    wmi(evaluator, &class, "delete", &Args::default());
}

/// The class that a command names, by itself or in a query.
fn class(bound: &Bound) -> Option<String> {
    let named = bound.named("classname").or_else(|| bound.named("class")).cloned();
    if let Some(query) = bound.named("query").and_then(Value::literal) {
        let query = query.to_lowercase();
        let (_, behind) = query.split_once(" from ")?;
        return behind.split_whitespace().next().map(str::to_owned);
    }
    named.or_else(|| bound.positional.first().cloned())?.literal().map(|name| name.to_lowercase())
}

fn piped_class(bound: &Bound) -> Option<String> {
    let input = bound.named("inputobject").or(bound.input.as_ref())?;
    let first = input.elements().and_then(|all| all.first().cloned()).unwrap_or_else(|| input.clone());
    match &first.shape {
        Shape::Library(path) => path.strip_prefix(WMI)?.strip_suffix(']').map(str::to_owned),
        _ => None,
    }
}

/// A method of a WMI class.
fn wmi(evaluator: &mut Evaluator, class: &str, method: &str, args: &Args) -> Option<Value> {
    let resource = || ActTarget::Resource(Text::known(class));
    let (kind, verb) = match (class, method) {
        ("win32_process", "create") => {
            evaluator.effect(EffectKind::Execute, "wmi", resource(), false, args.taint());
            match args.positional.first().and_then(Value::literal) {
                Some(text) => evaluator.act(Act::Code { language: Language::Cmd, text }),
                None => evaluator.doubt(UnknownClass::ShellCode, class),
            }
            return Some(Value::unknown(class));
        }
        ("win32_process", "terminate") => (EffectKind::Process, "kill"),
        ("win32_shadowcopy" | "win32_shadowstorage" | "systemrestore", "delete") => (EffectKind::Delete, "backups"),
        ("win32_volume" | "win32_logicaldisk" | "msft_volume" | "msft_disk", "format" | "delete" | "clear") => {
            (EffectKind::Overwrite, "format")
        }
        ("win32_operatingsystem", "reboot" | "shutdown" | "win32shutdown") => (EffectKind::Process, "power-off"),
        ("win32_service", "stopservice" | "delete" | "changestartmode" | "change") => {
            (EffectKind::Process, "stop-service")
        }
        ("win32_product", "uninstall") => (EffectKind::Privilege, "remove-system-package"),
        ("stdregprov", "setstringvalue" | "setdwordvalue" | "createkey") => (EffectKind::Persist, "registry"),
        ("stdregprov", "deletekey" | "deletevalue") => (EffectKind::Delete, "registry"),
        (_, "delete") => (EffectKind::Delete, "remove"),
        _ => return None,
    };
    evaluator.effect(kind, verb, resource(), false, Taints::NONE);
    Some(Value::unknown(class))
}
