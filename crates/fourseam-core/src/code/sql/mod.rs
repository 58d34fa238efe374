//! SQL.
use super::{Reading, shorten};
use crate::analysis::UnknownClass;
pub(super) fn read(text: &str) -> Reading {
    Reading::unknown(UnknownClass::Code, shorten(text))
}
