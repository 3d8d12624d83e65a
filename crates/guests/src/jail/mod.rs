//! The sandbox of external agents: what their programs can see, do and use.
//!
//! A [`Jail`] starts a program behind the [`Layers`] that this machine's kernel supports: without a network, with a
//! [`View`] of a few folders and its own temporary folder, in a process tree that is killed as a whole, with a filter of
//! system calls and [`ResourceLimits`]. No layer needs root; if the referee is root, the program loses its privileges.
//!
//! All `unsafe` code of the crate is here: fork, exec and the system calls that no library offers.

mod filter;
mod launch;
mod layers;
mod view;

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

pub use layers::{Layer, Layers};
pub use view::{HOME, View};

/// A sandbox: the layers around a program, and the files that it sees.
pub struct Jail {
    layers: Layers,
    view: Arc<View>,
}

/// The kernel's resource limits (`setrlimit`) for every process of a sandbox.
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
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits { n_tasks: 64, n_files: 256, file_bytes: 64 << 20, cpu_seconds: None }
    }
}

impl Jail {
    /// A sandbox of these layers, which shows these files.
    pub fn new(layers: Layers, view: View) -> Jail {
        Jail { layers, view: Arc::new(view) }
    }

    /// The layers of the sandbox.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The program's working directory: its own folder, or the one that holds it (see [`View::within_home`]).
    pub fn home(&self) -> PathBuf {
        self.view.home(self.layers.has(Layer::Files))
    }

    /// Starts a program with pipes for its standard input, output and error.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, program: &Path, args: &[String], limits: ResourceLimits) -> io::Result<Child> {
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(self.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let plan = launch::Plan::new(self.layers.clone(), Arc::clone(&self.view), limits)?;
        #[expect(unsafe_code, reason = "the child enters its sandbox between fork and exec")]
        // SAFETY: Between fork and exec only this thread exists. The plan makes system calls and allocates. It takes
        // no lock that another thread could have held: `fork` resets those of the allocator.
        unsafe {
            command.pre_exec(move || plan.enter());
        }
        command.spawn()
    }

    /// A clean environment, which inherits nothing from the referee.
    fn environment(&self) -> Vec<(&'static str, String)> {
        let scratch = self.view.scratch(self.layers.has(Layer::Files)).display().to_string();
        let mut variables = vec![
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            // Libraries ask for the user's name, and the sandbox has no user database.
            ("USER", "agent".to_owned()),
            ("LOGNAME", "agent".to_owned()),
            ("HOME", scratch.clone()),
            ("TMPDIR", scratch),
            ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ];
        // Numeric libraries start a thread per core by default; the course allows one.
        let threads = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"];
        variables.extend(threads.map(|name| (name, "1".to_owned())));
        variables
    }
}
