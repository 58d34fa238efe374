//! Runs a program for a bounded time, and nothing of it stays.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often one looks whether a program has ended.
const TICK: Duration = Duration::from_millis(20);
/// Names of output files differ.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// How long a program may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
}

/// How a program ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Exit code; `None` when it took too long, or a signal ended it.
    pub code: Option<i32>,
    /// Whether it took too long.
    pub late: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs a command in a process group of its own and ends all of it afterwards. Its output goes to files in `folder`, so
/// that a child that stays cannot keep a pipe open.
///
/// # Errors
/// When it cannot be started, or the files cannot be written.
pub fn run(mut command: Command, folder: &Path, limits: Limits) -> io::Result<Ended> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = |kind: &str| folder.join(format!("{number}.{kind}"));
    let (out, err) = (file("out"), file("err"));
    command.process_group(0).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let mut child = command.spawn()?;
    let status = wait(&mut child, limits.time);
    end_group(&child);
    // Should the group still be there, its first process is not waited for.
    let _ = child.kill();
    let status = status.map_or_else(|| child.wait().map(|_| None), |status| Ok(Some(status)))?;
    let text = |path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Ended {
        code: status.and_then(|status| status.code()),
        late: status.is_none(),
        stdout: text(&out)?,
        stderr: text(&err)?,
    })
}

fn wait(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(TICK);
    }
    None
}

/// The group has the number of its first process. A shell sends the signal, since the standard library only has one for
/// a child of its own.
fn end_group(child: &Child) {
    let mut kill = Command::new("/bin/sh");
    // With `--` in front of the number, dash refuses the command.
    kill.args(["-c", "kill -KILL -\"$0\""]).arg(child.id().to_string());
    let _ = kill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::{Limits, run};
    use std::path::Path;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn nothing_stays_of_what_takes_too_long() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "sleep 60 & echo $!; wait"]);
        let ended = run(command, folder.path(), Limits { time: Duration::from_millis(300) }).unwrap();
        assert!(ended.late);
        let child = Path::new("/proc").join(ended.stdout.trim()).join("cmdline");
        // A zombie, until somebody takes it, has no command line.
        assert!(std::fs::read(child).unwrap_or_default().is_empty());
    }
}
