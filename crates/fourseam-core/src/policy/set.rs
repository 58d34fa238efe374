//! A compiled set of rules as bytes: read in place, a rule being decoded only when it may match.

use super::condition::{Condition, Facet};
use super::environment::Environment;
use super::native::Written;
use super::rule::Maturity;
use super::settings::Part;
use super::source::Layer;
use crate::decision::Decision;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Compiled rules. Cheap to make from bytes: nothing but an index is decoded.
#[derive(Clone)]
pub struct RuleSet {
    bytes: Cow<'static, [u8]>,
    /// Hash of the bytes.
    digest: [u8; 32],
}

/// The bytes are not a rule set of this version, or were changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compiled policy is damaged or of another version")]
pub struct Damaged;

/// What a set holds. Borrows from the set's bytes.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Stored<'b> {
    /// What each layer sets besides rules, by layer: organisation, user, project. Stands first: it is also read alone.
    pub(super) settings: [Part; 3],
    /// Packs and rules turned on or off, by the layer that says it.
    pub(super) enable: Vec<(Layer, String)>,
    pub(super) disable: Vec<(Layer, String)>,
    /// Globs of rule ids that nearer layers cannot override or disable, by the layer that says it.
    pub(super) locked: Vec<(Layer, String)>,
    pub(super) environments: Vec<Environment>,
    pub(super) overrides: Vec<StoredOverride>,
    /// Rules by the token that must be there, sorted. See `gate`.
    #[serde(borrow)]
    pub(super) index: Vec<(&'b str, Numbers<'b>)>,
    /// Rules by a text that must stand in the command.
    #[serde(borrow)]
    pub(super) keywords: Vec<(&'b str, Numbers<'b>)>,
    /// Rules that are always tried.
    pub(super) always: Vec<u16>,
    /// Encoded [`StoredRule`]s.
    #[serde(borrow)]
    pub(super) rules: Vec<&'b [u8]>,
}

/// Numbers of rules, read in place: two bytes each, the lower one first.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Numbers<'b>(pub(super) &'b [u8]);

impl Numbers<'_> {
    pub(super) fn iter(self) -> impl Iterator<Item = u16> {
        self.0.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair))
    }
}

/// A rule, as much of it as deciding needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredRule {
    pub(super) id: String,
    pub(super) layer: Layer,
    pub(super) decision: Decision,
    pub(super) reason: String,
    pub(super) instead: Option<String>,
    pub(super) dry: bool,
    /// A judge may turn its question into an allow.
    pub(super) judge_may_allow: bool,
    pub(super) maturity: Maturity,
    pub(super) looks: Looks,
    /// Its conditions do not speak of harmless forms: it does not match them.
    pub(super) spares_harmless: bool,
    pub(super) when: Condition,
    pub(super) unless: Option<Condition>,
    /// What of it is also said in agents' own rules.
    pub(super) native: Written,
}

/// An exception.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredOverride {
    /// Glob on the rule's id.
    pub(super) rule: String,
    pub(super) layer: Layer,
    pub(super) decision: Decision,
    pub(super) when: Option<Condition>,
    pub(super) unless: Option<Condition>,
    pub(super) until: Option<String>,
}

/// The facets that a rule's conditions look at, which say with which subjects it is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Looks {
    pub(super) at_invocations: bool,
    pub(super) at_effects: bool,
    pub(super) at_unknowns: bool,
    pub(super) at_findings: bool,
}

impl Looks {
    pub(super) fn of<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Self {
        let mut looks = Self::default();
        for test in conditions.into_iter().flat_map(Condition::tests) {
            match test.facet() {
                Facet::Call => {}
                Facet::Invocation => looks.at_invocations = true,
                Facet::Effect => looks.at_effects = true,
                Facet::Unknown => looks.at_unknowns = true,
                Facet::Finding => looks.at_findings = true,
            }
        }
        looks
    }
}

/// First bytes of a stored set; the number is that of its form.
const MAGIC: &[u8] = b"fourseam rules 5\n";

impl RuleSet {
    pub(super) fn encode(stored: &Stored<'_>) -> Self {
        // Encoding plain data into memory does not fail; an empty set would be refused when it is read.
        Self::of_bytes(postcard::to_allocvec(stored).unwrap_or_default())
    }

    fn of_bytes(bytes: Vec<u8>) -> Self {
        let digest = *blake3::hash(&bytes).as_bytes();
        Self { bytes: Cow::Owned(bytes), digest }
    }

    /// A set that was compiled into the binary: its bytes and their [`RuleSet::digest`], which is not computed again.
    #[must_use]
    pub const fn of_static(bytes: &'static [u8], digest: &[u8; 32]) -> Self {
        Self { bytes: Cow::Borrowed(bytes), digest: *digest }
    }

    /// The bytes that [`RuleSet::of_static`] takes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A hash of all that the set holds.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The set as a file that [`RuleSet::of_file`] accepts only with the same `key` and unchanged.
    /// `key`: a hash of everything the set was made from.
    #[must_use]
    pub fn to_file(&self, key: &[u8; 32]) -> Vec<u8> {
        let mut file = Vec::with_capacity(MAGIC.len() + 64 + self.bytes.len());
        file.extend_from_slice(MAGIC);
        file.extend_from_slice(key);
        file.extend_from_slice(checksum(key, &self.digest).as_bytes());
        file.extend_from_slice(&self.bytes);
        file
    }

    /// Reads what [`RuleSet::to_file`] wrote.
    ///
    /// # Errors
    /// When the file is of another version, was made from something else, or was changed.
    pub fn of_file(file: &[u8], key: &[u8; 32]) -> Result<Self, Damaged> {
        let rest = file.strip_prefix(MAGIC).ok_or(Damaged)?;
        let (made_from, rest) = rest.split_first_chunk::<32>().ok_or(Damaged)?;
        let (sum, bytes) = rest.split_first_chunk::<32>().ok_or(Damaged)?;
        if made_from != key {
            return Err(Damaged);
        }
        let set = Self::of_bytes(bytes.to_vec());
        if checksum(key, &set.digest) != *sum {
            return Err(Damaged);
        }
        set.decode().map(|_| ()).ok_or(Damaged)?;
        Ok(set)
    }

    /// What the set holds. `None` only for bytes that no [`RuleSet::encode`] made.
    pub(super) fn decode(&self) -> Option<Stored<'_>> {
        postcard::from_bytes(&self.bytes).ok()
    }

    /// What the layers set besides rules. `None` as for [`RuleSet::decode`].
    pub(super) fn settings(&self) -> Option<[Part; 3]> {
        postcard::take_from_bytes(&self.bytes).ok().map(|(settings, _)| settings)
    }

    /// Every rule, decoded.
    pub(super) fn rules(&self) -> Vec<StoredRule> {
        let stored = self.decode().unwrap_or_default();
        stored.rules.iter().filter_map(|bytes| postcard::from_bytes(bytes).ok()).collect()
    }
}

/// Ties the hash of a set to what the set was made from.
fn checksum(key: &[u8; 32], digest: &[u8; 32]) -> blake3::Hash {
    blake3::Hasher::new().update(key).update(digest).finalize()
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RuleSet({} bytes)", self.bytes.len())
    }
}
