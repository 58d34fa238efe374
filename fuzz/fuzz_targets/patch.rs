//! See `fourseam_fuzz::patch`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::patch(bytes));
