//! Parsers that all notations share: the fields of a position, and cells.

use std::borrow::Cow;
use std::fmt;

use crate::{Player, Position};

/// A text that could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was expected.
    pub expected: Cow<'static, str>,
    /// What was found.
    pub found: String,
}

impl ParseError {
    /// An error; long texts are truncated to keep the message readable.
    pub fn new(expected: impl Into<Cow<'static, str>>, found: &str) -> ParseError {
        const LONGEST: usize = 60;
        let mut shown: String = found.chars().take(LONGEST).collect();
        if shown.len() < found.len() {
            shown.push('…');
        }
        ParseError { expected: expected.into(), found: shown }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {:?}", self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}

/// A number below `bound`, in plain decimal digits without leading zeros.
pub fn read_number(text: &str, bound: u16) -> Option<u16> {
    let is_plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    if !is_plain {
        return None;
    }
    text.parse().ok().filter(|&number| number < bound)
}

/// A cell `row-column` of a board with `size` rows and columns.
pub fn read_cell(text: &str, size: u8) -> Result<(u8, u8), ParseError> {
    let cell = || {
        let (row, col) = text.split_once('-')?;
        let row = read_number(row, size.into())?;
        let col = read_number(col, size.into())?;
        Some((row as u8, col as u8))
    };
    let expected = || format!("a cell `row-column` with both from 0 to {}", size - 1);
    cell().ok_or_else(|| ParseError::new(expected(), text))
}

/// A position's three fields: its rows (as one text), checked side to move, and ply.
pub fn read_fields(text: &str, turn_limit: u16) -> Result<(&str, u16), ParseError> {
    let mut fields = text.split(' ');
    let (Some(board), Some(side), Some(ply), None) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        let expected =
            "a position: rows joined by `/`, the side to move `r` or `b` and the ply, with one space between";
        return Err(ParseError::new(expected, text));
    };
    let Some(n_plies) = read_number(ply, turn_limit + 1) else {
        let expected = format!("a ply from 0 to {turn_limit}");
        return Err(ParseError::new(expected, ply));
    };
    let turn = Player::at_ply(n_plies);
    if side.chars().ne([turn.letter()]) {
        let expected = format!("side `{}` at ply {n_plies}", turn.letter());
        return Err(ParseError::new(expected, side));
    }
    Ok((board, n_plies))
}

/// The rows of a board that must have `size` of them.
pub fn read_rows(board: &str, size: u8) -> Result<impl Iterator<Item = &str>, ParseError> {
    if board.split('/').count() != usize::from(size) {
        return Err(ParseError::new(format!("{size} rows joined by `/`"), board));
    }
    Ok(board.split('/'))
}

/// A row of stones: `size` letters, each `.`, `r` or `b`.
pub fn read_stones(row: &str, size: u8) -> Result<impl Iterator<Item = Option<Player>>, ParseError> {
    let is_stone = |letter| matches!(letter, '.' | 'r' | 'b');
    if !row.chars().all(is_stone) || row.len() != usize::from(size) {
        let expected = format!("a row of {size} cells, each `.`, `r` or `b`");
        return Err(ParseError::new(expected, row));
    }
    Ok(row.chars().map(|letter| Player::BOTH.into_iter().find(|player| player.letter() == letter)))
}

/// Rejects a position that is not over but has no legal move. The special rules of the first two plies of
/// Infexion and Cachex allow such positions, but no game reaches them.
pub fn refuse_stuck(pos: &dyn Position) -> Result<(), ParseError> {
    if pos.outcome().is_none() && pos.n_legal_moves() == 0 {
        return Err(ParseError::new("a position with a legal move", &pos.to_string()));
    }
    Ok(())
}

/// Writes a board of stones row by row.
pub fn show_stones(
    f: &mut fmt::Formatter<'_>,
    size: u8,
    owner: impl Fn(u8, u8) -> Option<Player>,
) -> fmt::Result {
    for row in 0..size {
        if row > 0 {
            f.write_str("/")?;
        }
        for col in 0..size {
            write!(f, "{}", owner(row, col).map_or('.', Player::letter))?;
        }
    }
    Ok(())
}
