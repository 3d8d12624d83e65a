//! Control groups: what all processes of a program use together, as the kernel counts it.
//!
//! A program gets a group of its own in each hierarchy that is needed, next to the referee's. Nothing escapes from it:
//! neither children that nobody waits for nor memory that no process has mapped. Groups need root, or a folder that
//! was handed over to the user; without them the meter reads `/proc`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// Where this machine's groups are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    cpu: Hierarchy,
    memory: Option<Hierarchy>,
}

/// The referee's own group, below which new ones are created.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hierarchy {
    place: PathBuf,
    /// Whether it is one of version 2, where all controllers share it.
    is_unified: bool,
}

/// The group of one program, removed when dropped. All its processes must have ended by then.
#[derive(Debug)]
pub struct Group {
    folders: Vec<PathBuf>,
    usage: File,
    is_usage_unified: bool,
    /// Its folder in the hierarchy that counts memory, and whether that is of version 2.
    memory: Option<(PathBuf, bool)>,
}

/// Memory of a group, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupMemory {
    /// All pages that are charged to it, with those of files that the kernel can drop.
    pub charged: u64,
    /// How often the kernel has killed a process because the group had too many.
    pub n_killed: u64,
}

const PREFIX: &str = "yarra-";
/// The file that lists a group's processes, and takes new ones.
const MEMBERS: &str = "cgroup.procs";

impl Groups {
    /// The hierarchies of this machine in which groups can be created. Those of killed referees are removed.
    ///
    /// # Errors
    /// Why there are none, in words.
    pub fn find() -> Result<Groups, String> {
        let [mounts, own] =
            ["mountinfo", "cgroup"].map(|name| fs::read_to_string(format!("/proc/self/{name}")));
        let (mounts, own) = (mounts.unwrap_or_default(), own.unwrap_or_default());
        let find = |controller: &str| {
            let found =
                [Some(controller), None].into_iter().filter_map(|name| hierarchy(&mounts, &own, name));
            found.inspect(|found| sweep(&found.place)).find(|found| found.offers(controller))
        };
        let cpu = find("cpuacct").ok_or("no control group of this machine is writable")?;
        Ok(Groups { cpu, memory: find("memory") })
    }

    /// Whether memory is counted too.
    pub fn count_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// A new group, whose processes may have so much memory together before the kernel kills one.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(super) fn create(&self, max_bytes: Option<u64>) -> io::Result<Group> {
        let folder = self.cpu.create()?;
        let (name, is_usage_unified) =
            if self.cpu.is_unified { ("cpu.stat", true) } else { ("cpuacct.usage", false) };
        let usage = File::open(folder.join(name));
        let mut folders = vec![folder];
        let memory = match &self.memory {
            None => None,
            Some(memory) if *memory == self.cpu => Some((folders[0].clone(), true)),
            Some(memory) => {
                folders.push(memory.create()?);
                Some((folders[1].clone(), memory.is_unified))
            }
        };
        let group = Group { folders, usage: usage?, is_usage_unified, memory };
        if let (Some((folder, is_unified)), Some(max_bytes)) = (&group.memory, max_bytes) {
            let name = if *is_unified { "memory.max" } else { "memory.limit_in_bytes" };
            fs::write(folder.join(name), max_bytes.to_string())?;
        }
        Ok(group)
    }
}

impl Hierarchy {
    /// Whether groups can be created that count this. CPU time is counted in every group of version 2.
    fn offers(&self, controller: &str) -> bool {
        if self.is_unified && controller == "memory" {
            let control = self.place.join("cgroup.subtree_control");
            // Refused where the group has processes, unless somebody has done it before.
            let _ = fs::write(&control, "+memory");
            let text = fs::read_to_string(control).unwrap_or_default();
            if !text.split_whitespace().any(|word| word == "memory") {
                return false;
            }
        }
        self.create().is_ok_and(|folder| fs::remove_dir(folder).is_ok())
    }

    fn create(&self) -> io::Result<PathBuf> {
        static N_GROUPS: AtomicU32 = AtomicU32::new(0);
        loop {
            let n_groups = N_GROUPS.fetch_add(1, Ordering::Relaxed);
            let folder = self.place.join(format!("{PREFIX}{}-{n_groups}", std::process::id()));
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(folder),
                // That of a referee that was killed and had the same process ID.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// The referee's own group in the hierarchy of a controller, or in that of version 2; from the texts of
/// `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn hierarchy(mounts: &str, own: &str, controller: Option<&str>) -> Option<Hierarchy> {
    let has = |list: &str, name: &str| list.split(',').any(|word| word == name);
    let mount = mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (kind, options) = (kind.next()?, kind.nth(1)?);
        let fits = match controller {
            Some(name) => kind == "cgroup" && has(options, name),
            None => kind == "cgroup2",
        };
        let mut place = place.split(' ').skip(3);
        let (root, place) = (place.next()?, place.next()?);
        fits.then(|| (root.to_owned(), place.replace("\\040", " ")))
    });
    let (root, place) = mount?;
    let path = own.lines().find_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (controllers, path) = line.split_once(':')?;
        let fits = controller.map_or(controllers.is_empty(), |name| has(controllers, name));
        fits.then_some(path)
    })?;
    // In a container the mount may show only a part of the hierarchy, or all of it under another name.
    let inner = Path::new(path).strip_prefix(&root).unwrap_or(Path::new(""));
    Some(Hierarchy { place: Path::new(&place).join(inner), is_unified: controller.is_none() })
}

