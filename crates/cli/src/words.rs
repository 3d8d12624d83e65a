//! Sentences about games that several commands say.

use yarra_games::Position;

use crate::verdict::Verdict;

/// What stands below a board.
pub fn caption(pos: &dyn Position, verdict: Option<&Verdict>) -> String {
    let state = match verdict {
        Some(verdict) => printable(&format!("game over: {verdict}")),
        None => format!("{} to move, {}", pos.turn(), plural(pos.n_legal_moves(), "legal move")),
    };
    format!("{}  {pos}\nply {}, {state}", pos.spec(), pos.ply())
}

/// What a move took, and the mover's game so far, in seconds and bytes.
pub fn costs(time: f64, total: f64, memory: u64) -> String {
    format!("time: + {time:.3} s just elapsed, {total:.3} s game total; memory: {}", bytes(memory))
}

/// An amount of memory.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// A count and its noun.
pub fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("{n} {noun}") } else { format!("{n} {noun}s") }
}

/// A file must not be able to send commands to the terminal.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}
