//! Landlock: which files a program may open, and which processes it may signal.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use nix::libc;

/// What a program may do with a path and all below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// Read, list and execute.
    Read,
    /// Read and write what is there, as with devices.
    Use,
    /// Create, read, write and remove files.
    Share,
    /// Everything.
    All,
}

/// The oldest version that restricts truncation.
const FILES: ABI = ABI::V3;
/// The oldest version that restricts signals.
const SIGNALS: ABI = ABI::V6;

impl Rights {
    fn flags(self) -> BitFlags<AccessFs> {
        let usable = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
        match self {
            Rights::Read => AccessFs::from_read(FILES),
            Rights::Use => usable,
            Rights::Share => usable | AccessFs::ReadDir | AccessFs::MakeReg | AccessFs::RemoveFile,
            Rights::All => AccessFs::from_all(FILES),
        }
    }
}

/// Whether the kernel can restrict signals.
pub fn restricts_signals() -> bool {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.scope(Scope::Signal).and_then(Ruleset::create).is_ok()
}

/// Restricts this process to paths, if any are given, and to signals among its own descendants, if the kernel can.
///
/// # Errors
/// If the kernel cannot restrict access to files.
pub fn restrict(paths: Option<&[(PathBuf, Rights)]>) -> io::Result<()> {
    let status = match paths {
        Some(paths) => restrict_files(paths),
        None => Ruleset::default()
            .scope(Scope::from_all(SIGNALS))
            .and_then(Ruleset::create)
            .and_then(|all| all.restrict_self()),
    };
    match status.map_err(|error| io::Error::other(error.to_string()))?.ruleset {
        RulesetStatus::NotEnforced if paths.is_some() => Err(io::Error::from_raw_os_error(libc::ENOSYS)),
        _ => Ok(()),
    }
}

fn restrict_files(paths: &[(PathBuf, Rights)]) -> Result<landlock::RestrictionStatus, RulesetError> {
    let handled = Ruleset::default().handle_access(AccessFs::from_all(FILES))?;
    let mut ruleset = handled.scope(Scope::from_all(SIGNALS))?.create()?;
    for (path, rights) in paths {
        // A path that is missing here is missing for the program too.
        let Ok(fd) = PathFd::new(path) else { continue };
        let is_file = !is_folder(path);
        let flags = if is_file { rights.flags() & AccessFs::from_file(FILES) } else { rights.flags() };
        ruleset = ruleset.add_rule(PathBeneath::new(fd, flags))?;
    }
    ruleset.restrict_self()
}

fn is_folder(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_dir())
}
