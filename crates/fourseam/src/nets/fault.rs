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

/// Stops for good at a point of `install` (`FOURSEAM_FAULT=stop:POINT`), so that a test can kill it there.
#[cfg(any(debug_assertions, feature = "fault-injection"))]
pub(crate) fn stop_at(point: &str) {
    use std::io::Write;
    if std::env::var("FOURSEAM_FAULT").is_ok_and(|fault| fault.strip_prefix("stop:") == Some(point)) {
        let _ = writeln!(std::io::stderr(), "stopped");
        loop {
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
    }
}

/// Nothing is planted in a release build.
#[cfg(not(any(debug_assertions, feature = "fault-injection")))]
pub(crate) fn inject() {}

/// Nothing is planted in a release build.
#[cfg(not(any(debug_assertions, feature = "fault-injection")))]
pub(crate) fn stop_at(_: &str) {}
