//! The layers of a sandbox, and which of them this machine supports.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use nix::sched::CloneFlags;
use nix::unistd;

use super::folders::Folder;
use super::identity::{Identity, can_change_user};
use super::{Groups, Jail, ResourceLimits, Started, View, access};

/// One mechanism of the kernel that isolates a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A user without privileges, in a user namespace if there is one; never root.
    User,
    /// A network namespace: no network.
    Network,
    /// A mount namespace: only a few folders exist.
    Files,
    /// Landlock: other files cannot be opened, other processes not be signaled. The fallback for [`Layer::Files`] and
    /// [`Layer::Processes`].
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
            Layer::Landlock => "cannot open other files or signal other processes",
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
    /// Why there is no user namespace, if there is none.
    no_user_namespace: Option<String>,
    /// Whether Landlock restricts signals.
    has_signal_scope: bool,
    /// Whether the referee is root and can start programs as another user.
    can_change_user: bool,
    /// The control groups that count what a program uses, or why there are none.
    groups: Result<Groups, String>,
}

impl Layers {
    /// All layers that this machine supports; each is tried once per process.
    pub fn of_this_machine() -> Layers {
        static FOUND: OnceLock<Layers> = OnceLock::new();
        FOUND.get_or_init(probe).clone()
    }

    /// No layer at all.
    pub fn none() -> Layers {
        let off = || "switched off".to_owned();
        Layers {
            missing: Layer::ALL.map(|layer| (layer, off())).to_vec(),
            no_user_namespace: Some(off()),
            has_signal_scope: access::restricts_signals(),
            can_change_user: can_change_user(),
            groups: Err(off()),
        }
    }

    /// The same layers without one, as on a machine that does not support it.
    #[must_use]
    pub fn without(mut self, layer: Layer) -> Layers {
        if self.has(layer) {
            self.missing.push((layer, "switched off".to_owned()));
        }
        self
    }

    /// The same layers without any namespace, as in most containers.
    #[must_use]
    pub fn without_namespaces(self) -> Layers {
        let namespaces = [Layer::Network, Layer::Files, Layer::Processes];
        let layers = namespaces.into_iter().fold(self, Layers::without);
        Layers { no_user_namespace: Some("switched off".to_owned()), ..layers }
    }

    /// The same layers without control groups, as for an ordinary user.
    #[must_use]
    pub fn without_groups(self) -> Layers {
        Layers { groups: Err("switched off".to_owned()), ..self }
    }

    /// The control groups that count what a program uses. They isolate nothing, so that they are no layer.
    ///
    /// # Errors
    /// Why there are none.
    pub fn groups(&self) -> Result<&Groups, &str> {
        self.groups.as_ref().map_err(String::as_str)
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
        let is_spare = layer == Layer::Landlock && self.has(Layer::Files) && self.has(Layer::Processes);
        self.has(layer) && !is_spare
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
        let has_filter = self.has(Layer::Seccomp);
        // What Landlock leaves open, such as modes of files and sockets with a path, the filter closes.
        let has_rules = self.has(Layer::Landlock) && has_filter;
        let is_alone = self.identity().own_user().is_some() || self.has_signal_scope && has_rules;
        let gaps = [
            (self.has(Layer::User), "act as root"),
            (self.has(Layer::Network) || has_filter, "use the network"),
            (self.has(Layer::Files) || has_rules, "read and write all files"),
            (self.has(Layer::Processes) || is_alone && has_filter, "signal other processes"),
        ];
        let gaps: Vec<_> = gaps.into_iter().filter(|(closed, _)| !closed).map(|(_, gap)| gap).collect();
        if gaps.is_empty() { Ok(()) } else { Err(gaps.join(", ")) }
    }

    /// The user for a new program.
    pub(super) fn identity(&self) -> Identity {
        let has_namespace = self.no_user_namespace.is_none();
        match (self.has(Layer::User), self.can_change_user) {
            (false, _) => Identity::Same,
            (true, true) if has_namespace && self.has(Layer::Files) => Identity::Nobody,
            (true, true) => Identity::own(!self.has(Layer::Files)),
            (true, false) if has_namespace => Identity::Namespace,
            (true, false) => Identity::Same,
        }
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

    fn with(&self, layer: Layer) -> Layers {
        let missing = self.missing.iter().filter(|(other, _)| *other != layer).cloned().collect();
        Layers { missing, ..self.clone() }
    }
}

/// Tries each layer on a program that does nothing, together with the layers found before it.
fn probe() -> Layers {
    let mut layers = Layers::none();
    // The order matters: without root the others need the user namespace.
    layers.no_user_namespace = try_user_namespace().err().map(|error| error.to_string());
    for layer in Layer::ALL {
        let tried = layers.with(layer);
        match try_layer(layer, &tried) {
            Ok(()) => layers = tried,
            Err(error) => {
                layers.missing.retain(|(other, _)| *other != layer);
                layers.missing.push((layer, error.to_string()));
            }
        }
    }
    layers.groups = Groups::find().and_then(|groups| {
        let tried = Layers { groups: Ok(groups), ..layers.clone() };
        try_layers(&tried).map_err(|error| error.to_string())?;
        tried.groups
    });
    layers
}

fn try_layer(layer: Layer, layers: &Layers) -> io::Result<()> {
    if layer == Layer::User && unistd::geteuid().is_root() && layers.identity() == Identity::Same {
        return Err(io::Error::other("root cannot change its user here"));
    }
    let needs_user_namespace = matches!(layer, Layer::Network | Layer::Files | Layer::Processes);
    if needs_user_namespace
        && !layers.can_change_user
        && let Some(why) = &layers.no_user_namespace
    {
        return Err(io::Error::other(why.clone()));
    }
    // It is tried even where it is not used.
    let alone = Layers::none().with(Layer::Landlock);
    try_layers(if layer == Layer::Landlock { &alone } else { layers })
}

fn try_user_namespace() -> io::Result<()> {
    let layers =
        Layers { no_user_namespace: None, can_change_user: false, ..Layers::none().with(Layer::User) };
    try_layers(&layers)
}

fn try_layers(layers: &Layers) -> io::Result<()> {
    let folder = Folder::new()?;
    let jail = Jail::new(layers.clone(), View::new(folder.path(), &[])?);
    let args = ["-c".to_owned(), "exit 0".to_owned()];
    let limits = ResourceLimits::default();
    let Started { child, group: _group } = jail.start(Path::new("/bin/sh"), &args, limits)?;
    let ended = child.wait_with_output()?;
    if ended.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
    Err(io::Error::other(format!("a test program ended with {}: {output}", ended.status)))
}
