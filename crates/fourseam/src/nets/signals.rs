//! Signal handlers and timers. The only module of the workspace with `unsafe`: everything a handler touches is an
//! atomic or memory that is never freed, and everything it calls is async-signal-safe.
#![expect(unsafe_code, reason = "signal handlers, the alternate stack and timers have no safe interface")]

use super::Prepared;
use libc::c_int;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, Ordering};
use std::time::Duration;

/// CPU time a call may use: a runaway loop.
const CPU: Duration = Duration::from_secs(1);
/// Wall time a call may take: whatever hangs.
const WALL: Duration = Duration::from_secs(3);

/// Signals that end a call: faults first, then timers.
const FAULTS: [c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE];
const TIMERS: [c_int; 4] = [libc::SIGXCPU, libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF];

/// Bytes of the stack the handlers run on; they need a few hundred.
const STACK: usize = 64 * 1024;

/// Nothing has been said yet: the nets answer.
const DECIDING: u8 = 0;
/// The answer is being written: a second one would mix with it.
const ANSWERING: u8 = 1;
/// The answer is out: only the exit code is left to give.
const ANSWERED: u8 = 2;

static PHASE: AtomicU8 = AtomicU8::new(DECIDING);
static EXIT: AtomicI32 = AtomicI32::new(0);
static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(ptr::null_mut());

/// Puts the nets up, with the answer to give until a better one is known.
pub(crate) fn arm(prepared: Prepared) {
    replace(prepared);
    use_alternate_stack();
    for signal in FAULTS.into_iter().chain(TIMERS) {
        handle(signal, caught as *const () as libc::sighandler_t);
    }
    // A full disk or a file size limit is an error of `write`, not the end of the process.
    handle(libc::SIGXFSZ, libc::SIG_IGN);
    unblock();
    set_timer(libc::ITIMER_PROF, CPU);
    set_timer(libc::ITIMER_REAL, WALL);
}

/// Gives the call more wall time from now on: the next part waits for something that has a bound of its own.
pub(crate) fn wait_for(longest: Duration) {
    set_timer(libc::ITIMER_REAL, longest + WALL);
}

/// Changes the answer the nets give. The old one is leaked: a handler may be reading it.
pub(crate) fn replace(prepared: Prepared) {
    PREPARED.store(Box::into_raw(Box::new(prepared)), Ordering::SeqCst);
}

/// The answer is about to be written; from here on the nets say nothing.
pub(crate) fn answering(exit: u8) {
    EXIT.store(i32::from(exit), Ordering::SeqCst);
    PHASE.store(ANSWERING, Ordering::SeqCst);
}

/// The answer is out: what hangs or crashes now ends the process with the answer's exit code.
pub(crate) fn answered() {
    PHASE.store(ANSWERED, Ordering::SeqCst);
}

/// The handler of every signal.
extern "C" fn caught(signal: c_int) {
    match PHASE.load(Ordering::SeqCst) {
        DECIDING => give_prepared(signal),
        // The write goes on; a client that does not read is the client's to time out.
        ANSWERING if TIMERS.contains(&signal) => {}
        _ => exit(EXIT.load(Ordering::SeqCst)),
    }
}

fn give_prepared(signal: c_int) {
    // SAFETY: the pointer is null or came from `Box::into_raw` and is never freed.
    let Some(prepared) = (unsafe { PREPARED.load(Ordering::SeqCst).as_ref() }) else { exit(2) };
    write(libc::STDOUT_FILENO, prepared.reply.stdout.as_bytes());
    write(libc::STDERR_FILENO, cause(signal));
    write(libc::STDERR_FILENO, prepared.reply.stderr.as_bytes());
    if let Some((path, line)) = &prepared.note {
        // SAFETY: `path` is a NUL-terminated string that is never freed.
        let file = unsafe { libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL, 0o600) };
        if file >= 0 {
            write(file, line);
        }
    }
    exit(i32::from(prepared.reply.exit));
}

fn cause(signal: c_int) -> &'static [u8] {
    match signal {
        libc::SIGSEGV | libc::SIGBUS => b"fourseam: the call overflowed the stack or touched bad memory\n",
        libc::SIGABRT | libc::SIGILL | libc::SIGFPE => b"fourseam: the call was aborted\n",
        libc::SIGALRM => b"fourseam: the call took too long\n",
        _ => b"fourseam: the call used more than 1 s of CPU time\n",
    }
}

fn write(file: c_int, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the pointer and length are those of a live slice.
        let written = unsafe { libc::write(file, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written).ok().and_then(|written| bytes.get(written..)) {
            Some(rest) if written > 0 => bytes = rest,
            _ => return,
        }
    }
}

fn exit(code: c_int) -> ! {
    // SAFETY: ends the process at once, without running anything of ours.
    unsafe { libc::_exit(code) }
}

/// Gives the main thread a stack for its handlers: after an overflow the usual one cannot be used.
fn use_alternate_stack() {
    let memory = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
    // SAFETY: the memory is leaked, so it outlives the process's use of it.
    unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) };
}

fn handle(signal: c_int, action: libc::sighandler_t) {
    // SAFETY: an all-zero `sigaction` is valid; the handler is async-signal-safe.
    unsafe {
        let mut new: libc::sigaction = std::mem::zeroed();
        new.sa_sigaction = action;
        new.sa_flags = libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigfillset(&raw mut new.sa_mask);
        libc::sigaction(signal, &raw const new, ptr::null_mut());
    }
}

/// A parent may have blocked signals, and a blocked timer never fires.
fn unblock() {
    // SAFETY: an all-zero set is valid and is filled before use.
    unsafe {
        let mut ours: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut ours);
        for signal in FAULTS.into_iter().chain(TIMERS) {
            libc::sigaddset(&raw mut ours, signal);
        }
        libc::sigprocmask(libc::SIG_UNBLOCK, &raw const ours, ptr::null_mut());
    }
}

fn set_timer(which: c_int, after: Duration) {
    let seconds = libc::time_t::try_from(after.as_secs()).unwrap_or(libc::time_t::MAX);
    let microseconds = libc::suseconds_t::from(after.subsec_micros().cast_signed());
    let value = libc::itimerval {
        it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 },
        it_value: libc::timeval { tv_sec: seconds, tv_usec: microseconds },
    };
    // SAFETY: both pointers are valid or null.
    unsafe { libc::setitimer(which as _, &raw const value, ptr::null_mut()) };
}
