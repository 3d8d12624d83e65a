//! The process between the referee and a program: it waits for the program and exits as the program did.
//!
//! With a PID namespace there is one outside, and one inside that acts as init: when that one exits, the kernel kills
//! all others in the namespace. Without, a single [`Guard`] does what the kernel would do: it adopts orphans, and ends
//! all processes when the program has ended or the referee has died.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::fd::RawFd;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{self, ForkResult, Pid, Uid};

use super::shared_memory::SharedMemory;
use crate::proc::{children_of, stat_numbers};

/// What a supervisor must know if there is no PID namespace.
pub struct Guard {
    /// The process whose death ends the program.
    pub referee: Pid,
    /// A file that stays open as long as any process of the program lives (see `folders`).
    pub lock: RawFd,
    /// The program's user, if no other process has it.
    pub own_user: Option<Uid>,
    /// What the program may write, if the kernel does not limit it.
    pub quota: Option<Quota>,
}

/// A limit on what a program writes into folders.
pub struct Quota {
    pub folders: Vec<PathBuf>,
    pub shared_memory: SharedMemory,
    pub max_bytes: u64,
    pub max_files: usize,
}

enum Ending {
    Code(i32),
    Signal(Signal),
}

/// What a program has too much of.
enum Excess {
    Bytes,
    Files,
}

/// How often a quota is checked.
const INTERVAL: Duration = Duration::from_millis(100);
const STDERR: RawFd = 2;

/// Forks. The child returns; the parent becomes its supervisor and never returns.
pub fn continue_in_child(guard: Option<&Guard>) -> io::Result<()> {
    #[expect(unsafe_code, reason = "a supervisor needs a process of its own")]
    // SAFETY: This process has one thread.
    match unsafe { unistd::fork() }? {
        // Killing the referee, by any signal, kills all that it has started.
        ForkResult::Child => Ok(prctl::set_pdeathsig(Signal::SIGKILL)?),
        ForkResult::Parent { child } => exit_as(match guard {
            Some(guard) => guard.watch(child),
            None => wait_for(child),
        }),
    }
}

/// Hides the referee's arguments and environment, of which its forks have a copy: they name the opponent and the seed.
pub fn hide_origin() -> io::Result<()> {
    let bounds = stat_numbers(&fs::read_to_string("/proc/self/stat").unwrap_or_default(), 45, 4);
    if let (Ok(memory), &[args, args_end, variables, variables_end]) =
        (fs::OpenOptions::new().write(true).open("/proc/self/mem"), &bounds[..])
    {
        for (start, end) in [(args, args_end), (variables, variables_end)] {
            memory.write_all_at(&vec![0; end.saturating_sub(start) as usize], start)?;
        }
    }
    // No other process may read the rest of its memory. A program that is started ends this.
    Ok(prctl::set_dumpable(false)?)
}

/// Waits for a program. Closes all files first: the referee waits for the end of the pipes.
fn wait_for(program: Pid) -> Option<Ending> {
    close_all_but(&[]);
    loop {
        match waitpid(None, None) {
            Ok(status) if status.pid() == Some(program) => return ending_of(status),
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => return None,
        }
    }
}

impl Guard {
    /// Waits until the program has ended, the referee has died or the quota is exceeded, then ends all processes.
    fn watch(&self, program: Pid) -> Option<Ending> {
        close_all_but(&[STDERR, self.lock]);
        let wakes: SigSet = [Signal::SIGCHLD, Signal::SIGTERM].into_iter().collect();
        let _ = wakes.thread_block();
        let _ = prctl::set_pdeathsig(Signal::SIGTERM);
        // Landlock knows the folder by an entry in memory that the kernel forgets unless somebody has it open.
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let _pin = fs::OpenOptions::new().read(true).custom_flags(flags).open(format!("/proc/{program}"));
        let mut pause = INTERVAL;
        let mut ending = None;
        while ending.is_none() && unistd::getppid() == self.referee {
            wait_for_signal(&wakes, pause);
            while let Ok(status) = waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                match status.pid() {
                    Some(pid) if pid == program => ending = ending_of(status),
                    Some(_) => {}
                    None => break,
                }
            }
            let began = Instant::now();
            match self.quota.as_ref().filter(|_| ending.is_none()).and_then(Quota::excess) {
                Some(Excess::Bytes) => self.forbid_writing(),
                // No limit of the kernel is about that.
                Some(Excess::Files) => {
                    write_error("sandbox: the program has created too many files\n");
                    ending = Some(Ending::Signal(Signal::SIGKILL));
                }
                None => {}
            }
            // Many files take long to count.
            pause = INTERVAL.max(20 * began.elapsed());
        }
        self.end_all();
        if let Some(quota) = &self.quota {
            quota.shared_memory.clean();
        }
        ending
    }

    /// From now on, writing to files fails in all processes, as on a full disk.
    fn forbid_writing(&self) {
        as_user(self.own_user, || {
            for pid in descendants() {
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                #[expect(unsafe_code, reason = "no library offers this call")]
                // SAFETY: The first pointer is valid; the old limit is not asked for.
                unsafe {
                    libc::prlimit(pid.as_raw(), libc::RLIMIT_FSIZE, &raw const none, std::ptr::null_mut());
                }
            }
        });
    }

    /// Stops, kills and reaps all descendants. While they are stopped, but not gone, the limit on processes keeps them
    /// from being replaced by new ones.
    fn end_all(&self) {
        loop {
            let mut stopped = HashSet::new();
            // A process that was just started is found in the next round. Some always escape, so the rounds end.
            for _ in 0..20 {
                let fresh: Vec<Pid> =
                    descendants().into_iter().filter(|pid| !stopped.contains(pid)).collect();
                if fresh.is_empty() {
                    break;
                }
                for pid in fresh {
                    let _ = kill(pid, Signal::SIGSTOP);
                    stopped.insert(pid);
                }
            }
            for pid in stopped {
                let _ = kill(pid, Signal::SIGKILL);
            }
            if self.own_user.is_some() {
                // All at once, so that none can escape.
                as_user(self.own_user, || {
                    let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
                });
            }
            if !reap() {
                return;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Reaps all children that have ended. Returns whether there are others.
fn reap() -> bool {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return true,
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => return false,
        }
    }
}

impl Quota {
    fn excess(&self) -> Option<Excess> {
        let added = self.shared_memory.added();
        let mut n_bytes: u64 = added.iter().map(|(_, bytes)| bytes).sum();
        let mut n_files = added.len();
        let mut pending = self.folders.clone();
        while let Some(folder) = pending.pop() {
            // What cannot be listed, or vanishes meanwhile, is not counted.
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let Ok(meta) = entry.metadata() else { continue };
                n_files += 1;
                n_bytes += 512 * meta.blocks();
                if meta.is_dir() {
                    pending.push(entry.path());
                }
                if self.max_files < n_files {
                    return Some(Excess::Files);
                }
            }
        }
        (self.max_bytes < n_bytes + unlinked_bytes()).then_some(Excess::Bytes)
    }
}

