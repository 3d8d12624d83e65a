//! What the kernel offers to keep a program in its place.

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use nix::sched::CloneFlags;
use nix::unistd;

use super::{Ceilings, Jail, View, launch};

/// One thing that keeps a program in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A user without rights: a namespace of its own, and nobody where the referee is root.
    User,
    /// No network but what is inside: a namespace of its own.
    Network,
    /// Only a few folders are there at all: a mount namespace.
    Files,
    /// Other folders are there, but closed: Landlock. It stands in where there is no view of the files.
    Closed,
    /// The program's processes see only one another and die together: a process namespace.
    Processes,
    /// System calls that no player needs are refused: seccomp.
    Calls,
}

impl Layer {
    /// All layers, in the order in which people read them.
    pub const ALL: [Layer; 6] =
        [Layer::User, Layer::Network, Layer::Files, Layer::Closed, Layer::Processes, Layer::Calls];

    /// What it does, for people.
    pub fn about(self) -> &'static str {
        match self {
            Layer::User => "runs as a user without rights",
            Layer::Network => "has no network",
            Layer::Files => "sees only its own folder, its interpreter and a temporary space",
            Layer::Closed => "cannot open files elsewhere (used where `files` is not there)",
            Layer::Processes => "sees no other processes; all of its own end with the game",
            Layer::Calls => "is refused system calls that no player needs, sockets among them",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Layer::User => "user",
            Layer::Network => "network",
            Layer::Files => "files",
            Layer::Closed => "landlock",
            Layer::Processes => "processes",
            Layer::Calls => "seccomp",
        })
    }
}

/// Which layers are there, and why the others are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    missing: Vec<(Layer, String)>,
    is_root: bool,
}

impl Layers {
    /// What this machine has, found out once by trying each layer.
    pub fn of_this_machine() -> Layers {
        static FOUND: OnceLock<Layers> = OnceLock::new();
        FOUND.get_or_init(probe).clone()
    }

    /// No layer at all.
    pub fn none() -> Layers {
        let missing = Layer::ALL.map(|layer| (layer, "switched off".to_owned())).to_vec();
        Layers { missing, is_root: unistd::geteuid().is_root() }
    }

    /// The same without a layer, as on a machine that does not have it.
    #[must_use]
    pub fn without(mut self, layer: Layer) -> Layers {
        if self.has(layer) {
            self.missing.push((layer, "switched off".to_owned()));
        }
        self
    }

    /// Whether a layer is there.
    pub fn has(&self, layer: Layer) -> bool {
        self.missing(layer).is_none()
    }

    /// Why a layer is not there.
    pub fn missing(&self, layer: Layer) -> Option<&str> {
        self.missing.iter().find(|(missing, _)| *missing == layer).map(|(_, why)| why.as_str())
    }

    /// Whether a layer is there and used: Landlock only stands in.
    pub fn is_active(&self, layer: Layer) -> bool {
        self.has(layer) && !(layer == Layer::Closed && self.has(Layer::Files))
    }

    /// The names of those that are active.
    pub fn names(&self) -> Vec<String> {
        Layer::ALL.iter().filter(|&&layer| self.is_active(layer)).map(Layer::to_string).collect()
    }

    /// Whether a program can neither reach others nor survive, by one layer or another.
    ///
    /// # Errors
    /// What it could do.
    pub fn is_tight(&self) -> Result<(), String> {
        let gaps = [
            (self.has(Layer::Network) || self.has(Layer::Calls), "use the network"),
            (self.has(Layer::Files) || self.has(Layer::Closed), "read and write all files"),
            (self.has(Layer::Processes), "leave processes behind for a moment and signal others"),
        ];
        let gaps: Vec<_> = gaps.into_iter().filter(|(closed, _)| !closed).map(|(_, gap)| gap).collect();
        if gaps.is_empty() { Ok(()) } else { Err(gaps.join(", ")) }
    }

    pub(super) fn is_root(&self) -> bool {
        self.is_root
    }

    /// The namespaces to enter, but for the user's.
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

/// Tries each layer on a program that does nothing, the ones that were found before it around it.
fn probe() -> Layers {
    let mut layers = Layers::none();
    // The others need the user's namespace where the referee is not root, and Landlock is a stand-in.
    for layer in Layer::ALL {
        let is_spare = layer == Layer::Closed && layers.has(Layer::Files);
        let tried = Layers {
            missing: layers.missing.iter().filter(|(other, _)| *other != layer).cloned().collect(),
            ..layers.clone()
        };
        match if is_spare { try_landlock() } else { try_out(&tried) } {
            Ok(()) => layers = tried,
            Err(error) => {
                layers.missing.retain(|(other, _)| *other != layer);
                layers.missing.push((layer, error.to_string()));
            }
        }
    }
    layers
}

fn try_out(layers: &Layers) -> io::Result<()> {
    let shell = Path::new("/bin/sh");
    let folder = tempfile::tempdir()?;
    let jail = Jail::new(layers.clone(), View::new(folder.path(), &[])?);
    let args = ["-c".to_owned(), "exit 0".to_owned()];
    let ended = jail.start(shell, &args, Ceilings::default())?.wait_with_output()?;
    if ended.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    Err(io::Error::other(format!("a program in it ended with {}: {words}", ended.status)))
}

fn try_landlock() -> io::Result<()> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exit 0"]);
    #[expect(unsafe_code, reason = "only the child may close its own doors")]
    // SAFETY: As for a jail: system calls and allocation, no locks.
    unsafe {
        command.pre_exec(|| launch::close_files(&[Path::new("/")], &[]));
    }
    command.status().map(|_| ())
}
