//! Games in files: the one place that reads and writes them.

use std::fs::{self, File};
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

/// Writes one game over a file. Whatever happens on the way, the file holds the old game or the new one.
pub fn write_game(path: &Path, game: &SavedGame) -> anyhow::Result<()> {
    if has_many_lines(path) {
        bail!("{} holds more than one game, choose another file", path.display());
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(".tmp");
    let draft = PathBuf::from(draft);
    let write = || -> io::Result<()> {
        let mut file = File::create(&draft)?;
        writeln!(file, "{}", game.to_line())?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().with_context(|| {
        // It may not even exist, and it is of no use to anybody.
        let _ = fs::remove_file(&draft);
        format!("cannot write {}", path.display())
    })
}

fn has_many_lines(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| 1 < text.lines().count())
}

fn read_text(path: &Path) -> io::Result<String> {
    if path != Path::new("-") {
        return fs::read_to_string(path);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
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
