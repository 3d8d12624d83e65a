//! Phrases that several commands print.

use std::path::Path;

pub use yarra_draw::{printable, printable_lines};
use yarra_games::{Ending, Position};

/// The caption of a board.
pub fn caption(pos: &dyn Position, ending: Option<&Ending>) -> String {
    let state = match ending {
        Some(ending) => printable(&format!("game over: {ending}")),
        None => format!("{} to move, {}", pos.turn(), plural(pos.n_legal_moves(), "legal move")),
    };
    format!("{}  {pos}\nply {}, {state}", pos.spec(), pos.ply())
}

/// The time of a move, the total of its player so far, and the player's memory.
pub fn costs(time: f64, total: f64, memory: u64) -> String {
    format!("time: + {time:.3} s just elapsed, {total:.3} s game total; memory: {}", bytes(memory))
}

/// The same with the most memory so far, as in report 002's Figure 5.2; `None` if `memory` is that already.
pub fn costs_and_peak(time: f64, total: f64, memory: u64, peak: Option<u64>) -> String {
    let peak = peak.map_or(" (peak)".to_owned(), |peak| format!(", peak {}", bytes(peak)));
    costs(time, total, memory) + &peak
}

/// An amount of memory. Units are powers of 1024, as in `--memory`.
pub fn bytes(n: u64) -> String {
    const KILO: u64 = 1 << 10;
    const MEGA: u64 = 1 << 20;
    match n {
        0..KILO => format!("{n} B"),
        KILO..MEGA => format!("{:.1} kB", n as f64 / KILO as f64),
        _ => format!("{:.1} MB", n as f64 / MEGA as f64),
    }
}

/// A count and its noun.
pub fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("{n} {noun}") } else { format!("{n} {noun}s") }
}

/// The name of a file.
pub fn file_name(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
