//! Files of games: read as a whole, or appended to game by game.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use yarra_games::Record;

use crate::{FileError, SavedGame};

/// A game of a file.
#[derive(Clone, Debug)]
pub struct FiledGame {
    path: PathBuf,
    /// The number of its line, from 1.
    pub line: usize,
    /// The game.
    pub saved: SavedGame,
}

impl FiledGame {
    /// Replays the moves.
    ///
    /// # Errors
    /// If one is invalid, with the file and the line.
    pub fn record(&self) -> Result<Record, FileError> {
        self.saved.record().map_err(|error| FileError::line(&self.path, self.line, error))
    }
}

/// The games of a file.
pub struct GameFile {
    /// The complete games.
    pub games: Vec<FiledGame>,
    /// Whether the last line was cut off by a crash and is left out.
    pub was_torn: bool,
}

/// All games of a file, saved ones and traces of the official referees; `-` is the standard input. Moves are not
/// checked.
///
/// # Errors
/// If the file cannot be read, a line is not a game or there is no complete game.
pub fn read_games(path: &Path) -> Result<GameFile, FileError> {
    let file = parse_file(path, &read_bytes(path).map_err(FileError::io(path, "read"))?)?;
    if file.games.is_empty() {
        let found = if file.was_torn { "only one that was cut off" } else { "none" };
        return Err(FileError::other(path, format!(": expected saved games, one per line, found {found}")));
    }
    Ok(file)
}

/// The games of a file. A crash may have cut off the last line, even within a character: that line is left out.
fn parse_file(path: &Path, bytes: &[u8]) -> Result<GameFile, FileError> {
    let (whole, rest) = split_last(bytes);
    let was_torn = is_torn(&String::from_utf8_lossy(rest));
    let text = std::str::from_utf8(if was_torn { whole } else { bytes });
    let text =
        text.map_err(|_| FileError::other(path, ": expected saved games, found bytes that are no text"))?;
    Ok(GameFile { games: parse_lines(path, text)?, was_torn })
}

/// The complete lines, and what follows them.
fn split_last(bytes: &[u8]) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1))
}

/// Whether a last line without its end is the beginning of a game. A complete JSON object is not, valid or not.
fn is_torn(rest: &str) -> bool {
    let is_cut_off = || serde_json::from_str::<IgnoredAny>(rest).is_err_and(|error| error.is_eof());
    !rest.is_empty() && (LINE_START.starts_with(rest) || rest.starts_with(LINE_START) && is_cut_off())
}

fn parse_lines(path: &Path, text: &str) -> Result<Vec<FiledGame>, FileError> {
    let lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty());
    lines
        .map(|(line, text)| match SavedGame::from_line_or_trace(text) {
            Ok(saved) => Ok(FiledGame { path: path.to_owned(), line, saved }),
            Err(error) => Err(FileError::line(path, line, error)),
        })
        .collect()
}

/// A file to which each game is appended as soon as it is over.
pub struct GameLog {
    path: PathBuf,
    file: File,
}

/// An opened log.
pub struct Opened {
    /// The log, for appending.
    pub log: GameLog,
    /// The games that it already contains.
    pub games: Vec<FiledGame>,
    /// Whether its last line was incomplete and has been removed.
    pub was_torn: bool,
}

/// How every line of a log starts.
const LINE_START: &str = "{\"game\":";

impl GameLog {
    /// Opens a file and reads its games. A last line left incomplete by a crash is removed.
    ///
    /// # Errors
    /// If the file cannot be opened, is in use by another match, or contains anything but games.
    pub fn open(path: &Path) -> Result<Opened, FileError> {
        let cannot = |verb| FileError::io(path, verb);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(cannot("open"))?;
        // On a file system without locks this check is skipped.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(FileError::other(path, " is in use by another match"));
        }
        let mut bytes = Vec::new();
        // A device has no games, and reading it may never end.
        if file.metadata().map_err(cannot("read"))?.is_file() {
            file.read_to_end(&mut bytes).map_err(cannot("read"))?;
        }
        let GameFile { games, was_torn } = parse_file(path, &bytes)?;
        let (whole, rest) = split_last(&bytes);
        if was_torn {
            file.set_len(whole.len() as u64).map_err(cannot("write"))?;
        } else if !rest.is_empty() {
            file.write_all(b"\n").map_err(cannot("write"))?;
        }
        Ok(Opened { log: GameLog { path: path.to_owned(), file }, games, was_torn })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn append(&mut self, game: &SavedGame) -> Result<(), FileError> {
        let line = game.to_line() + "\n";
        self.file.write_all(line.as_bytes()).map_err(FileError::io(&self.path, "write"))
    }
}

/// The text of a file; `-` is the standard input.
///
/// # Errors
/// If it cannot be read.
pub fn read_text(path: &Path) -> io::Result<String> {
    if path == Path::new("-") { io::read_to_string(io::stdin()) } else { fs::read_to_string(path) }
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}
