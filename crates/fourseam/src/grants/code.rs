//! The short code that names a pending refusal. It opens nothing by itself: a person sees what it names, and says yes.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// Letters and digits that people do not mix up.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH: usize = 8;

/// A code: 8 characters, 40 random bits, so that a code for something else cannot be foreseen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code(String);

impl Code {
    /// A new one. The keys of `RandomState` come from the system's random numbers.
    pub(crate) fn new() -> Self {
        let mut bits = RandomState::new().hash_one(std::process::id());
        let mut text = String::new();
        for _ in 0..LENGTH {
            let at = usize::try_from(bits % 32).unwrap_or_default();
            text.push(char::from(ALPHABET.get(at).copied().unwrap_or(b'0')));
            bits /= 32;
        }
        Self(text)
    }

    /// The code that a person typed: in any case, with blanks or dashes, with letters for the digits they look like.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let letters = text.chars().filter(|letter| !matches!(letter, '-' | ' '));
        let code: String = letters
            .map(|letter| match letter.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                letter => letter,
            })
            .collect();
        let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
        is_code.then_some(Self(code))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, tail) = self.0.split_at_checked(LENGTH / 2).unwrap_or((&self.0, ""));
        write!(f, "{head}-{tail}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::Code;

    #[test]
    fn a_code_is_read_as_people_write_it() {
        let code = Code::new();
        let shown = code.to_string();
        assert_eq!(shown.len(), 9);
        for typed in [shown.clone(), shown.to_lowercase(), shown.replace('-', ""), shown.replace('0', "o")] {
            assert_eq!(Code::parse(&typed), Some(code.clone()), "{typed}");
        }
        for wrong in ["", "ABCD", "ABCD-EFGHJ", "ABCD-EFG!", "UUUU-UUUU", "../../etc"] {
            assert_eq!(Code::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn codes_differ() {
        assert_ne!(Code::new(), Code::new());
    }
}
