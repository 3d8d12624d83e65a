//! Copies of a program's folder, bounded in size.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::libc;
use nix::unistd::Uid;

use super::folders::is_temporary;

/// The largest folder that is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes in all files.
    pub bytes: u64,
    /// Files, folders and links.
    pub entries: usize,
}

/// For a copy that makes a program's life easier, at the start of every game.
pub const CHEAP: Budget = Budget { bytes: 32 << 20, entries: 2_000 };
/// For a copy without which a program cannot run.
pub const LARGEST: Budget = Budget { bytes: 256 << 20, entries: 20_000 };

impl Budget {
    /// What is left after an entry; an error if that is nothing.
    fn after(self, bytes: u64) -> io::Result<Budget> {
        let left = self.bytes.checked_sub(bytes).zip(self.entries.checked_sub(1));
        let (bytes, entries) = left.ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(Budget { bytes, entries })
    }

    /// Whether a folder is within the budget; looks no further than needed.
    pub fn covers(self, folder: &Path) -> bool {
        let mut left = self;
        visit(folder, &mut |path| {
            let meta = fs::symlink_metadata(path)?;
            left = left.after(if meta.is_file() { meta.len() } else { 0 })?;
            Ok(())
        })
        .is_ok()
    }
}

/// Calls a function with each path in a folder, folders before their content, itself first. The folder may hold our own
/// temporary files, and thus the copy: these are left out.
fn visit(folder: &Path, see: &mut dyn FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        see(&path)?;
        if fs::symlink_metadata(&path)?.is_dir() {
            for entry in fs::read_dir(&path)? {
                pending.extend(Some(entry?.path()).filter(|path| !is_temporary(path)));
            }
        }
    }
    Ok(())
}

/// Copies a folder to a new place, readable to all and writable to its owner, which is a given user if any.
///
/// Links stay links: where they lead is for the sandbox to decide. Nothing but files, folders and links is copied.
/// Returns how much of the budget was used.
///
/// # Errors
/// If it exceeds the budget ([`io::ErrorKind::FileTooLarge`]) or cannot be read.
pub fn copy(from: &Path, to: &Path, budget: Budget, owner: Option<Uid>) -> io::Result<Budget> {
    let mut left = budget;
    visit(from, &mut |path| {
        let place = match path.strip_prefix(from) {
            Ok(inner) if inner != Path::new("") => to.join(inner),
            _ => to.to_owned(),
        };
        let meta = fs::symlink_metadata(path)?;
        left = left.after(0)?;
        if meta.is_dir() {
            fs::create_dir(&place)?;
            fs::set_permissions(&place, Permissions::from_mode(0o755))?;
        } else if meta.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(path)?, &place)?;
        } else if meta.is_file() {
            left.bytes -= copy_file(path, &place, left.bytes)?;
        } else {
            return Ok(());
        }
        let id = owner.map(Uid::as_raw);
        if id.is_some() { std::os::unix::fs::lchown(&place, id, id) } else { Ok(()) }
    })?;
    Ok(Budget { bytes: budget.bytes - left.bytes, entries: budget.entries - left.entries })
}

/// Copies a file of at most `max` bytes and returns its size.
fn copy_file(from: &Path, to: &Path, max: u64) -> io::Result<u64> {
    // It may have become a link or a pipe since it was examined.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(from)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut copy = fs::File::create_new(to)?;
    let n_bytes = io::copy(&mut file.take(max.saturating_add(1)), &mut copy)?;
    let is_program = meta.permissions().mode() & 0o111 != 0;
    copy.set_permissions(Permissions::from_mode(if is_program { 0o755 } else { 0o644 }))?;
    if n_bytes <= max { Ok(n_bytes) } else { Err(io::ErrorKind::FileTooLarge.into()) }
}

/// Whether all users may read a folder and what lies directly in it. What is deeper in a large folder is rarely what a
/// program needs.
pub fn is_open_to_all(folder: &Path) -> bool {
    let is_open = |path: &Path| {
        fs::symlink_metadata(path).is_ok_and(|meta| {
            let needed = if meta.is_dir() { 0o005 } else { 0o004 };
            meta.is_symlink() || meta.permissions().mode() & needed == needed
        })
    };
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    is_open(folder) && entries.all(|entry| is_open(&entry.path()))
}

/// The error for a folder that is too large to be copied.
pub fn too_large(folder: &Path) -> io::Error {
    let (megabytes, entries) = (LARGEST.bytes >> 20, LARGEST.entries);
    io::Error::new(
        io::ErrorKind::FileTooLarge,
        format!(
            "expected a folder that all users can read (chmod -R a+rX), or one of at most {megabytes} MB and {entries} \
             files, which can be copied, found {}",
            folder.display()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_links_and_nothing_special_is_copied() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::write(from.join("inner/file"), "text").unwrap();
        fs::write(from.join("program"), "#!/bin/sh").unwrap();
        fs::set_permissions(from.join("program"), Permissions::from_mode(0o700)).unwrap();
        fs::set_permissions(from.join("inner/file"), Permissions::from_mode(0o400)).unwrap();
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, from.join(name)).unwrap();
        link(".", "loop");
        link("/etc/shadow", "outside");
        link("inner", "inside");
        nix::unistd::mkfifo(&from.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(from.join("socket")).unwrap();
        fs::create_dir(from.join("yarra-run-abcdef")).unwrap();
        assert!(!is_open_to_all(&from));
        copy(&from, &to, CHEAP, None).unwrap();
        assert!(is_open_to_all(&to));
        let mut names: Vec<_> = fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["inner", "inside", "loop", "outside", "program"]);
        assert_eq!(fs::read_link(to.join("outside")).unwrap(), Path::new("/etc/shadow"));
        assert_eq!(fs::read_to_string(to.join("loop/inside/file")).unwrap(), "text");
        assert_eq!(fs::metadata(to.join("program")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::metadata(to.join("inner/file")).unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[test]
    fn a_budget_ends_the_copy() {
        let place = tempfile::tempdir().unwrap();
        let from = place.path().join("from");
        fs::create_dir(&from).unwrap();
        fs::write(from.join("file"), [0; 100]).unwrap();
        let fits = |bytes, entries| {
            let budget = Budget { bytes, entries };
            let to = place.path().join(format!("{bytes}-{entries}"));
            let copied = copy(&from, &to, budget, None);
            assert_eq!(copied.is_ok(), budget.covers(&from));
            copied.map_err(|error| error.kind())
        };
        assert_eq!(fits(101, 3), Ok(Budget { bytes: 100, entries: 2 }));
        assert!(fits(100, 2).is_ok());
        assert_eq!(fits(99, 2), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(fits(100, 1), Err(io::ErrorKind::FileTooLarge));
    }
}
