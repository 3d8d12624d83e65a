//! Entering a sandbox, between fork and exec.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use nix::libc;
use nix::sched::unshare;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{self, Pid, Uid};

use super::access::{self, Rights};
use super::filter::{self, Gaps};
use super::group::{self, Group};
use super::identity::{self, Identity};
use super::supervisor::{Guard, Quota, continue_in_child, hide_origin};
use super::{Layer, Layers, ResourceLimits, View, in_words};
use crate::proc::n_threads;

/// All that a child process needs to enter its sandbox, prepared before the fork.
pub(super) struct Plan {
    layers: Layers,
    identity: Identity,
    view: Arc<View>,
    /// The program's folder outside, or a copy of it.
    folder: PathBuf,
    home: PathBuf,
    /// What Landlock permits, if it replaces the view.
    paths: Option<Vec<(PathBuf, Rights)>>,
    /// What the supervisor must know if there is no PID namespace.
    guard: Option<Guard>,
    limits: Vec<(Resource, u64)>,
    /// Where the program enters its control group.
    doors: Vec<File>,
}

/// What a program without a file system of its own may write.
const MAX_WRITTEN: u64 = 128 << 20;
const MAX_FILES: usize = 8_192;
/// How many tasks a program may add to those of its user, where the kernel cannot count them apart: games that are
/// played at the same time count too.
const SHARED_TASKS: u64 = 256;

impl Plan {
    /// Prepares a sandbox: copies the program's folder where needed.
    pub fn new(
        layers: &Layers,
        view: &Arc<View>,
        limits: ResourceLimits,
        group: Option<&Group>,
    ) -> io::Result<Plan> {
        let has_files = layers.has(Layer::Files);
        let identity = layers.identity();
        let (folder, n_copied) = view.prepare(has_files, identity)?;
        let has_rules = !has_files && layers.has(Layer::Landlock);
        let quota = (!has_files).then(|| Quota {
            folders: view.written(),
            shared_memory: super::shared_memory::SharedMemory::now(identity.own_user()),
            max_bytes: MAX_WRITTEN + n_copied.bytes,
            max_files: MAX_FILES + n_copied.entries,
        });
        let guard = (!layers.has(Layer::Processes)).then(|| Guard {
            referee: unistd::getpid(),
            lock: view.lock(),
            own_user: identity.own_user(),
            quota,
        });
        Ok(Plan {
            layers: layers.clone(),
            identity,
            paths: has_rules.then(|| view.rules(&folder)),
            home: view.home(has_files),
            view: Arc::clone(view),
            folder,
            guard,
            limits: resources(limits, identity),
            doors: group.map_or(Ok(Vec::new()), Group::doors)?,
        })
    }

    /// Enters the sandbox. Returns in the process that becomes the program; supervisors never return.
    pub fn enter(&self) -> io::Result<()> {
        let (has_files, has_processes) = (self.layers.has(Layer::Files), self.layers.has(Layer::Processes));
        // Signals to the referee's terminal or process group must not reach the program, nor vice versa.
        unistd::setsid()?;
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        // Another user must be able to read what is created on the way, and every program gets the same one.
        umask(Mode::from_bits_truncate(0o022));
        if self.identity == Identity::Namespace {
            Step::UserNamespace.of(identity::enter_user_namespace())?;
        }
        let namespaces = self.layers.namespaces();
        // Container runtimes refuse the call even if it asks for nothing.
        if !namespaces.is_empty() {
            Step::Namespaces.of(unshare(namespaces))?;
        }
        hide_origin()?;
        // Without a PID namespace, orphans of the program become children of the supervisor.
        prctl::set_child_subreaper(true)?;
        continue_in_child(self.guard.as_ref())?;
        if has_processes {
            continue_in_child(None)?;
        }
        // Where the kernel shares processors among sessions, the supervisor is not crowded out by many processes.
        unistd::setsid()?;
        let supervisor = unistd::getppid();
        Step::Group.of(group::enter(&self.doors))?;
        if has_files {
            Step::Files.of(self.view.enter(&self.folder, has_processes))?;
        }
        Step::Files.of(unistd::chdir(&self.home))?;
        prctl::set_no_new_privs()?;
        if self.paths.is_some() || !has_processes && self.layers.has(Layer::Landlock) {
            Step::Landlock.of(access::restrict(self.paths.as_deref()))?;
        }
        Step::User.of(self.identity.assume())?;
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        Step::Limits.of(self.set_limits())?;
        reset_signals();
        if self.layers.has(Layer::Seccomp) {
            Step::Filter.of(self.filter(supervisor))?;
        }
        Ok(())
    }

    fn set_limits(&self) -> io::Result<()> {
        for &(resource, limit) in &self.limits {
            let (_, hard) = getrlimit(resource)?;
            let limit = hard.min(limit as rlim_t);
            setrlimit(resource, limit, limit)?;
        }
        Ok(())
    }

