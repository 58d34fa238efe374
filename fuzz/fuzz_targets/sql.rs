//! See `fourseam_fuzz::sql`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::sql(bytes));
