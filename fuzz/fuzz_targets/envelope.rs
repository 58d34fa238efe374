//! See `fourseam_fuzz::envelope`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::envelope(bytes));
