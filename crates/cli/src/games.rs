//! Games of files, with a warning about what is missing.

use std::io::Write;
use std::path::Path;

use yarra_files::{FiledGame, GameFile};

use crate::clean::stderr;
use crate::words::file_name;

/// The complete games of a file. A last game that was cut off is left out with a warning.
///
/// # Errors
/// If the file cannot be read or has no complete game.
pub fn read_games(path: &Path) -> anyhow::Result<Vec<FiledGame>> {
    let GameFile { games, was_torn } = yarra_files::read_games(path)?;
    if was_torn {
        writeln!(stderr(), "{}: the last game is incomplete and is skipped", file_name(path))?;
    }
    Ok(games)
}
