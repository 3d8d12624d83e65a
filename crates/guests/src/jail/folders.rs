//! Temporary folders, and the removal of those that a killed process has left behind.
//!
//! All folders of a process lie in one, whose file `lock` it keeps locked. The kernel drops the lock with the process:
//! a folder that can be locked has lost its owner, and the next process removes it.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use nix::fcntl::{Flock, FlockArg};
use nix::{libc, unistd};

use super::in_words;

/// A temporary folder, removed when dropped. Other users may enter it, but not list it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    base: Arc<Base>,
}

/// The folder of all temporary folders of this process.
#[derive(Debug)]
struct Base {
    path: PathBuf,
    lock: Flock<File>,
}

const PREFIX: &str = "yarra-run-";
const LOCK: &str = "lock";

impl Folder {
    /// A new, empty folder.
    ///
    /// # Errors
    /// If the folder for temporary files (`TMPDIR`) cannot be written.
    pub fn new() -> io::Result<Folder> {
        static N_FOLDERS: AtomicU32 = AtomicU32::new(0);
        let base = Base::of_this_process().map_err(Folder::explain)?;
        let path = base.path.join(N_FOLDERS.fetch_add(1, Ordering::Relaxed).to_string());
        create_folder(&path).map_err(Folder::explain)?;
        Ok(Folder { path, base })
    }

    /// An error about such a folder in words.
    pub fn explain(error: io::Error) -> io::Error {
        let place = std::env::temp_dir();
        in_words(
            error,
            format_args!(
                "expected a writable folder for temporary files at {}, as TMPDIR says",
                place.display()
            ),
        )
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that shows that the folder is in use, as long as any process has it open.
    pub(super) fn lock(&self) -> RawFd {
        self.base.lock.as_raw_fd()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}

impl Base {
    fn of_this_process() -> io::Result<Arc<Base>> {
        static BASE: Mutex<Weak<Base>> = Mutex::new(Weak::new());
        let mut present = BASE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(base) = present.upgrade() {
            return Ok(base);
        }
        let place = std::env::temp_dir();
        sweep(&place);
        let base = Arc::new(Base::new(&place)?);
        *present = Arc::downgrade(&base);
        Ok(base)
    }

    fn new(place: &Path) -> io::Result<Base> {
        loop {
            let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?.keep();
            fs::set_permissions(&path, Permissions::from_mode(0o711))?;
            let file = File::create_new(path.join(LOCK))?;
            // Another process may take the unlocked folder for an abandoned one; then it removes it.
            if let Ok(lock) = Flock::lock(file, FlockArg::LockExclusiveNonblock)
                && path.join(LOCK).exists()
            {
                return Ok(Base { path, lock });
            }
        }
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = remove(&self.path);
    }
}

/// Whether a path is that of such a folder, of this process or another one.
pub(super) fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}

fn create_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o711).create(path)?;
    // Whatever the umask is.
    fs::set_permissions(path, Permissions::from_mode(0o711))
}

/// Removes what killed processes of the same user have left behind.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        // Never through links, and never what belongs to others.
        let is_ours = |meta: fs::Metadata| meta.is_dir() && meta.uid() == unistd::geteuid().as_raw();
        if !is_temporary(&entry.path()) || !fs::symlink_metadata(entry.path()).is_ok_and(is_ours) {
            continue;
        }
        let lock = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(entry.path().join(LOCK));
        if let Ok(lock) = lock
            && let Ok(_lock) = Flock::lock(lock, FlockArg::LockExclusiveNonblock)
        {
            let _ = remove(&entry.path());
        }
    }
}

/// Removes a folder, whatever a program has left in it: folders without permissions, or deeper than a path can be long.
///
/// Each subfolder is moved to the top before it is emptied. Links are removed and never followed; no process that
/// could exchange a folder for a link is left when this is called.
fn remove(top: &Path) -> io::Result<()> {
    let mut pending = vec![top.to_owned()];
    let mut n_moved = 0;
    while let Some(folder) = pending.pop() {
        let mut subfolders = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => subfolders.push(entry.path()),
                false => fs::remove_file(entry.path())?,
            }
        }
        for subfolder in subfolders {
            fs::set_permissions(&subfolder, Permissions::from_mode(0o700))?;
            n_moved += 1;
            let place = top.join(format!(".removed-{n_moved}"));
            fs::rename(&subfolder, &place)?;
            pending.push(place);
        }
        if folder != top {
            fs::remove_dir(folder)?;
        }
    }
    fs::remove_dir(top)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_in(place: &Path, name: &str) -> PathBuf {
        let path = place.join(name);
        create_folder(&path).unwrap();
        File::create_new(path.join(LOCK)).unwrap();
        path
    }

    #[test]
    fn only_abandoned_folders_are_swept() {
        let place = tempfile::tempdir().unwrap();
        let used = Base::new(place.path()).unwrap();
        let abandoned = folder_in(place.path(), "yarra-run-abandoned");
        let foreign = folder_in(place.path(), "yarra-ruin");
        let unmarked = place.path().join("yarra-run-mine");
        create_folder(&unmarked).unwrap();
        let outside = tempfile::tempdir().unwrap();
        let target = folder_in(outside.path(), "target");
        std::os::unix::fs::symlink(&target, place.path().join("yarra-run-link")).unwrap();
        std::os::unix::fs::symlink(&target, abandoned.join("link")).unwrap();
        sweep(place.path());
        assert!(!abandoned.exists());
        assert!(used.path.exists() && foreign.exists() && unmarked.exists());
        assert!(target.join(LOCK).exists());
    }

    #[test]
    fn deep_and_closed_folders_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().join("top");
        create_folder(&top).unwrap();
        let [inner, outer] = ["inner", "outer"].map(|name| top.join(name));
        // Within another: only root can move a folder that is closed.
        let closed = inner.join("closed");
        fs::create_dir_all(&closed).unwrap();
        fs::write(closed.join("file"), "").unwrap();
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        for _ in 0..600 {
            create_folder(&outer).unwrap();
            fs::rename(&inner, outer.join("0123456789abcdef")).unwrap();
            fs::rename(&outer, &inner).unwrap();
        }
        let odd = [" ", "\n", "-rf", ".removed-1"].map(|name| top.join(name));
        odd.iter().for_each(|path| fs::write(path, "").unwrap());
        remove(&top).unwrap();
        assert!(!top.exists());
    }

    #[test]
    fn folders_go_with_their_values() {
        let [first, second] = [Folder::new().unwrap(), Folder::new().unwrap()];
        let paths = [first.path().to_owned(), second.path().to_owned()];
        assert!(paths.iter().all(|path| path.is_dir()));
        drop(first);
        assert!(!paths[0].exists() && paths[1].is_dir());
    }
}
