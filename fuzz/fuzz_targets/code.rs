//! See `fourseam_fuzz::code`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::code(bytes));
