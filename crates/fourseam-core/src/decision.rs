//! The four decisions and the three modes. The order of the decisions is their strength.

use serde::{Deserialize, Serialize};

/// What fourseam thinks of an action. Ordered: the strongest match wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// No opinion: the host's own permission rules apply.
    #[default]
    Abstain,
    /// Known to be fine. Told to a host only in mode `on`.
    Allow,
    /// A person decides.
    Ask,
    /// Not to be done.
    Deny,
}

impl Decision {
    /// The word used in policies, logs and on the terminal.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Abstain => "abstain",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// How much of a verdict the host is told. Ordered: a higher mode enforces no less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Log only; the host is told nothing.
    Dry,
    /// Enforce ask and deny; never widen.
    #[default]
    Guard,
    /// Also answer allow where that is safe.
    On,
}

impl Mode {
    /// The word used in policies, logs and on the terminal.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Dry => "dry",
            Self::Guard => "guard",
            Self::On => "on",
        }
    }
}

/// What to answer when fourseam itself fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// Say nothing.
    Abstain,
    /// A person decides; `deny` where the host cannot ask.
    #[default]
    Ask,
    /// Refuse.
    Deny,
}

impl From<OnError> for Decision {
    fn from(on_error: OnError) -> Self {
        match on_error {
            OnError::Abstain => Self::Abstain,
            OnError::Ask => Self::Ask,
            OnError::Deny => Self::Deny,
        }
    }
}
