//! Commands of PowerShell that change the machine: services, disks, registry, tasks, security.

use super::super::eval::Evaluator;
use super::super::value::{Taints, Value};
use super::bind::Bound;
use super::registry;
use crate::analysis::EffectKind;
use crate::code::{ActTarget, Text};

/// What is not a drive of files.
pub(super) enum Drive {
    /// `HKLM:`, `HKCU:`, `Registry::`.
    Registry,
    /// `Env:`.
    Environment,
    /// `Variable:`, `Function:`, `Alias:`, `Cert:`.
    Other,
}

/// The drive a path is on, if its content is no files.
pub(super) fn drive(path: &Value) -> Option<Drive> {
    let text = path
        .elements()
        .and_then(|all| all.first().cloned())
        .unwrap_or_else(|| path.clone())
        .as_text()
        .display()
        .to_lowercase();
    let begins = |names: &[&str]| names.iter().any(|name| text.starts_with(name));
    if begins(&["hklm:", "hkcu:", "hkcr:", "hku:", "hkcc:", "registry::", "microsoft.powershell.core\\registry::"]) {
        Some(Drive::Registry)
    } else if begins(&["env:"]) {
        Some(Drive::Environment)
    } else if begins(&["variable:", "function:", "alias:", "cert:", "wsman:"]) {
        Some(Drive::Other)
    } else {
        None
    }
}

/// Carries out a command that changes the machine; `None` if it is none of them.
pub(super) fn carry_out(evaluator: &mut Evaluator, command: &str, bound: &Bound) -> Option<Value> {
    let subject = subject(bound);
    let (kind, verb, target) = match command {
        "set-itemproperty"
        | "new-itemproperty"
        | "rename-itemproperty"
        | "remove-itemproperty"
        | "clear-itemproperty" => {
            property(evaluator, command, bound);
            return Some(Value::unknown(command));
        }
        "stop-process" => {
            let first = subject.elements().and_then(|all| all.first().cloned()).unwrap_or_else(|| subject.clone());
            let is_name = first.number().is_none() && first.literal().is_some();
            let verb = if is_name { "kill-by-name" } else { "kill" };
            (EffectKind::Process, verb, resource(subject))
        }
        "stop-computer" | "restart-computer" => (EffectKind::Process, "power-off", ActTarget::None),
        "stop-service" | "suspend-service" => (EffectKind::Process, "stop-service", resource(subject)),
        "start-service" | "restart-service" | "resume-service" => (EffectKind::Process, "service", resource(subject)),
        "set-service" => {
            let off = bound
                .named("startuptype")
                .and_then(Value::literal)
                .is_some_and(|kind| kind.eq_ignore_ascii_case("disabled"));
            let (kind, verb) =
                if off { (EffectKind::Process, "disable-service") } else { (EffectKind::Persist, "service") };
            (kind, verb, resource(subject))
        }
        "new-service" => (EffectKind::Persist, "service", resource(subject)),
        "remove-service" => (EffectKind::Process, "disable-service", resource(subject)),
        "register-scheduledtask" | "new-scheduledtask" | "set-scheduledtask" | "enable-scheduledtask" => {
            (EffectKind::Persist, "scheduled-job", resource(subject))
        }
        "unregister-scheduledtask" => (EffectKind::Delete, "scheduled-job", resource(subject)),
        "disable-scheduledtask" => (EffectKind::Process, "disable-service", resource(subject)),
        "start-scheduledtask" => (EffectKind::Execute, "scheduled-job", resource(subject)),
        "new-scheduledtaskaction" => {
            scheduled(evaluator, bound);
            return Some(Value::unknown(command));
        }
        "set-executionpolicy" => {
            let policy = bound.value("executionpolicy", 0).unwrap_or_else(Value::null);
            let scope =
                bound.named("scope").or_else(|| bound.positional.get(1)).and_then(Value::literal).unwrap_or_default();
            if scope.eq_ignore_ascii_case("process") {
                return Some(Value::unknown(command));
            }
            (EffectKind::Privilege, "execution-policy", ActTarget::Resource(policy.as_text()))
        }
        "set-mppreference" | "add-mppreference" | "remove-mppreference" => {
            (EffectKind::Tamper, "security-policy", resource(Value::known(command)))
        }
        "install-windowsfeature"
        | "uninstall-windowsfeature"
        | "enable-windowsoptionalfeature"
        | "disable-windowsoptionalfeature"
        | "add-windowscapability"
        | "remove-windowscapability"
        | "remove-appxpackage"
        | "remove-appxprovisionedpackage" => (EffectKind::Privilege, "system-packages", resource(subject)),
        "enable-psremoting" => (EffectKind::Network, "tunnel", ActTarget::None),
        "new-smbshare" => (EffectKind::Privilege, "share", resource(subject)),
        "get-clipboard" => (EffectKind::Read, "clipboard", ActTarget::None),
        "export-pfxcertificate" => (EffectKind::Read, "private-key", resource(subject)),
        "clear-recyclebin" => (EffectKind::Delete, "trash", ActTarget::None),
        "remove-computerrestorepoint" | "disable-computerrestore" | "remove-vmsnapshot" | "remove-wbbackupset" => {
            (EffectKind::Delete, "backups", resource(subject))
        }
        "set-netfirewallprofile" | "disable-netfirewallrule" | "remove-netfirewallrule" => {
            (EffectKind::Privilege, "firewall-off", resource(subject))
        }
        "new-netfirewallrule" | "set-netfirewallrule" | "enable-netfirewallrule" => {
            (EffectKind::Privilege, "firewall", resource(subject))
        }
        "clear-eventlog" | "remove-eventlog" | "limit-eventlog" | "wevtutil" => {
            (EffectKind::Tamper, "logs", resource(subject))
        }
        "clear-history" => (EffectKind::Tamper, "history", ActTarget::None),
        "format-volume"
        | "clear-disk"
        | "initialize-disk"
        | "remove-partition"
        | "reset-physicaldisk"
        | "set-partition"
        | "clear-bitlockerautounlock" => (EffectKind::Overwrite, "format", disk(bound)),
        "set-acl" | "set-smbshare" | "grant-smbshareaccess" => {
            (EffectKind::Privilege, "mode", ActTarget::Path(subject.as_text()))
        }
        "new-localuser" | "add-localgroupmember" | "new-aduser" | "add-adgroupmember" | "enable-localuser" => {
            (EffectKind::Privilege, "add-user", resource(subject))
        }
        "remove-localuser"
        | "remove-aduser"
        | "remove-adobject"
        | "remove-adgroup"
        | "remove-adcomputer"
        | "disable-localuser"
        | "disable-adaccount"
        | "remove-localgroup"
        | "remove-adorganizationalunit" => (EffectKind::Privilege, "remove-user", resource(subject)),
        "set-localuser" | "set-adaccountpassword" => (EffectKind::Privilege, "password", resource(subject)),
        "disable-bitlocker" | "suspend-bitlocker" | "disable-windowserrorreporting" | "set-processmitigation" => {
            (EffectKind::Tamper, "security-policy", resource(subject))
        }
        "enter-pssession" | "new-pssession" => (EffectKind::Network, "tunnel", ActTarget::Host(subject.as_text())),
        "reset-computermachinepassword" | "rename-computer" | "remove-computer" => {
            (EffectKind::Privilege, "machine-setting", ActTarget::None)
        }
        _ => return taken_away(evaluator, command, subject),
    };
    evaluator.effect(kind, verb, target, false, Taints::NONE);
    Some(Value::unknown(command))
}

