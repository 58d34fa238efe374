//! A network namespace with nothing but loopback, where Linux lets a user make one.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// Run inside a new namespace: brings loopback up, then becomes the program.
const INNER: &str = "PATH=\"$PATH:/usr/sbin:/sbin\"; ip link set lo up && exec \"$0\" \"$@\"";

/// A way to run a program in a network namespace of its own.
pub struct Namespace {
    unshare: Vec<&'static str>,
}

impl Namespace {
    /// Tries the ways there are.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn find() -> Result<Self, String> {
        if !cfg!(target_os = "linux") {
            return Err("only Linux has network namespaces".to_owned());
        }
        let ways = [vec!["-n"], vec!["-r", "-n"]].map(|unshare| Self { unshare });
        ways.into_iter().find(Self::works).ok_or_else(|| {
            "`unshare -n` with `ip link set lo up` did not work here (it needs user namespaces or root)".to_owned()
        })
    }

    /// The program in the namespace, with this process's environment and streams.
    #[must_use]
    pub fn command(&self, program: &Path, arguments: impl IntoIterator<Item = OsString>) -> Command {
        let mut command = Command::new("unshare");
        command.args(&self.unshare).args(["sh", "-c", INNER]).arg(program).args(arguments);
        command
    }

    fn works(&self) -> bool {
        let mut command = self.command(Path::new("true"), []);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}
