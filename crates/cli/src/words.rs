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

/// A count and its noun.
pub fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("{n} {noun}") } else { format!("{n} {noun}s") }
}

/// A file must not be able to send commands to the terminal.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}
