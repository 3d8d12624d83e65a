//! Whole files: never overwritten unasked, and replaced atomically.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::{FileError, SavedGame};

/// Replaces the contents of a file by one game.
///
/// # Errors
/// If the file cannot be written or contains several games.
pub fn write_game(path: &Path, game: &SavedGame) -> Result<(), FileError> {
    if path.is_file() && has_many_lines(path) {
        return Err(FileError::other(path, " contains more than one game; choose another file"));
    }
    Draft::begin(path)?.finish(&(game.to_line() + "\n"))
}

fn has_many_lines(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| 1 < text.lines().count())
}

/// Fails if a file exists: nothing of a user's is overwritten unasked. `how` says what to do, after a semicolon.
///
/// # Errors
/// If it does.
pub fn check_is_new(path: &Path, how: &str) -> Result<(), FileError> {
    match fs::metadata(path) {
        Ok(file) if 0 < file.len() => Err(FileError::other(path, format!(" exists; {how}"))),
        _ => Ok(()),
    }
}

/// A file that is replaced atomically: a crash leaves the old text or the new one.
pub struct Draft {
    path: PathBuf,
    file: File,
    /// Where the new text is written first; `None` for a device or pipe, such as `/dev/stdout`, which is written as it is.
    draft: Option<PathBuf>,
}

impl Draft {
    /// Checks that the file can be written before there is anything to write.
    ///
    /// # Errors
    /// If it cannot.
    pub fn begin(path: &Path) -> Result<Draft, FileError> {
        Draft::open(path).map_err(FileError::io(path, "write"))
    }

    fn open(path: &Path) -> io::Result<Draft> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Draft { path: path.to_owned(), file, draft: None });
        }
        // A link stays one: the file that it stands for is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (draft, file) = create_beside(&path)?;
        Ok(Draft { path, file, draft: Some(draft) })
    }

    /// Writes the text, or any bytes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(mut self, text: impl AsRef<[u8]>) -> Result<(), FileError> {
        self.write(text.as_ref()).map_err(FileError::io(&self.path, "write"))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        let Some(draft) = &self.draft else { return Ok(()) };
        if let Ok(old) = fs::metadata(&self.path) {
            self.file.set_permissions(old.permissions())?;
        }
        self.file.sync_all()?;
        fs::rename(draft, &self.path)?;
        self.draft = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            let _ = fs::remove_file(draft);
        }
    }
}

/// A file for the draft in the same folder, one that is nobody's: new, or left empty by a program that was killed.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    for number in 0_u32.. {
        let mut draft = path.as_os_str().to_owned();
        draft.push(format!(".{number}.tmp"));
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&draft)?;
        // The lock comes first: another program may have finished its draft in the meantime.
        let is_locked = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if !is_locked && file.metadata()?.len() == 0 {
            return Ok((draft.into(), file));
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
