//! The hook's own output: the answer on standard output, troubles on standard error.

use fourseam_hosts::Reply;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::time::Duration;

/// Writes an answer and what went wrong on the way to it. Says whether the answer could be written.
pub(crate) fn answer(reply: &Reply, troubles: &[String]) -> bool {
    for trouble in troubles {
        complain(trouble);
    }
    write(&mut io::stderr().lock(), reply.stderr.as_bytes());
    // Past the line buffer of the standard library, which cannot go on after a full pipe.
    let stdout = io::stdout().as_fd().try_clone_to_owned();
    stdout.is_ok_and(|stdout| write(&mut File::from(stdout), reply.stdout.as_bytes()))
}

/// One line on standard error.
pub(crate) fn complain(trouble: &str) {
    write(&mut io::stderr().lock(), format!("fourseam: {trouble}\n").as_bytes());
}

/// Writes all bytes, also where the client made the pipe non-blocking. Says whether it could.
fn write(to: &mut dyn Write, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        match to.write(bytes) {
            Ok(0) => return false,
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return false,
        }
    }
    true
}
