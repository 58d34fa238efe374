//! Hashes of values, to tell whether two are the same. Of files: [`crate::file::hash`].

use serde::Serialize;

/// BLAKE3 of a value as JSON, hashed as it is written.
pub(crate) fn of(value: &impl Serialize) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    // Writing into a hash does not fail, and what is hashed is plain data.
    let _ = serde_json::to_writer(&mut hasher, value);
    hasher.finalize()
}

/// A name for a value that no other value has, for a file.
pub(crate) fn name_of(value: &impl Serialize) -> String {
    of(value).to_hex().chars().take(32).collect()
}
