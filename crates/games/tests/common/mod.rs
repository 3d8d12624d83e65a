//! Shared by the tests of single games: boards drawn as text.

use yarra_games::{Outcome, Player, Position};

/// The notation of a board drawn over several lines: one row per line with any spaces, then the side to move with
/// the ply. Rows may also be joined by `/` already.
pub fn board(picture: &str) -> String {
    let picture = picture.trim();
    let (rest, ply) = picture.rsplit_once(char::is_whitespace).unwrap();
    let (rows, side) = rest.trim_end().rsplit_once(char::is_whitespace).unwrap();
    let rows = rows.lines().map(|row| row.replace(' ', "")).filter(|row| !row.is_empty());
    format!("{} {side} {ply}", rows.collect::<Vec<_>>().join("/"))
}

/// `red by connection`, `draw by turn_limit`, `going on`.
pub fn describe(outcome: Option<Outcome>) -> String {
    let Some(outcome) = outcome else { return "going on".to_owned() };
    format!("{} by {}", outcome.winner.map_or("draw", Player::name), outcome.reason)
}

/// Asserts that none of the texts is a legal move and that the error says what was expected.
#[track_caller]
pub fn check_refused(pos: &dyn Position, texts: &[&str]) {
    for text in texts {
        let error = pos.read_move(text).expect_err(text);
        assert!(!error.expected.is_empty() && error.found.chars().count() <= 61);
    }
}