/// A value of a key of the registry; of a file it is an attribute, which loses nothing.
fn property(evaluator: &mut Evaluator, command: &str, bound: &Bound) {
    let path = bound.paths().unwrap_or_else(Value::null);
    if !matches!(drive(&path), Some(Drive::Registry)) {
        return;
    }
    match command.split_once('-') {
        Some(("remove" | "clear", _)) => registry::removed(evaluator, &path.as_text(), false),
        _ => {
            let value = bound.value("value", 2);
            registry::changed(evaluator, &path.as_text(), value.as_ref(), bound.taint());
        }
    }
}

/// Commands of modules whose verb says that something goes away.
fn taken_away(evaluator: &mut Evaluator, command: &str, subject: Value) -> Option<Value> {
    const OWN: [&str; 8] = ["variable", "psdrive", "job", "event", "pssession", "module", "psbreakpoint", "typedata"];
    let (verb, noun) = command.split_once('-')?;
    if !matches!(verb, "remove" | "uninstall" | "unregister" | "disable" | "revoke" | "reset") || OWN.contains(&noun) {
        return None;
    }
    let cloud =
        ["az", "aws", "ec2", "s3", "gc", "mg", "vm", "eks", "rds", "sql"].iter().any(|name| noun.starts_with(name));
    let kind = if cloud { EffectKind::Infrastructure } else { EffectKind::Delete };
    let target = Text::known(format!("{noun} ")).plus(&subject.as_text());
    evaluator.effect(kind, "remove", ActTarget::Resource(target), false, Taints::NONE);
    Some(Value::unknown(command))
}

fn subject(bound: &Bound) -> Value {
    let named = ["name", "identity", "id", "path", "computername"].into_iter().find_map(|name| bound.named(name));
    named.or_else(|| bound.positional.first()).or(bound.input.as_ref()).cloned().unwrap_or_else(Value::null)
}

fn resource(value: Value) -> ActTarget {
    let text =
        value.elements().map_or_else(|| value.as_text(), |all| all.first().map(Value::as_text).unwrap_or_default());
    ActTarget::Resource(text)
}

fn disk(bound: &Bound) -> ActTarget {
    match bound.positional.first().and_then(Value::literal) {
        Some(letter) if letter.len() <= 2 && letter.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            ActTarget::Path(Text::known(format!("{}:\\", letter.trim_end_matches(':'))))
        }
        Some(number) => ActTarget::Resource(Text::known(format!("disk {number}"))),
        None => ActTarget::Resource(Text::unknown("disk")),
    }
}

fn scheduled(evaluator: &mut Evaluator, bound: &Bound) {
    let program = bound.value("execute", 0).unwrap_or_else(Value::null);
    let words = bound.value("argument", 1).map(|list| super::nested::split(&list)).unwrap_or_default();
    evaluator.effect(EffectKind::Persist, "scheduled-job", ActTarget::Resource(program.as_text()), false, Taints::NONE);
    if let Some(name) = program.literal() {
        super::command::run_named(evaluator, &name, words);
    }
}