    fn filter(&self, supervisor: Pid) -> io::Result<()> {
        let has_files = self.layers.has(Layer::Files);
        let protected = self.guard.as_ref().map(|guard| vec![guard.referee.as_raw(), supervisor.as_raw()]);
        let gaps = Gaps {
            sockets: !has_files || !self.layers.has(Layer::Network),
            attributes: !has_files && self.identity.owns_foreign_files(),
            processes: protected,
        };
        let programs = filter::programs(&gaps)?;
        programs.iter().try_for_each(|filter| seccompiler::apply_filter(filter).map_err(io::Error::other))
    }
}

/// Prepares this process for starting programs, of which many may run at the same time.
pub fn prepare_referee() {
    // Each takes about a dozen files.
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
    // If a parent ignores the ends of its children, its programs inherit that, and no child could be waited for.
    handle(Signal::SIGCHLD, SigHandler::SigDfl);
}

/// Ignores a signal, or handles it in the usual way.
fn handle(number: Signal, how: SigHandler) {
    #[expect(unsafe_code, reason = "signal handlers can be unsound; these are none")]
    // SAFETY: Neither runs any code of ours.
    let _ = unsafe { signal(number, how) };
}

/// Every program starts with the same signal handling, whatever the referee has inherited: shells ignore signals in
/// what they start in the background, and so does `nohup`.
fn reset_signals() {
    // The kernel refuses it for SIGKILL and SIGSTOP, which nothing can change.
    Signal::iterator().for_each(|number| handle(number, SigHandler::SigDfl));
    // A file that grows beyond its limit is an error of the call that writes it, as on a full disk, and no signal.
    handle(Signal::SIGXFSZ, SigHandler::SigIgn);
}

fn resources(limits: ResourceLimits, identity: Identity) -> Vec<(Resource, u64)> {
    let ResourceLimits { n_tasks, n_files, file_bytes, cpu_seconds, total_memory: _ } = limits;
    let n_tasks = match identity.is_counted_apart() {
        true => n_tasks,
        // The kernel also counts the user's other processes.
        false => n_tasks_of(unistd::getuid()) + SHARED_TASKS,
    };
    let limits = [
        (Resource::RLIMIT_NOFILE, n_files),
        (Resource::RLIMIT_FSIZE, file_bytes),
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_NPROC, n_tasks),
    ];
    let cpu = cpu_seconds.map(|seconds| (Resource::RLIMIT_CPU, seconds));
    limits.into_iter().chain(cpu).collect()
}

/// The number of processes and threads of a user.
fn n_tasks_of(user: Uid) -> u64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let tasks = processes.filter_map(|process| std::fs::metadata(process.path().join("task")).ok());
    tasks.filter(|meta| meta.uid() == user.as_raw()).map(|meta| n_threads(&meta)).sum()
}

/// A part of entering a sandbox, to say which one failed.
///
/// A child can only report a number to its parent; the step is encoded in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    UserNamespace = 1,
    Namespaces,
    Files,
    Landlock,
    User,
    Limits,
    Filter,
    Group,
}

/// More than any error number of the kernel.
const PER_STEP: i32 = 4096;

impl Step {
    const ALL: [Step; 8] = [
        Step::UserNamespace,
        Step::Namespaces,
        Step::Files,
        Step::Landlock,
        Step::User,
        Step::Limits,
        Step::Filter,
        Step::Group,
    ];

    fn name(self) -> &'static str {
        match self {
            Step::UserNamespace => "a user namespace",
            Step::Namespaces => "namespaces",
            Step::Files => "its files",
            Step::Landlock => "Landlock",
            Step::User => "another user",
            Step::Limits => "resource limits",
            Step::Filter => "a seccomp filter",
            Step::Group => "a control group",
        }
    }

    fn of<T, E: Into<io::Error>>(self, result: Result<T, E>) -> io::Result<T> {
        result.map_err(|error| {
            let number = error.into().raw_os_error().unwrap_or(libc::EINVAL);
            io::Error::from_raw_os_error(self as i32 * PER_STEP + number)
        })
    }

    /// An error of this step in words.
    pub fn explain(self, error: io::Error) -> io::Error {
        in_words(error, format_args!("the sandbox cannot set up {}", self.name()))
    }
}

/// An error of [`Plan::enter`] in words; any other error as it is.
pub(super) fn explain(error: io::Error) -> io::Error {
    let Some(number) = error.raw_os_error() else { return error };
    let Some(step) = Step::ALL.into_iter().find(|&step| step as i32 == number / PER_STEP) else {
        return error;
    };
    let cause = io::Error::from_raw_os_error(number % PER_STEP);
    step.explain(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_their_step() {
        for step in Step::ALL {
            let error = explain(step.of(Err::<(), _>(nix::Error::EPERM)).unwrap_err());
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
            assert!(error.to_string().starts_with("the sandbox cannot set up "), "{error}");
        }
        assert_eq!(explain(io::Error::from_raw_os_error(libc::ENOENT)).raw_os_error(), Some(libc::ENOENT));
    }
}
