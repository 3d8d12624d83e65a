//! The sandbox of external agents: what their programs can see, do and use.
//!
//! A [`Jail`] starts a program behind the [`Layers`] that this machine's kernel supports: without a network, with a
//! [`View`] of a few folders and its own temporary folder, in a process tree that is killed as a whole, with a filter of
//! system calls and [`ResourceLimits`]. No layer needs root; if the referee is root, the program loses its privileges.
//! Where there are no namespaces, as in most containers, Landlock, the filter and a supervisor do what they can instead.
//!
//! All `unsafe` code of the crate is here: fork, exec and the system calls that no library offers.

mod access;
mod advice;
mod copy;
mod filter;
mod folders;
mod group;
mod identity;
mod launch;
mod layers;
mod shared_memory;
mod supervisor;
mod view;

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use nix::libc;

pub use folders::Folder;
pub use group::{Group, Groups};
use launch::Step;
pub(crate) use launch::prepare_referee;
pub use layers::{Layer, Layers};
pub use view::{HOME, View};

/// A sandbox: the layers around a program, and the files that it sees. It must live as long as the program.
#[derive(Clone)]
pub struct Jail {
    layers: Layers,
    view: Arc<View>,
    /// Environment variables in addition to the usual ones.
    variables: Vec<(&'static str, String)>,
}

/// The kernel's resource limits (`setrlimit`) for every process of a sandbox, and for all of them together.
#[derive(Clone, Copy, Debug)]
pub struct ResourceLimits {
    /// Processes and threads of the whole tree.
    pub n_tasks: u64,
    /// Open files of a process.
    pub n_files: u64,
    /// Size of a file in bytes.
    pub file_bytes: u64,
    /// CPU seconds of one process: a backstop behind the referee's own clock.
    pub cpu_seconds: Option<u64>,
    /// Memory of all processes in bytes, where it can be counted: a backstop too.
    pub total_memory: Option<u64>,
}

/// A program in a sandbox that was just started.
pub struct Started {
    /// The outermost process, which exits as the program does.
    pub child: Child,
    /// What counts all its processes, if this machine has control groups.
    pub group: Option<Group>,
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits {
            n_tasks: 64,
            n_files: 256,
            file_bytes: 64 << 20,
            cpu_seconds: None,
            total_memory: None,
        }
    }
}

impl Jail {
    /// A sandbox of these layers, which shows these files.
    pub fn new(layers: Layers, view: View) -> Jail {
        Jail { layers, view: Arc::new(view), variables: Vec::new() }
    }

    /// The same sandbox with an environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: &'static str, value: &str) -> Jail {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// The layers of the sandbox.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The program's working directory: its own folder, or the one that holds it (see [`View::within_home`]).
    pub fn home(&self) -> PathBuf {
        self.view.home(self.layers.has(Layer::Files))
    }

    /// Starts a program with pipes for its standard input, output and error; once in the life of a sandbox.
    ///
    /// # Errors
    /// If it cannot be started. An error with a number of the system (`raw_os_error`) is about the program itself or the
    /// process for it, any other about the sandbox.
    pub fn start(&self, program: &Path, args: &[String], limits: ResourceLimits) -> io::Result<Started> {
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(self.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = self.layers.groups().ok().map(|groups| groups.create(limits.total_memory)).transpose();
        let group = group.map_err(|error| Step::Group.explain(error))?;
        let plan = launch::Plan::new(&self.layers, &self.view, limits, group.as_ref())
            .map_err(|error| Step::Files.explain(error))?;
        #[expect(unsafe_code, reason = "the child enters its sandbox between fork and exec")]
        // SAFETY: Between fork and exec only this thread exists. The plan makes system calls and allocates. It takes
        // no lock that another thread could have held: `fork` resets those of the allocator.
        unsafe {
            command.pre_exec(move || plan.enter());
        }
        let child = command.spawn().map_err(launch::explain)?;
        Ok(Started { child, group })
    }

    /// A clean environment, which inherits nothing from the referee.
    fn environment(&self) -> Vec<(&'static str, String)> {
        let scratch = self.view.scratch(self.layers.has(Layer::Files)).display().to_string();
        let mut variables = vec![
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            // Libraries ask for the user's name.
            ("USER", "agent".to_owned()),
            ("LOGNAME", "agent".to_owned()),
            ("HOME", scratch.clone()),
            ("TMPDIR", scratch),
            ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ];
        // Numeric libraries start a thread per core by default; the course allows one.
        let threads = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"];
        variables.extend(threads.map(|name| (name, "1".to_owned())));
        variables.extend(self.variables.iter().cloned());
        variables
    }
}

/// An error of the system with words about what was tried. It loses its number, and with it the meaning "no such
/// program"; that of too few descriptors stays, because it passes.
fn in_words(error: io::Error, words: impl fmt::Display) -> io::Error {
    match error.raw_os_error() {
        Some(libc::EMFILE | libc::ENFILE) => error,
        _ => io::Error::new(error.kind(), format!("{words}: {error}")),
    }
}
