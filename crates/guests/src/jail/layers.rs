//! The layers of a sandbox, and which of them this machine supports.

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use nix::sched::CloneFlags;
use nix::unistd;

use super::{Jail, ResourceLimits, View, launch};

/// One mechanism of the kernel that isolates a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A user namespace: no privileges, and the user `nobody` if the referee is root.
    User,
    /// A network namespace: no network.
    Network,
    /// A mount namespace: only a few folders exist.
    Files,
    /// Landlock: other folders are visible, but cannot be opened. The fallback for [`Layer::Files`].
    Landlock,
    /// A PID namespace: no other processes are visible, and the program's own are killed together.
    Processes,
    /// A seccomp filter: system calls that no agent needs are refused.
    Seccomp,
}

impl Layer {
    /// All layers, in the order in which they are probed and listed.
    pub const ALL: [Layer; 6] =
        [Layer::User, Layer::Network, Layer::Files, Layer::Landlock, Layer::Processes, Layer::Seccomp];

    /// What it means for an agent, as the end of a sentence that begins with "an agent".
    pub fn about(self) -> &'static str {
        match self {
            Layer::User => "runs as a user without privileges",
            Layer::Network => "has no network access",
            Layer::Files => "sees only its own folder, its interpreter and a temporary folder",
            Layer::Landlock => "cannot open other files (used if `files` is missing)",
            Layer::Processes => "sees no other processes; all of its own end with the game",
            Layer::Seccomp => "is refused system calls that no agent needs, sockets among them",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Layer::User => "user",
            Layer::Network => "network",
            Layer::Files => "files",
            Layer::Landlock => "landlock",
            Layer::Processes => "processes",
            Layer::Seccomp => "seccomp",
        })
    }
}

/// The layers in use, and why the others are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    missing: Vec<(Layer, String)>,
    is_root: bool,
}

impl Layers {
    /// All layers that this machine supports; each is tried once per process.
    pub fn of_this_machine() -> Layers {
        static FOUND: OnceLock<Layers> = OnceLock::new();
        FOUND.get_or_init(probe).clone()
    }

    /// No layer at all.
    pub fn none() -> Layers {
        let missing = Layer::ALL.map(|layer| (layer, "switched off".to_owned())).to_vec();
        Layers { missing, is_root: unistd::geteuid().is_root() }
    }

    /// The same layers without one, as on a machine that does not support it.
    #[must_use]
    pub fn without(mut self, layer: Layer) -> Layers {
        if self.has(layer) {
            self.missing.push((layer, "switched off".to_owned()));
        }
        self
    }

    /// Whether a layer is available.
    pub fn has(&self, layer: Layer) -> bool {
        self.missing(layer).is_none()
    }

    /// Why a layer is missing, if it is.
    pub fn missing(&self, layer: Layer) -> Option<&str> {
        self.missing.iter().find(|(missing, _)| *missing == layer).map(|(_, why)| why.as_str())
    }

    /// Whether a layer is available and used. Landlock is only a fallback.
    pub fn is_active(&self, layer: Layer) -> bool {
        self.has(layer) && !(layer == Layer::Landlock && self.has(Layer::Files))
    }

    /// The names of the active layers.
    pub fn names(&self) -> Vec<String> {
        Layer::ALL.iter().filter(|&&layer| self.is_active(layer)).map(Layer::to_string).collect()
    }

    /// Checks that a program can reach neither the network nor other files and processes.
    ///
    /// # Errors
    /// What it could do, as the end of a sentence that begins with "agents could".
    pub fn check_isolation(&self) -> Result<(), String> {
        let gaps = [
            (self.has(Layer::Network) || self.has(Layer::Seccomp), "use the network"),
            (self.has(Layer::Files) || self.has(Layer::Landlock), "read and write all files"),
            (self.has(Layer::Processes), "leave processes behind for a moment and signal other processes"),
        ];
        let gaps: Vec<_> = gaps.into_iter().filter(|(closed, _)| !closed).map(|(_, gap)| gap).collect();
        if gaps.is_empty() { Ok(()) } else { Err(gaps.join(", ")) }
    }

    pub(super) fn is_root(&self) -> bool {
        self.is_root
    }

    /// The namespaces to enter, apart from the user namespace.
    pub(super) fn namespaces(&self) -> CloneFlags {
        let kinds = [
            (Layer::Network, CloneFlags::CLONE_NEWNET),
            (Layer::Files, CloneFlags::CLONE_NEWNS),
            (
                Layer::Processes,
                CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS,
            ),
        ];
        kinds.into_iter().filter(|(layer, _)| self.has(*layer)).map(|(_, flags)| flags).collect()
    }
}

/// Tries each layer on a program that does nothing, together with the layers found before it.
fn probe() -> Layers {
    let mut layers = Layers::none();
    // The order matters: without root the others need the user namespace, and Landlock depends on `Files`.
    for layer in Layer::ALL {
        let is_fallback = layer == Layer::Landlock && layers.has(Layer::Files);
        let tried = Layers {
            missing: layers.missing.iter().filter(|(other, _)| *other != layer).cloned().collect(),
            ..layers.clone()
        };
        match if is_fallback { try_landlock() } else { try_layers(&tried) } {
            Ok(()) => layers = tried,
            Err(error) => {
                layers.missing.retain(|(other, _)| *other != layer);
                layers.missing.push((layer, error.to_string()));
            }
        }
    }
    layers
}

fn try_layers(layers: &Layers) -> io::Result<()> {
    let shell = Path::new("/bin/sh");
    let folder = tempfile::tempdir()?;
    let jail = Jail::new(layers.clone(), View::new(folder.path(), &[])?);
    let args = ["-c".to_owned(), "exit 0".to_owned()];
    let ended = jail.start(shell, &args, ResourceLimits::default())?.wait_with_output()?;
    if ended.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    Err(io::Error::other(format!("a test program ended with {}: {output}", ended.status)))
}

fn try_landlock() -> io::Result<()> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exit 0"]);
    #[expect(unsafe_code, reason = "only the child can restrict itself")]
    // SAFETY: As in `Jail::start`: system calls and allocation, no locks.
    unsafe {
        command.pre_exec(|| launch::restrict_files(&[Path::new("/")], &[]));
    }
    command.status().map(|_| ())
}
