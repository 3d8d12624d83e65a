//! A place for strangers' programs: what they may see, do and use.
//!
//! A [`Jail`] starts a program behind the [`Layers`] that this machine's kernel offers: without a network,
//! with a view of a few folders and a temporary space of its own, in a process tree that ends as a whole,
//! with few system calls and small limits. No layer needs root; as root, the program loses it.

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

/// Where programs run, and what of the machine they see.
pub struct Jail {
    layers: Layers,
    view: Arc<View>,
}

/// What the kernel holds every process of a jail to.
#[derive(Clone, Copy, Debug)]
pub struct Ceilings {
    /// Processes and threads of the tree.
    pub n_tasks: u64,
    /// Open files of a process.
    pub n_files: u64,
    /// Bytes of a file.
    pub file_bytes: u64,
    /// Seconds of CPU of one process: a backstop behind the referee's own clock.
    pub cpu_seconds: Option<u64>,
}

impl Default for Ceilings {
    fn default() -> Ceilings {
        Ceilings { n_tasks: 64, n_files: 256, file_bytes: 64 << 20, cpu_seconds: None }
    }
}

impl Jail {
    /// A jail with these layers around a view.
    pub fn new(layers: Layers, view: View) -> Jail {
        Jail { layers, view: Arc::new(view) }
    }

    /// The layers.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The folder in which the program begins: its own, or where that is found by its name.
    pub fn home(&self) -> PathBuf {
        self.view.home(self.layers.has(Layer::Files))
    }

    /// Starts a program that is driven through its input and output.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, program: &Path, args: &[String], ceilings: Ceilings) -> io::Result<Child> {
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(self.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let plan = launch::Plan::new(self.layers.clone(), Arc::clone(&self.view), ceilings)?;
        #[expect(unsafe_code, reason = "the child enters its jail between fork and exec")]
        // SAFETY: Between fork and exec only this thread exists. The plan makes system calls and allocates;
        // it takes no lock that another thread could have held, as the allocator's are made anew by `fork`.
        unsafe {
            command.pre_exec(move || plan.enter());
        }
        command.spawn()
    }

    /// A clean environment, without anything of the host's.
    fn environment(&self) -> Vec<(&'static str, String)> {
        let scratch = self.view.scratch(self.layers.has(Layer::Files)).display().to_string();
        let mut variables = vec![
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            // Libraries ask for a name, which the view's users do not have.
            ("USER", "agent".to_owned()),
            ("LOGNAME", "agent".to_owned()),
            ("HOME", scratch.clone()),
            ("TMPDIR", scratch),
            ("PYTHONDONTWRITEBYTECODE", "1".to_owned()),
        ];
        // Number crunchers start a thread for each core unless they are told; the course allows one.
        let threads = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"];
        variables.extend(threads.map(|name| (name, "1".to_owned())));
        variables
    }
}