/// Removes the groups of referees that no longer exist. The kernel keeps those that have processes.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let numbers = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
        let owner = numbers.and_then(|(pid, _)| pid.parse::<u32>().ok());
        if owner.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

impl Group {
    /// The files through which a process enters the group; see [`enter`].
    pub(super) fn doors(&self) -> io::Result<Vec<File>> {
        self.folders.iter().map(|folder| OpenOptions::new().write(true).open(folder.join(MEMBERS))).collect()
    }

    /// CPU time of all processes since the start, ended ones included. What runs at this moment is counted up to the
    /// kernel's last tick.
    pub fn cpu(&self) -> Duration {
        let mut bytes = [0; 64];
        let n_bytes = self.usage.read_at(&mut bytes, 0).unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes[..n_bytes]);
        let number = |text: &str| text.split_whitespace().next()?.parse::<u64>().ok();
        let time = match self.is_usage_unified {
            true => text.strip_prefix("usage_usec ").and_then(number).map(Duration::from_micros),
            false => number(&text).map(Duration::from_nanos),
        };
        time.unwrap_or_default()
    }

    /// Memory of all processes, if it is counted.
    pub fn memory(&self) -> Option<GroupMemory> {
        let (folder, is_unified) = self.memory.as_ref()?;
        let names = match is_unified {
            true => ["memory.current", "memory.events"],
            false => ["memory.usage_in_bytes", "memory.oom_control"],
        };
        let [charged, events] = names.map(|name| fs::read_to_string(folder.join(name)).unwrap_or_default());
        let charged = charged.trim().parse().unwrap_or(0);
        Some(GroupMemory { charged, n_killed: value(&events, "oom_kill") })
    }

    /// Memory that is not a copy of a file on a disk: heaps, stacks, shared memory and temporary files. It is slow to
    /// read.
    pub fn unbacked_memory(&self) -> Option<u64> {
        let (folder, is_unified) = self.memory.as_ref()?;
        let text = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        Some(value(&text, if *is_unified { "anon" } else { "rss" }) + value(&text, "shmem"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            // A process that was just killed may count for a moment.
            for _ in 0..200 {
                match fs::remove_dir(folder) {
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                        thread::sleep(Duration::from_millis(1));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// Moves this process into a group, between fork and exec.
pub(super) fn enter(doors: &[File]) -> io::Result<()> {
    doors.iter().try_for_each(|mut door| door.write_all(b"0"))
}

/// The value of a line such as `anon 1234`.
fn value(text: &str, name: &str) -> u64 {
    let found = |line: &str| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok();
    text.lines().find_map(found).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_group_is_found_in_all_kinds_of_hierarchies() {
        let find =
            |mounts, own, name| hierarchy(mounts, own, name).map(|found| found.place.display().to_string());
        let mounts = "\
            31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n\
            33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
            41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";
        let own = "4:memory:/other\n1:cpu,cpuacct:/mine\n0::/all/mine\n";
        assert_eq!(find(mounts, own, Some("cpuacct")).unwrap(), "/sys/fs/cgroup/cpu,cpuacct/mine");
        assert_eq!(find(mounts, own, None).unwrap(), "/sys/fs/cgroup/unified/all/mine");
        assert_eq!(find(mounts, own, Some("memory")), None);
        // A container that sees its own part only, and one that sees a part under its full name.
        let part = "33 31 0:30 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
        assert_eq!(find(part, "0::/\n", None).unwrap(), "/sys/fs/cgroup/");
        assert_eq!(find(part, "0::/docker/1/mine\n", None).unwrap(), "/sys/fs/cgroup/mine");
        assert_eq!(find("", "", None), None);
        assert_eq!(find("nonsense\n - \n1 2 - cgroup2\n", "x\n", None), None);
    }

    #[test]
    fn groups_of_referees_that_are_gone_are_swept() {
        let place = tempfile::tempdir().unwrap();
        let own = format!("yarra-{}-0", std::process::id());
        for name in ["yarra-4294967295-3", "yarra-mine-1", "yarra-1", "user.slice", &own] {
            fs::create_dir(place.path().join(name)).unwrap();
        }
        sweep(place.path());
        let mut left: Vec<_> =
            fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let mut expected = vec!["user.slice", "yarra-1", "yarra-mine-1", &own];
        expected.sort_unstable();
        assert_eq!(left, expected);
    }

    #[test]
    fn values_are_found_by_their_whole_name() {
        let text = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!((value(text, "oom_kill"), value(text, "oom"), value("", "anon")), (3, 0, 0));
    }
}
