//! Planted failures, so that tests can show that the nets hold. Not in release builds.

/// Fails as `FOURSEAM_FAULT` says: `panic`, `overflow`, `abort`, `loop`, `hang`.
#[cfg(any(debug_assertions, feature = "fault-injection"))]
#[expect(clippy::panic, reason = "the planted panic")]
pub(crate) fn inject() {
    let Ok(fault) = std::env::var("FOURSEAM_FAULT") else { return };
    match fault.as_str() {
        "panic" => panic!("planted"),
        "overflow" => {
            deeper(0);
        }
        "abort" => std::process::abort(),
        "loop" => loop {
            std::hint::spin_loop();
        },
        "hang" => loop {
            std::thread::sleep(std::time::Duration::from_secs(3600));
        },
        _ => {}
    }
}

#[cfg(any(debug_assertions, feature = "fault-injection"))]
#[expect(unconditional_recursion, reason = "it is to overflow the stack")]
fn deeper(depth: u64) -> u64 {
    let page = std::hint::black_box([depth; 512]);
    deeper(depth + 1) + page.iter().sum::<u64>()
}

/// Nothing is planted in a release build.
#[cfg(not(any(debug_assertions, feature = "fault-injection")))]
pub(crate) fn inject() {}
