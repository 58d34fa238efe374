//! Signal handlers and timers. The only module of the workspace with `unsafe`: everything a handler touches is an
//! atomic or memory that is never freed, and everything it calls is async-signal-safe.
//!
//! Timers and requests to end are taken by a thread that does nothing else: the main thread may be inside a call to a
//! file system that answers no more, and such a call lets no handler run.
#![expect(unsafe_code, reason = "signal handlers, the alternate stack and timers have no safe interface")]

use super::{Note, Prepared};
use libc::{c_int, c_uint};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, Ordering};
use std::time::Duration;

/// CPU time a call may use: a runaway loop.
const CPU: Duration = Duration::from_secs(1);
/// Wall time a call may take: whatever hangs.
const WALL: Duration = Duration::from_secs(3);

/// Signals that end a call: faults, timers, and those by which someone ends a process. A host takes death by a signal
/// for no opinion, or starts the tool without asking for the exit code.
const FAULTS: [c_int; 7] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGSYS];
const TIMERS: [c_int; 4] = [libc::SIGXCPU, libc::SIGALRM, libc::SIGVTALRM, libc::SIGPROF];
const ENDINGS: [c_int; 6] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

/// Seconds that an answer which is being written has after someone ended the process.
const LAST_WORDS: c_uint = 1;

/// Bytes of the stack the handlers run on; they need a few hundred.
const STACK: usize = 64 * 1024;

/// Nothing has been said yet: the nets answer.
const DECIDING: u8 = 0;
/// A net gives the prepared answer: a second one would mix with it.
const CAUGHT: u8 = 1;
/// The answer is being written.
const ANSWERING: u8 = 2;
/// Someone ended the process while the answer was being written.
const ENDING: u8 = 3;
/// The answer is out: only the exit code is left to give.
const ANSWERED: u8 = 4;

static PHASE: AtomicU8 = AtomicU8::new(DECIDING);
static EXIT: AtomicI32 = AtomicI32::new(0);
static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(ptr::null_mut());

/// Puts the nets up, with the answer to give until a better one is known.
pub(crate) fn arm(prepared: Prepared) {
    replace(prepared);
    use_alternate_stack();
    let endings = ENDINGS.into_iter().filter(|signal| !is_ignored(*signal));
    for signal in FAULTS.into_iter().chain(TIMERS).chain(endings) {
        handle(signal, caught as *const () as libc::sighandler_t);
    }
    // A full disk or a file size limit is an error of `write`, not the end of the process.
    handle(libc::SIGXFSZ, libc::SIG_IGN);
    // A parent may have blocked them, and a blocked timer never fires.
    mask(libc::SIG_UNBLOCK, &FAULTS);
    hand_over();
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

/// The answer is about to be written; from here on the nets say nothing. Does not come back where a net was faster.
pub(crate) fn answering(exit: u8) {
    if !claim(ANSWERING) {
        wait_for_exit();
    }
    EXIT.store(i32::from(exit), Ordering::SeqCst);
}

/// The answer is out: what hangs or crashes now ends the process with the answer's exit code.
pub(crate) fn answered(exit: u8) {
    EXIT.store(i32::from(exit), Ordering::SeqCst);
    PHASE.store(ANSWERED, Ordering::SeqCst);
}

/// The handler of every signal.
extern "C" fn caught(signal: c_int) {
    if claim(CAUGHT) {
        give_prepared(signal);
    }
    match PHASE.load(Ordering::SeqCst) {
        CAUGHT => wait_for_exit(),
        // The write goes on; a client that does not read is the client's to time out.
        ANSWERING if TIMERS.contains(&signal) => {}
        ANSWERING if ENDINGS.contains(&signal) => {
            PHASE.store(ENDING, Ordering::SeqCst);
            // SAFETY: async-signal-safe; the next signal ends the process.
            unsafe { libc::alarm(LAST_WORDS) };
        }
        // The record is still to be written, which the timer for wall time bounds.
        ANSWERED if ENDINGS.contains(&signal) => {}
        _ => exit(EXIT.load(Ordering::SeqCst)),
    }
}

fn give_prepared(signal: c_int) {
    // SAFETY: the pointer is null or came from `Box::into_raw` and is never freed.
    let Some(prepared) = (unsafe { PREPARED.load(Ordering::SeqCst).as_ref() }) else { exit(2) };
    EXIT.store(i32::from(prepared.reply.exit), Ordering::SeqCst);
    write(libc::STDOUT_FILENO, prepared.reply.stdout.as_bytes());
    write(libc::STDERR_FILENO, cause(signal));
    write(libc::STDERR_FILENO, prepared.reply.stderr.as_bytes());
    if let Some(note) = &prepared.note {
        leave(note);
    }
    exit(i32::from(prepared.reply.exit));
}

/// Leaves a note whole or not at all: another call may be looking for it.
fn leave(note: &Note) {
    // SAFETY: both are NUL-terminated strings that are never freed.
    let file = unsafe { libc::open(note.half.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL, 0o600) };
    if file >= 0 && write(file, &note.line) {
        // SAFETY: as above.
        unsafe { libc::rename(note.half.as_ptr(), note.path.as_ptr()) };
    }
}

fn cause(signal: c_int) -> &'static [u8] {
    match signal {
        libc::SIGSEGV | libc::SIGBUS => b"fourseam: the call overflowed the stack or touched bad memory\n",
        libc::SIGABRT | libc::SIGILL | libc::SIGFPE | libc::SIGTRAP | libc::SIGSYS => {
            b"fourseam: the call was aborted\n"
        }
        libc::SIGALRM => b"fourseam: the call took too long\n",
        ended if ENDINGS.contains(&ended) => b"fourseam: the call was ended by a signal before it was judged\n",
        _ => b"fourseam: the call used more than 1 s of CPU time\n",
    }
}

