//! Games in files: the one place that reads and writes them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;
use yarra_games::trace::Trace;
use yarra_games::{Player, Record, SavedGame};

/// All games of a file, each with the number of its line; `-` is the standard input.
pub fn read_games(path: &Path) -> anyhow::Result<Vec<(usize, SavedGame, Record)>> {
    let text = read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut games = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let (saved, record) = read_game(text).with_context(|| format!("{} line {line}", path.display()))?;
        games.push((line, saved, record));
    }
    if games.is_empty() {
        bail!("{}: expected saved games, one a line, found none", path.display());
    }
    Ok(games)
}

/// Writes one game over a file.
pub fn write_game(path: &Path, game: &SavedGame) -> anyhow::Result<()> {
    if has_many_lines(path) {
        bail!("{} holds more than one game, choose another file", path.display());
    }
    Draft::begin(path)?.finish(&(game.to_line() + "\n"))
}

/// A file that is written all at once. Whatever happens on the way, it holds the old text or the new one.
pub struct Draft {
    path: PathBuf,
    draft: PathBuf,
    file: File,
}

impl Draft {
    /// Makes sure that the file can be written, before there is anything to write.
    pub fn begin(path: &Path) -> anyhow::Result<Draft> {
        let mut draft = path.as_os_str().to_owned();
        draft.push(".tmp");
        let draft = PathBuf::from(draft);
        let file = File::create(&draft).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Draft { path: path.to_owned(), draft, file })
    }

    /// Writes the text.
    pub fn finish(mut self, text: &str) -> anyhow::Result<()> {
        let mut write = || -> io::Result<()> {
            self.file.write_all(text.as_bytes())?;
            self.file.sync_all()?;
            fs::rename(&self.draft, &self.path)
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Once it has its name there is none left, and before that it is of no use to anybody.
        let _ = fs::remove_file(&self.draft);
    }
}

/// A file to which games are added, each safe as soon as it is over.
pub struct GameLog {
    path: PathBuf,
    file: File,
}

/// How every line of a log begins.
const LINE_START: &str = "{\"game\":";

impl GameLog {
    /// Opens a file with the games that it holds. A last line that was cut off, by whatever ended the
    /// program that wrote it, is taken away; whether there was one comes last.
    pub fn open(path: &Path) -> anyhow::Result<(GameLog, Vec<SavedGame>, bool)> {
        let cannot = |what| format!("cannot {what} {}", path.display());
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).append(true).create(true).open(path).with_context(|| cannot("open"))?;
        // Not every file system knows locks, and it goes without.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            bail!("{} is used by another match", path.display());
        }
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| cannot("read"))?;

        let mut games = Vec::new();
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        for (line, text) in (1..).zip(whole.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let (saved, _) = read_game(text).with_context(|| format!("{} line {line}", path.display()))?;
            games.push(saved);
        }
        let rest = &text[whole.len()..];
        let mut is_torn = false;
        if let Ok((saved, _)) = read_game(rest) {
            games.push(saved);
            file.write_all(b"\n").with_context(|| cannot("write"))?;
        } else if rest.starts_with(LINE_START) || LINE_START.starts_with(rest) {
            is_torn = !rest.is_empty();
            file.set_len(whole.len() as u64).with_context(|| cannot("write"))?;
        } else {
            bail!("{}: expected saved games, one a line", path.display());
        }
        Ok((GameLog { path: path.to_owned(), file }, games, is_torn))
    }

    /// Adds a game.
    pub fn append(&mut self, game: &SavedGame) -> anyhow::Result<()> {
        let line = game.to_line() + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn has_many_lines(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| 1 < text.lines().count())
}

/// The text of a file; `-` is the standard input.
pub fn read_text(path: &Path) -> io::Result<String> {
    if path == Path::new("-") { io::read_to_string(io::stdin()) } else { fs::read_to_string(path) }
}

/// A line is a game of ours or a trace of the referee's; only the latter tell of positions.
fn read_game(line: &str) -> anyhow::Result<(SavedGame, Record)> {
    let is_trace = serde_json::from_str::<Value>(line).is_ok_and(|json| json.get("positions").is_some());
    if is_trace {
        let record = Trace::read(line)?.record()?;
        return Ok((SavedGame::new(&record), record));
    }
    let saved = SavedGame::from_line(line).context("expected a saved game as a JSON object")?;
    let winner = saved.winner.as_deref();
    if winner.is_some_and(|winner| Player::BOTH.iter().all(|player| player.name() != winner)) {
        bail!("expected winner \"red\", \"blue\" or null, found {:?}", winner.unwrap_or_default());
    }
    let record = saved.record()?;
    Ok((saved, record))
}
