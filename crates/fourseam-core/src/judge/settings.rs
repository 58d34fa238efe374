//! What a policy sets about the judge (`judge:`). Checked when the policy is read; a project that is not trusted
//! cannot set any of it.

use super::question::Kind;
use crate::decision::OnError;
use serde::{Deserialize, Serialize};

/// The settings of a judge that is there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeSettings {
    /// Which protocol it speaks.
    pub backend: Backend,
    /// Name of the model.
    pub model: String,
    /// Address: the base for `openai` (`http://127.0.0.1:11434/v1`) and `anthropic`, the whole address for `jev`.
    #[serde(default)]
    url: Option<String>,
    /// Environment variable that holds the key.
    #[serde(default)]
    key_env: Option<String>,
    /// File that holds the key, readable by the user only.
    #[serde(default)]
    pub key_file: Option<String>,
    /// PEM file with certificates to trust besides the system's.
    #[serde(default)]
    pub ca_file: Option<String>,
    /// Longest time for one call, connecting included, in milliseconds.
    #[serde(default = "default_timeout")]
    timeout_ms: u64,
    /// What a judge that fails means.
    #[serde(default = "default_on_error")]
    pub on_error: OnError,
    /// What it is asked about.
    #[serde(default = "default_points")]
    pub points: Vec<Kind>,
    /// When its probabilities mean something.
    #[serde(default)]
    pub thresholds: Thresholds,
    /// The user's policy in plain words, sent along.
    #[serde(default)]
    pub policy_text: Option<String>,
    /// How long an answer is used again, in hours; 0: never.
    #[serde(default = "default_cache_hours")]
    pub cache_hours: u32,
    /// Price of a million tokens that are sent, in dollars.
    #[serde(default)]
    pub price_in: f64,
    /// Price of a million tokens that come back, in dollars.
    #[serde(default)]
    pub price_out: f64,
}

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// Chat completions, as Ollama, llama.cpp, vLLM, LM Studio and many hosts speak it.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
    /// Typed questions with probabilities (TypeSafe's Jev).
    Jev,
}

/// When a probability means something. Each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Thresholds {
    /// Most probability of the danger class for an allow.
    pub allow_max: f64,
    /// Most probability of every risk for an allow.
    pub risk_max: f64,
    /// Least probability of the danger class, and of a risk that stops, for a deny.
    pub deny_min: f64,
    /// Least probability of an injection.
    pub inject_min: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { allow_max: 0.10, risk_max: 0.40, deny_min: 0.95, inject_min: 0.60 }
    }
}

/// Shortest and longest timeout, in milliseconds: always inside the 30 s that hosts give a hook.
const TIMEOUTS: (u64, u64) = (100, 20_000);

fn default_timeout() -> u64 {
    8_000
}

fn default_on_error() -> OnError {
    OnError::Abstain
}

fn default_points() -> Vec<Kind> {
    vec![Kind::Shell, Kind::Edit, Kind::Mcp]
}

fn default_cache_hours() -> u32 {
    6
}

impl Backend {
    /// The word used in policies and logs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Jev => "jev",
        }
    }
}

impl JudgeSettings {
    /// Every key of `judge` and what it means.
    pub const KEYS: [(&'static str, &'static str); 14] = [
        ("backend", "none, openai (any `/chat/completions`), anthropic or jev."),
        ("model", "Name of the model."),
        ("url", "Address: up to `/v1` for openai and anthropic, whole for jev."),
        ("key_env", "Environment variable that holds the key."),
        ("key_file", "File that holds the key, readable by you only (mode 0600)."),
        ("ca_file", "PEM file with certificates to trust besides the system's."),
        ("timeout_ms", "Longest time for one call, 100 to 20000; 8000 unless set."),
        ("on_error", "abstain (unless set), ask or deny: what a judge that fails means."),
        ("points", "What it is asked about: shell, edit, mcp (all three unless set), result."),
        ("thresholds", "`allow_max` 0.10, `risk_max` 0.40, `deny_min` 0.95, `inject_min` 0.60."),
        ("policy_text", "Your policy in plain words, sent along."),
        ("cache_hours", "How long an answer is used again; 6 unless set, 0 never."),
        ("price_in", "Price of a million tokens that are sent, in dollars, for `report`."),
        ("price_out", "Price of a million tokens that come back."),
    ];

    /// Reads what a policy wrote, as JSON.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_json(text: &str) -> Result<Self, String> {
        let settings: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        let Thresholds { allow_max, risk_max, deny_min, inject_min } = self.thresholds;
        let shares =
            [("allow_max", allow_max), ("risk_max", risk_max), ("deny_min", deny_min), ("inject_min", inject_min)];
        if let Some((name, value)) = shares.into_iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            return Err(format!("`{name}` is from 0.0 to 1.0, not {value}"));
        }
        if !(TIMEOUTS.0..=TIMEOUTS.1).contains(&self.timeout_ms) {
            return Err(format!("`timeout_ms` is from {} to {}, not {}", TIMEOUTS.0, TIMEOUTS.1, self.timeout_ms));
        }
        let url = self.url();
        if !is_safe_address(&url) {
            return Err(format!("`url` is `https://...`, or `http://` to this machine, not `{url}`"));
        }
        if self.key_env.is_some() && self.key_file.is_some() {
            return Err("`key_env` and `key_file` are both set; one says where the key is".to_owned());
        }
        Ok(())
    }

    /// Where a question is sent.
    #[must_use]
    pub fn url(&self) -> String {
        let base = |default: &str| self.url.as_deref().unwrap_or(default).trim_end_matches('/').to_owned();
        match self.backend {
            Backend::OpenAi => format!("{}/chat/completions", base("https://api.openai.com/v1")),
            Backend::Anthropic => format!("{}/messages", base("https://api.anthropic.com/v1")),
            Backend::Jev => base("https://api.typesafe.ai/v1/systemone"),
        }
    }

    /// The environment variable to read the key from; `None` where a file holds it.
    #[must_use]
    pub fn key_variable(&self) -> Option<&str> {
        let usual = match self.backend {
            Backend::OpenAi => "OPENAI_API_KEY",
            Backend::Anthropic => "ANTHROPIC_API_KEY",
            Backend::Jev => "TYPESAFE_API_KEY",
        };
        if self.key_file.is_some() { None } else { Some(self.key_env.as_deref().unwrap_or(usual)) }
    }

    /// Longest time for one call.
    #[must_use]
    pub fn timeout(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.timeout_ms)
    }
}

/// Whether text sent there cannot be read on the way: encrypted, or never leaving this machine.
fn is_safe_address(url: &str) -> bool {
    if url.starts_with("https://") {
        return true;
    }
    let Some(rest) = url.strip_prefix("http://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return false;
    }
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    matches!(host, "localhost" | "[::1]") || host.parse::<std::net::Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
}
