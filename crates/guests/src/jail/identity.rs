//! The user as which a program runs.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicU32, Ordering};

use caps::{CapSet, Capability, CapsHashSet};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::unistd::{self, Gid, Uid};

/// The user as which a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The referee's own user, without its capabilities.
    Same,
    /// The referee's own user in a user namespace, with all capabilities inside until the program starts and none
    /// outside.
    Namespace,
    /// `nobody` in a user namespace of its own, in which the kernel counts its processes separately.
    Nobody,
    /// A user that no other process has. The capability is for reading what only root can: an interpreter in root's
    /// home, where the machine's own files are used and another layer restricts them.
    Own(Uid, Option<Capability>),
}

/// The unprivileged user that replaces root.
pub const NOBODY: u32 = 65534;
/// The users that systemd reserves for short-lived services: no account has them.
const OWN: std::ops::RangeInclusive<u32> = 61184..=65519;

impl Identity {
    /// A user that no process has at the moment, with or without access to root's files.
    pub fn own(reads_all: bool) -> Identity {
        static N_USED: AtomicU32 = AtomicU32::new(0);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let used: HashSet<u32> =
            processes.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.uid()).collect();
        // Processes with successive IDs begin far from each other.
        let first = std::process::id().wrapping_mul(64);
        let candidate = || {
            let n_used = N_USED.fetch_add(1, Ordering::Relaxed);
            OWN.start() + first.wrapping_add(n_used) % (OWN.end() - OWN.start() + 1)
        };
        let uid = std::iter::repeat_with(candidate).find(|uid| !used.contains(uid)).unwrap_or(NOBODY);
        let access = [Capability::CAP_DAC_READ_SEARCH, Capability::CAP_DAC_OVERRIDE];
        let has = |&capability: &Capability| has_capability(CapSet::Permitted, capability);
        Identity::Own(Uid::from_raw(uid), access.into_iter().find(has).filter(|_| reads_all))
    }

    /// The user's ID, if no other process has it.
    pub fn own_user(self) -> Option<Uid> {
        match self {
            Identity::Own(uid, _) => Some(uid),
            _ => None,
        }
    }

    /// Whether the program may change the attributes of files beyond its own, as their owner.
    pub fn owns_foreign_files(self) -> bool {
        !matches!(self, Identity::Nobody | Identity::Own(_, None | Some(Capability::CAP_DAC_READ_SEARCH)))
    }

    /// Whether the kernel counts its processes apart from those of all others.
    pub fn is_counted_apart(self) -> bool {
        self != Identity::Same
    }

    /// Takes the identity, for good. A namespace was entered before.
    pub fn assume(self) -> io::Result<()> {
        match self {
            Identity::Same => keep_capabilities(CapsHashSet::new()),
            Identity::Namespace => Ok(()),
            Identity::Nobody => {
                become_user(Uid::from_raw(NOBODY))?;
                // Its ID maps stay empty, because the machine's files are no longer visible.
                Ok(unshare(CloneFlags::CLONE_NEWUSER)?)
            }
            Identity::Own(uid, capability) => {
                prctl::set_keepcaps(capability.is_some())?;
                become_user(uid)?;
                keep_capabilities(capability.into_iter().collect())
            }
        }
    }
}

fn become_user(uid: Uid) -> io::Result<()> {
    let gid = Gid::from_raw(uid.as_raw());
    unistd::setgroups(&[])?;
    unistd::setresgid(gid, gid, gid)?;
    Ok(unistd::setresuid(uid, uid, uid)?)
}

/// Drops all capabilities but these, which programs started later keep too.
fn keep_capabilities(kept: CapsHashSet) -> io::Result<()> {
    for set in [CapSet::Inheritable, CapSet::Effective, CapSet::Permitted] {
        caps::set(None, set, &kept).map_err(|_| io::ErrorKind::PermissionDenied)?;
    }
    // Kernels without ambient capabilities have none to drop.
    let ambient = caps::set(None, CapSet::Ambient, &kept);
    if kept.is_empty() { Ok(()) } else { ambient.map_err(|_| io::ErrorKind::PermissionDenied.into()) }
}

/// Enters a user namespace that maps the user to itself. Root becomes `nobody` inside: it would get capabilities back.
pub fn enter_user_namespace() -> io::Result<()> {
    let (uid, gid) = (Uid::effective(), Gid::effective());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    let write =
        |file: &str, text: String| fs::OpenOptions::new().write(true).open(file)?.write_all(text.as_bytes());
    let inside = |id: u32| if id == 0 { NOBODY } else { id };
    write("/proc/self/setgroups", "deny".to_owned())?;
    write("/proc/self/gid_map", format!("{} {gid} 1", inside(gid.as_raw())))?;
    write("/proc/self/uid_map", format!("{} {uid} 1", inside(uid.as_raw())))
}

/// Whether this process is root and can start programs as other users. In a container root may be an ordinary user.
pub fn can_change_user() -> bool {
    let needed = [Capability::CAP_SETUID, Capability::CAP_SETGID, Capability::CAP_KILL];
    let has = |&capability: &Capability| has_capability(CapSet::Effective, capability);
    let is_mapped = |file: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let covers = |line: &str| {
            let mut words = line.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
            let (first, n_ids) = (words.next()?, words.nth(1)?);
            Some(first <= u64::from(*OWN.start()) && u64::from(NOBODY) < first + n_ids)
        };
        text.lines().any(|line| covers(line) == Some(true))
    };
    let may_set_groups =
        fs::read_to_string("/proc/self/setgroups").map_or(true, |text| text.trim() == "allow");
    unistd::geteuid().is_root()
        && needed.iter().all(has)
        && may_set_groups
        && ["/proc/self/uid_map", "/proc/self/gid_map"].into_iter().all(is_mapped)
}

fn has_capability(set: CapSet, capability: Capability) -> bool {
    caps::has_cap(None, set, capability).unwrap_or(false)
}
