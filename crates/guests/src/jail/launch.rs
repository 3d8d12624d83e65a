//! The way into a jail, between fork and exec.
//!
//! The process that the referee started becomes a doorkeeper: it waits for the program and ends as the
//! program ended. Where there is a process namespace, its first process stands between the two and takes
//! in orphans, so that the program itself is an ordinary process, which signals reach.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use landlock::{
    ABI, Access, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
};
use nix::libc;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, rlim_t, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{self, ForkResult, Gid, Pid, Uid};
use seccompiler::BpfProgram;

use super::{Ceilings, Layer, Layers, View, filter};

/// All that a child needs to enter its jail.
pub(super) struct Plan {
    layers: Layers,
    view: Arc<View>,
    ceilings: Ceilings,
    filters: Vec<BpfProgram>,
}

/// The user that takes root's place, and that owns nothing.
const NOBODY: u32 = 65534;

impl Plan {
    pub fn new(layers: Layers, view: Arc<View>, ceilings: Ceilings) -> io::Result<Plan> {
        let filters = if layers.has(Layer::Calls) { filter::programs()? } else { Vec::new() };
        Ok(Plan { layers, view, ceilings, filters })
    }

    /// Enters the jail. The caller goes on as the program; the doorkeepers never return.
    pub fn enter(&self) -> io::Result<()> {
        // Signals to the referee's terminal or group are not for the program, nor the other way round.
        unistd::setsid()?;
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        let is_unprivileged = !self.layers.is_root() && self.layers.has(Layer::User);
        if is_unprivileged {
            enter_user_namespace(Uid::effective(), Gid::effective())?;
        }
        unshare(self.layers.namespaces())?;
        // Orphans of the program stay in sight where no namespace holds them.
        prctl::set_child_subreaper(true)?;
        let has_processes = self.layers.has(Layer::Processes);
        go_on_in_child(!has_processes)?;
        if has_processes {
            // This is the first process of the namespace: when it ends, all others in it are ended.
            go_on_in_child(false)?;
        }
        if self.layers.has(Layer::Files) {
            self.view.enter()?;
            if has_processes {
                let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
                // Some hosts hide parts of theirs and refuse a whole one: programs can do without.
                let _ = mount(Some("proc"), "/proc", Some("proc"), flags, None::<&Path>);
            }
        }
        unistd::chdir(&self.view.home(self.layers.has(Layer::Files)))?;
        if self.layers.is_root() && self.layers.has(Layer::User) {
            // Where the host's own files are seen, nobody might not reach the interpreter: root without rights can.
            match self.layers.has(Layer::Files) {
                true => become_nobody()?,
                false => enter_user_namespace(Uid::effective(), Gid::effective())?,
            }
        }
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        self.set_ceilings()?;
        prctl::set_no_new_privs()?;
        if self.layers.has(Layer::Closed) && !self.layers.has(Layer::Files) {
            let scratch = self.view.scratch(false);
            close_files(&self.view.readable().collect::<Vec<_>>(), &[&scratch])?;
        }
        self.filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
    }

    fn set_ceilings(&self) -> io::Result<()> {
        let Ceilings { n_tasks, n_files, file_bytes, cpu_seconds } = self.ceilings;
        // Without a namespace of its own, a user's other processes count too.
        let n_tasks = self.layers.has(Layer::User).then_some((Resource::RLIMIT_NPROC, n_tasks));
        let cpu = cpu_seconds.map(|seconds| (Resource::RLIMIT_CPU, seconds));
        let files = [(Resource::RLIMIT_NOFILE, n_files), (Resource::RLIMIT_FSIZE, file_bytes)];
        let all = files.into_iter().chain([(Resource::RLIMIT_CORE, 0)]).chain(n_tasks).chain(cpu);
        for (resource, limit) in all {
            let (_, hard) = nix::sys::resource::getrlimit(resource)?;
            let limit = hard.min(limit as rlim_t);
            setrlimit(resource, limit, limit)?;
        }
        Ok(())
    }
}

/// A namespace in which the user is who it was, with all rights inside and none outside.
fn enter_user_namespace(uid: Uid, gid: Gid) -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWUSER)?;
    let write = |file: &str, text: String| {
        std::fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes())
    };
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    write("/proc/self/uid_map", format!("{uid} {uid} 1"))
}

/// Root gives up its rights for good. A namespace of its own lets the kernel count each program's
/// processes for itself; its maps stay empty, as the host's files are out of sight by now.
fn become_nobody() -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    unistd::setgroups(&[])?;
    unistd::setresgid(gid, gid, gid)?;
    unistd::setresuid(uid, uid, uid)?;
    Ok(unshare(CloneFlags::CLONE_NEWUSER)?)
}

/// Forks; the child returns, the parent waits for it and ends as it ended.
///
/// `for_all` waits for all that are left to it, the orphans of the child among them.
fn go_on_in_child(for_all: bool) -> io::Result<()> {
    #[expect(unsafe_code, reason = "the program must not be the one that waits for it")]
    // SAFETY: This process has one thread.
    match unsafe { unistd::fork() }? {
        // Whoever ends the referee, even at once, ends all that it has started.
        ForkResult::Child => Ok(prctl::set_pdeathsig(Signal::SIGKILL)?),
        ForkResult::Parent { child } => wait_for(child, for_all),
    }
}

/// Waits as a doorkeeper, who has no files open: the referee would wait for the end of them.
fn wait_for(program: Pid, for_all: bool) -> ! {
    close_all();
    let mut ending = None;
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == program => ending = Some(Ending::Code(code)),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == program => {
                ending = Some(Ending::Signal(signal))
            }
            Ok(_) | Err(nix::Error::EINTR) => {}
            Err(_) => break,
        }
        if ending.is_some() && !for_all {
            break;
        }
    }
    end_as(ending)
}

enum Ending {
    Code(i32),
    Signal(Signal),
}

/// The first process of a namespace cannot end by a signal; it says so with a code, as shells do.
fn end_as(ending: Option<Ending>) -> ! {
    let code = match ending {
        Some(Ending::Code(code)) => code,
        Some(Ending::Signal(signal)) => 128 + signal as i32,
        None => 1,
    };
    #[expect(unsafe_code, reason = "a forked process must not run what others registered for their end")]
    // SAFETY: Ends the process and nothing else.
    unsafe {
        libc::_exit(code)
    }
}

fn close_all() {
    #[expect(unsafe_code, reason = "no library has this call")]
    // SAFETY: A doorkeeper uses no file any more.
    unsafe {
        libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, 0);
    }
}

/// Closes all files to this process but some, by Landlock.
pub(super) fn close_files(readable: &[&Path], writable: &[&Path]) -> io::Result<()> {
    let abi = ABI::V3;
    let rules = |paths: &[&Path], access| {
        let open = paths.iter().filter_map(|path| PathFd::new(path).ok());
        open.map(move |fd| PathBeneath::new(fd, access)).collect::<Vec<_>>()
    };
    let close = || {
        let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(abi))?.create()?;
        for rule in rules(readable, AccessFs::from_read(abi)) {
            ruleset = ruleset.add_rule(rule)?;
        }
        for rule in rules(writable, AccessFs::from_all(abi)) {
            ruleset = ruleset.add_rule(rule)?;
        }
        ruleset.restrict_self()
    };
    let status = close().map_err(|error: landlock::RulesetError| io::Error::other(error.to_string()))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(io::Error::from_raw_os_error(libc::ENOSYS)),
        _ => Ok(()),
    }
}
