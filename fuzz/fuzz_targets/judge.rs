//! See `fourseam_fuzz::judge`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::judge(bytes));