/// The size of removed files that the program still has open.
fn unlinked_bytes() -> u64 {
    let files = |pid| fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let metas = descendants().into_iter().flat_map(files).filter_map(|file| fs::metadata(file.path()).ok());
    metas.filter(|meta| meta.is_file() && meta.nlink() == 0).map(|meta| 512 * meta.blocks()).sum()
}

/// All processes of the program.
fn descendants() -> Vec<Pid> {
    // With the orphans that it has adopted.
    let mut found = children_of(unistd::getpid());
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        found.extend(children_of(pid));
        next += 1;
    }
    found
}

/// Acts in a process of another user, if one is given: it alone may act on all processes of that user.
fn as_user(user: Option<Uid>, act: impl FnOnce()) {
    let Some(user) = user else { return act() };
    #[expect(unsafe_code, reason = "this process must stay out of that user's reach")]
    // SAFETY: This process has one thread.
    match unsafe { unistd::fork() } {
        Ok(ForkResult::Child) => {
            if unistd::setresuid(user, user, user).is_ok() {
                act();
            }
            exit_as(None)
        }
        Ok(ForkResult::Parent { child }) => {
            let _ = waitpid(child, None);
        }
        Err(_) => {}
    }
}

fn ending_of(status: WaitStatus) -> Option<Ending> {
    match status {
        WaitStatus::Exited(_, code) => Some(Ending::Code(code)),
        WaitStatus::Signaled(_, signal, _) => Some(Ending::Signal(signal)),
        _ => None,
    }
}

/// Exits as the program did. The init process of a namespace cannot die by a signal, so that a signal becomes an exit
/// code, as in shells.
fn exit_as(ending: Option<Ending>) -> ! {
    let code = match ending {
        Some(Ending::Code(code)) => code,
        Some(Ending::Signal(signal)) => 128 + signal as i32,
        None => 1,
    };
    #[expect(unsafe_code, reason = "a forked process must not run the exit handlers of its parent")]
    // SAFETY: Exits the process and does nothing else.
    unsafe {
        libc::_exit(code)
    }
}

fn close_all_but(kept: &[RawFd]) {
    let mut first = 0;
    let mut close = |last: libc::c_uint| {
        #[expect(unsafe_code, reason = "no library offers this call")]
        // SAFETY: A supervisor uses no other file any more.
        unsafe {
            libc::syscall(libc::SYS_close_range, first, last, 0);
        }
        first = last.saturating_add(2);
    };
    let mut kept: Vec<libc::c_uint> = kept.iter().map(|&fd| fd as libc::c_uint).collect();
    kept.sort_unstable();
    for fd in kept {
        close(fd - 1);
    }
    close(libc::c_uint::MAX);
}

fn write_error(text: &str) {
    #[expect(unsafe_code, reason = "the standard library's handle could be locked since the fork")]
    // SAFETY: The text outlives the call.
    unsafe {
        libc::write(STDERR, text.as_ptr().cast(), text.len());
    }
}

fn wait_for_signal(signals: &SigSet, time: Duration) {
    let time = nix::sys::time::TimeSpec::from(time);
    #[expect(unsafe_code, reason = "no library offers this call")]
    // SAFETY: Both pointers are valid; a null pointer asks for no details.
    unsafe {
        libc::sigtimedwait(signals.as_ref(), std::ptr::null_mut(), time.as_ref());
    }
}
