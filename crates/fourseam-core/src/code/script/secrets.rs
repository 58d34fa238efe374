//! Names that hold secrets, for data flow inside code. The classes of paths are decided elsewhere; a file that is
//! not in this list still shows as a read in the same reading.

use super::value::Taints;
use crate::code::Text;

/// What reading this file brings in.
pub(super) fn of_file(path: &Text) -> Taints {
    let path = path.display().replace('\\', "/").to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let holds = |parts: &[&str]| parts.iter().any(|part| path.contains(part));
    let public = name.ends_with(".pub") || [".example", ".sample", ".template"].iter().any(|end| name.ends_with(end));
    let secret = holds(&[
        "/.ssh/id_",
        "/.ssh/*",
        ".aws/credentials",
        ".aws/config",
        ".config/gcloud",
        ".kube/config",
        ".docker/config.json",
        ".netrc",
        ".git-credentials",
        ".npmrc",
        ".pypirc",
        ".gnupg",
        "/etc/shadow",
        "/etc/gshadow",
        "/proc/self/environ",
        ".vault-token",
        ".config/gh/hosts",
        "login.keychain",
        "login data",
        "cookies.sqlite",
        "/cookies",
        "logins.json",
        ".azure/",
        ".password-store",
        ".cargo/credentials",
        "credentials.json",
        "secrets.y",
        "secrets.json",
        "wallet.dat",
        "service-account",
        "serviceaccount/token",
        ".terraform.d/credentials",
        "master.key",
    ]) || name == ".env"
        || name.starts_with(".env.")
        || name.starts_with("id_rsa")
        || name.starts_with("id_ed25519")
        || [".pem", ".p12", ".pfx", ".keystore", ".jks", ".kdbx"].iter().any(|end| name.ends_with(end));
    if secret && !public { Taints::SECRET_FILE } else { Taints::FILES }
}

/// What reading this variable of the environment brings in.
pub(super) fn of_variable(name: &str) -> Taints {
    const WORDS: [&str; 12] = [
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "APIKEY",
        "API_KEY",
        "ACCESS_KEY",
        "PRIVATE",
        "CREDENTIAL",
        "_KEY",
        "AUTH",
        "DATABASE_URL",
    ];
    let name = name.to_ascii_uppercase();
    let harmless =
        name.ends_with("_SOCK") || name.ends_with("_PATH") || name.ends_with("_FILE") || name.ends_with("_NAME");
    if WORDS.iter().any(|word| name.contains(word)) && !harmless { Taints::SECRET_VARIABLE } else { Taints::NONE }
}
