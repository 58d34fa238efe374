//! See `fourseam_fuzz::powershell`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourseam_fuzz::powershell(bytes));
