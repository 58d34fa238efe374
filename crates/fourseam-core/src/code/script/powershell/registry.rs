//! The registry: what changing or deleting a key comes to.

use super::super::eval::Evaluator;
use super::super::value::{Taints, Value};
use crate::analysis::EffectKind;
use crate::code::{Act, ActTarget, Language, Part, Text};

/// A key or one of its values is set.
pub(super) fn changed(evaluator: &mut Evaluator, key: &Text, value: Option<&Value>, taint: Taints) {
    let key = plain(key);
    let (kind, verb) = meaning(&key.display());
    evaluator.effect(kind, verb, ActTarget::Resource(key), false, taint.without(Taints::FILES));
    // What starts by itself is a command line.
    if let Some(text) = value.and_then(Value::literal).filter(|_| verb == "autostart") {
        evaluator.act(Act::Code { language: Language::Cmd, text });
    }
}

/// A key or one of its values goes away.
pub(super) fn removed(evaluator: &mut Evaluator, key: &Text, recursive: bool) {
    let key = plain(key);
    let verb = if recursive && is_hive(&key.display()) { "registry-hive" } else { "registry" };
    evaluator.effect(EffectKind::Delete, verb, ActTarget::Resource(key), recursive, Taints::NONE);
}

/// A key in its one spelling: `hklm\\software\\example`.
fn plain(key: &Text) -> Text {
    if key.parts().iter().any(|part| matches!(part, Part::Variable(_) | Part::Unknown(_))) {
        return key.clone();
    }
    let text = key.display().to_lowercase().replace('/', "\\");
    let text = text.rsplit_once("::").map_or(text.as_str(), |(_, text)| text);
    let (hive, below) = text.split_once('\\').unwrap_or((text, ""));
    let hive = match hive.trim_end_matches(':') {
        "hkey_local_machine" => "hklm",
        "hkey_current_user" => "hkcu",
        "hkey_classes_root" => "hkcr",
        "hkey_users" => "hku",
        "hkey_current_config" => "hkcc",
        hive => hive,
    };
    let below = below.trim_end_matches(['\\', '*']);
    Text::known(if below.is_empty() { hive.to_owned() } else { format!("{hive}\\{below}") })
}

/// A whole part of the registry that the system, or all programs, live from.
fn is_hive(key: &str) -> bool {
    const WHOLE: [&str; 5] = ["software", "system", "sam", "security", "classes"];
    const PARTS: [&str; 6] = [
        "software\\microsoft",
        "software\\microsoft\\windows",
        "software\\microsoft\\windows nt",
        "software\\microsoft\\cryptography",
        "software\\microsoft\\windows\\currentversion",
        "software\\microsoft\\windows nt\\currentversion",
    ];
    let Some((_, below)) = key.split_once('\\') else { return true };
    WHOLE.contains(&below) || PARTS.contains(&below) || below.starts_with("system\\")
}

/// What changing a key comes to.
fn meaning(key: &str) -> (EffectKind, &'static str) {
    let holds = |parts: &[&str]| parts.iter().any(|part| key.contains(part));
    if holds(&[
        "\\currentversion\\run",
        "\\winlogon",
        "\\image file execution options",
        "\\currentcontrolset\\services",
        "\\appinit_dlls",
        "\\shell\\open\\command",
        "\\policies\\explorer\\run",
        "\\userinitmprlogonscript",
        "\\active setup",
        "\\silentprocessexit",
        "\\appcertdlls",
        "\\command processor",
    ]) {
        (EffectKind::Persist, "autostart")
    } else if holds(&[
        "\\windows defender",
        "\\policies\\system",
        "\\lsa",
        "\\securityhealth",
        "\\firewallpolicy",
        "\\smartscreen",
        "\\amsi",
        "\\wdigest",
    ]) {
        (EffectKind::Tamper, "security-policy")
    } else {
        (EffectKind::Persist, "registry")
    }
}