/// Says whether all bytes were written.
fn write(file: c_int, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: the pointer and length are those of a live slice.
        let written = unsafe { libc::write(file, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written).ok().and_then(|written| bytes.get(written..)) {
            Some(rest) if written > 0 => bytes = rest,
            _ => return false,
        }
    }
    true
}

/// Takes the right to speak, which nobody has had yet. Says whether it was had.
fn claim(phase: u8) -> bool {
    PHASE.compare_exchange(DECIDING, phase, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}

/// Another thread is giving the prepared answer, and ends the process. One that does not come to its end is not waited
/// for much longer.
fn wait_for_exit() -> ! {
    // SAFETY: async-signal-safe; no file is looked at.
    unsafe { libc::poll(ptr::null_mut(), 0, 1000) };
    exit(EXIT.load(Ordering::SeqCst))
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

/// Whether whoever started the program wants a signal to be ignored, as `nohup` does.
fn is_ignored(signal: c_int) -> bool {
    // SAFETY: an all-zero `sigaction` is valid, and only read into.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &raw mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
    }
}

/// Lets a thread of its own take the signals that come from outside; the main thread where there can be none.
fn hand_over() {
    mask(libc::SIG_BLOCK, &TIMERS);
    mask(libc::SIG_BLOCK, &ENDINGS);
    // SAFETY: all-zero attributes are initialised before use; the thread takes no argument and is never joined.
    let started = unsafe {
        let mut thread: libc::pthread_t = std::mem::zeroed();
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&raw mut attributes) == 0
            && libc::pthread_attr_setstacksize(&raw mut attributes, STACK) == 0
            && libc::pthread_create(&raw mut thread, &raw const attributes, watch, ptr::null_mut()) == 0
    };
    if !started {
        let_come();
    }
}

/// The thread: waits for signals until the process ends.
extern "C" fn watch(_: *mut libc::c_void) -> *mut libc::c_void {
    let_come();
    loop {
        // SAFETY: waits for a signal, and touches nothing.
        unsafe { libc::pause() };
    }
}

fn let_come() {
    mask(libc::SIG_UNBLOCK, &TIMERS);
    mask(libc::SIG_UNBLOCK, &ENDINGS);
}

/// Blocks or unblocks signals in this thread.
fn mask(how: c_int, signals: &[c_int]) {
    // SAFETY: an all-zero set is valid and is filled before use.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in signals {
            libc::sigaddset(&raw mut set, *signal);
        }
        libc::pthread_sigmask(how, &raw const set, ptr::null_mut());
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
