//! Entering a sandbox, between fork and exec.
//!
//! The process that the referee started becomes a supervisor: it waits for the program and exits as the program did.
//! Inside a PID namespace a second supervisor acts as init and reaps orphans, so that the program itself is an ordinary
//! process, to which signals have their usual effect.

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

use super::{Layer, Layers, ResourceLimits, View, filter};

/// All that a child process needs to enter its sandbox, prepared before the fork.
pub(super) struct Plan {
    layers: Layers,
    view: Arc<View>,
    limits: ResourceLimits,
    filters: Vec<BpfProgram>,
}

/// The unprivileged user that replaces root.
const NOBODY: u32 = 65534;

impl Plan {
    pub fn new(layers: Layers, view: Arc<View>, limits: ResourceLimits) -> io::Result<Plan> {
        let filters = if layers.has(Layer::Seccomp) { filter::programs()? } else { Vec::new() };
        Ok(Plan { layers, view, limits, filters })
    }

    /// Enters the sandbox. Returns in the process that becomes the program; supervisors never return.
    pub fn enter(&self) -> io::Result<()> {
        // Signals to the referee's terminal or process group must not reach the program, nor vice versa.
        unistd::setsid()?;
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        let is_unprivileged = !self.layers.is_root() && self.layers.has(Layer::User);
        if is_unprivileged {
            enter_user_namespace(Uid::effective(), Gid::effective())?;
        }
        unshare(self.layers.namespaces())?;
        // Without a PID namespace, orphans of the program become children of the supervisor.
        prctl::set_child_subreaper(true)?;
        let has_processes = self.layers.has(Layer::Processes);
        continue_in_child(!has_processes)?;
        if has_processes {
            // This is the init process of the namespace: when it exits, the kernel kills all others in it.
            continue_in_child(false)?;
        }
        if self.layers.has(Layer::Files) {
            self.view.enter()?;
            if has_processes {
                let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
                // Inside some containers `/proc` is masked and mounting it is refused. Programs work without it.
                let _ = mount(Some("proc"), "/proc", Some("proc"), flags, None::<&Path>);
            }
        }
        unistd::chdir(&self.view.home(self.layers.has(Layer::Files)))?;
        if self.layers.is_root() && self.layers.has(Layer::User) {
            // Among the machine's own files, `nobody` may have no access to the interpreter; root without
            // privileges has.
            match self.layers.has(Layer::Files) {
                true => become_nobody()?,
                false => enter_user_namespace(Uid::effective(), Gid::effective())?,
            }
        }
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        self.set_limits()?;
        prctl::set_no_new_privs()?;
        if self.layers.has(Layer::Landlock) && !self.layers.has(Layer::Files) {
            let scratch = self.view.scratch(false);
            restrict_files(&self.view.readable().collect::<Vec<_>>(), &[&scratch])?;
        }
        self.filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
    }

    fn set_limits(&self) -> io::Result<()> {
        let ResourceLimits { n_tasks, n_files, file_bytes, cpu_seconds } = self.limits;
        // Without a user namespace the kernel would also count the user's other processes.
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

/// Enters a user namespace that maps the user to itself, with all capabilities inside and none outside.
fn enter_user_namespace(uid: Uid, gid: Gid) -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWUSER)?;
    let write = |file: &str, text: String| {
        std::fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes())
    };
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    write("/proc/self/uid_map", format!("{uid} {uid} 1"))
}

/// Drops root for good. In its own user namespace the kernel counts each program's processes separately. Its ID maps
/// stay empty, because the machine's files are no longer visible.
fn become_nobody() -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    unistd::setgroups(&[])?;
    unistd::setresgid(gid, gid, gid)?;
    unistd::setresuid(uid, uid, uid)?;
    Ok(unshare(CloneFlags::CLONE_NEWUSER)?)
}

/// Forks. The child returns; the parent becomes its supervisor and never returns.
///
/// With `for_all` the supervisor waits until all its children are gone, adopted orphans included.
fn continue_in_child(for_all: bool) -> io::Result<()> {
    #[expect(unsafe_code, reason = "a supervisor needs a process of its own")]
    // SAFETY: This process has one thread.
    match unsafe { unistd::fork() }? {
        // Killing the referee, by any signal, kills all that it has started.
        ForkResult::Child => Ok(prctl::set_pdeathsig(Signal::SIGKILL)?),
        ForkResult::Parent { child } => supervise(child, for_all),
    }
}

/// Waits for the program and exits as it did. Closes all files first: the referee waits for the end of the pipes.
fn supervise(program: Pid, for_all: bool) -> ! {
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
    exit_as(ending)
}

enum Ending {
    Code(i32),
    Signal(Signal),
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

fn close_all() {
    #[expect(unsafe_code, reason = "no library offers this call")]
    // SAFETY: A supervisor uses no file any more.
    unsafe {
        libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, 0);
    }
}

/// Restricts this process by Landlock to some readable and some writable paths.
pub(super) fn restrict_files(readable: &[&Path], writable: &[&Path]) -> io::Result<()> {
    let abi = ABI::V3;
    let rules = |paths: &[&Path], access| {
        let fds = paths.iter().filter_map(|path| PathFd::new(path).ok());
        fds.map(move |fd| PathBeneath::new(fd, access)).collect::<Vec<_>>()
    };
    let restrict = || {
        let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(abi))?.create()?;
        for rule in rules(readable, AccessFs::from_read(abi)) {
            ruleset = ruleset.add_rule(rule)?;
        }
        for rule in rules(writable, AccessFs::from_all(abi)) {
            ruleset = ruleset.add_rule(rule)?;
        }
        ruleset.restrict_self()
    };
    let status = restrict().map_err(|error: landlock::RulesetError| io::Error::other(error.to_string()))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err(io::Error::from_raw_os_error(libc::ENOSYS)),
        _ => Ok(()),
    }
}
