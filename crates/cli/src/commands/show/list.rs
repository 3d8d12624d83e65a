//! The games of a file, one per line.

use std::fmt::Write as _;
use std::path::Path;

use yarra_files::FiledGame;
use yarra_games::Player;

use crate::words::{file_name, plural, printable};

/// Names are cut to this many characters; what is at their end says the most.
const NAME: usize = 28;
/// Notes on faults are cut to this many characters.
const NOTE: usize = 60;

/// A line for each game: number, game, players, result, moves and time.
///
/// # Errors
/// If a game has invalid moves, with the file and the line.
pub fn list(path: &Path, games: &[FiledGame]) -> anyhow::Result<String> {
    let mut rows = vec![["", "game", "red", "blue", "result", "moves", "time"].map(str::to_owned).to_vec()];
    for (n, game) in (1..).zip(games) {
        rows.push(row(n, game)?);
    }
    let n_columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| n_letters(&row[column])).max().unwrap_or_default();
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut text = format!("{}: {}\n", file_name(path), plural(games.len(), "game"));
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            // Numbers stand at the right of their columns.
            let is_number = [0, 5, 6].contains(&column);
            let room = " ".repeat(width - n_letters(cell));
            let [before, after] = if is_number { [room.as_str(), ""] } else { ["", room.as_str()] };
            let _ = write!(line, "{before}{cell}{after}  ");
        }
        let note = row.get(n_columns).map_or("", String::as_str);
        let _ = writeln!(text, "{}", format!("{line}{note}").trim_end());
    }
    text.push_str("--game N replays a game with its boards, --all replays all\n");
    Ok(text)
}

fn row(n: usize, game: &FiledGame) -> anyhow::Result<Vec<String>> {
    let (saved, record) = (&game.saved, game.record()?);
    let name = |player: Player| {
        let name = printable(saved.players[player].as_deref().unwrap_or("unknown"));
        let n_over = n_letters(&name).saturating_sub(NAME);
        if n_over == 0 { name } else { format!("…{}", name.chars().skip(n_over + 1).collect::<String>()) }
    };
    let result = saved.ending(&record).map_or("not over".to_owned(), |ending| ending.to_string());
    let time = if saved.times.is_empty() {
        "-".to_owned()
    } else {
        format!("{:.2} s", saved.times.iter().sum::<f64>())
    };
    let note =
        saved.note.as_deref().filter(|_| record.outcome().is_none()).map(printable).unwrap_or_default();
    let note = match note.char_indices().nth(NOTE) {
        Some((end, _)) => format!("{}…", &note[..end]),
        None => note,
    };
    let result = printable(&result).chars().take(NAME).collect();
    let n_moves = record.moves().len().to_string();
    let spec = saved.game.to_string();
    Ok(vec![n.to_string(), spec, name(Player::Red), name(Player::Blue), result, n_moves, time, note])
}

fn n_letters(text: &str) -> usize {
    text.chars().count()
}
