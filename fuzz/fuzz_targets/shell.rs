//! See `fourseam_fuzz::shell`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::shell(bytes));
