//! See `fourseam_fuzz::transcript`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::transcript(bytes));
