//! POSIX shared memory and semaphores (`/dev/shm`) where a program has no file system of its own.
//!
//! The C library knows no other place for them, and Python's process pools need semaphores. What a program leaves there
//! would stay until the machine restarts.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::{self, Uid};

/// Where the C library keeps shared memory.
pub const PLACE: &str = "/dev/shm";

/// What was in [`PLACE`] before a program started.
#[derive(Debug)]
pub struct SharedMemory {
    before: HashSet<OsString>,
    /// The program's user, and whether no other program has it.
    user: Uid,
    is_own_user: bool,
}

impl SharedMemory {
    /// The present state, before a program starts.
    pub fn now(own_user: Option<Uid>) -> SharedMemory {
        let before = fs::read_dir(PLACE).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let user = own_user.unwrap_or_else(unistd::geteuid);
        SharedMemory { before: before.collect(), user, is_own_user: own_user.is_some() }
    }

    /// What has been added since by the program, or by another one of the same user; with sizes in bytes.
    pub fn added(&self) -> Vec<(PathBuf, u64)> {
        let entries = fs::read_dir(PLACE).into_iter().flatten().flatten();
        let new = entries.filter(|entry| !self.before.contains(&entry.file_name()));
        let owned = new.filter_map(|entry| {
            let meta = entry.metadata().ok()?;
            (meta.uid() == self.user.as_raw()).then(|| (entry.path(), 512 * meta.blocks()))
        });
        owned.collect()
    }

    /// Removes what the program has left behind. Its processes are gone: what another process uses is not its own.
    pub fn clean(&self) {
        let added = self.added();
        if added.is_empty() {
            return;
        }
        let used = if self.is_own_user { HashSet::new() } else { used_by_processes() };
        let number = |path: &Path| fs::symlink_metadata(path).ok().map(|meta| meta.ino());
        for (path, _) in &added {
            if number(path).is_some_and(|number| !used.contains(&number)) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The inodes of the shared memory that any process of this user has open or mapped. Names do not tell: the C library
/// creates a semaphore under another one.
fn used_by_processes() -> HashSet<u64> {
    let mut used = HashSet::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path()) {
        let maps = fs::read(process.join("maps")).unwrap_or_default();
        let maps = String::from_utf8_lossy(&maps);
        let mapped = maps.lines().filter(|line| line.contains(PLACE));
        // The fifth word is the inode.
        used.extend(mapped.filter_map(|line| line.split_whitespace().nth(4)?.parse::<u64>().ok()));
        let files = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
        let open = files.filter(|file| fs::read_link(file.path()).is_ok_and(|path| path.starts_with(PLACE)));
        used.extend(open.filter_map(|file| Some(fs::metadata(file.path()).ok()?.ino())));
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `sem_open` does: it fills a file under a first name, gives it the real one and removes the first.
    #[test]
    fn shared_memory_in_use_is_known_under_any_name() {
        let [first, real] = ["first", "real"]
            .map(|name| Path::new(PLACE).join(format!("yarra-test-{}-{name}", std::process::id())));
        let Ok(file) = fs::File::create_new(&first) else { return };
        fs::hard_link(&first, &real).unwrap();
        fs::remove_file(&first).unwrap();
        let number = fs::metadata(&real).unwrap().ino();
        let is_used = used_by_processes().contains(&number);
        drop(file);
        let is_used_later = used_by_processes().contains(&number);
        fs::remove_file(&real).unwrap();
        assert!(is_used && !is_used_later);
    }
}
