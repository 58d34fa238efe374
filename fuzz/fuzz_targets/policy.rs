//! See `fourseam_fuzz::policy`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::policy(bytes));
