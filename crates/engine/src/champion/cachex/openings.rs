//! The first stone of small boards, and which first stones are worth stealing there.
//!
//! The figures are from games of the champion against itself (`examples/openings-cachex.rs`). On boards of 7
//! and 8 such games showed no clear pattern, so from there on the search decides by itself.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Position};

/// What is known of the first stones of a size of board.
struct Openings {
    size: u8,
    /// The row and column of a first stone after which both have about the same chances.
    first: (u8, u8),
    /// One row for each row of the board: `x` where the first stone is worth stealing.
    stolen: &'static [&'static str],
}

const OPENINGS: &[Openings] = &[
    Openings { size: 5, first: (2, 1), stolen: &[".x.xx", "..xx.", ".x.x.", ".xx..", "xx.x."] },
    Openings {
        size: 6,
        first: (2, 3),
        stolen: &[".x.xxx", "...xx.", "..x...", "...x..", ".xx...", "xxx.x."],
    },
];

fn known(size: u8) -> Option<&'static Openings> {
    OPENINGS.iter().find(|openings| openings.size == size)
}

/// The first stone on a board of a size, as its cell's number.
pub fn first_move(size: u8) -> Option<Move> {
    let (row, col) = known(size)?.first;
    Some(Move(u16::from(row) * u16::from(size) + u16::from(col)))
}

/// Whether a first stone on the cell of a move is worth stealing.
pub fn is_stolen(size: u8, m: Move) -> Option<bool> {
    let (row, col) = (usize::from(m.0) / usize::from(size), usize::from(m.0) % usize::from(size));
    Some(known(size)?.stolen[row].as_bytes()[col] == b'x')
}

/// Whether the first stones of this board are known.
pub fn is_known<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> bool {
    CAPTURES && known(pos.size()).is_some()
}

/// The first stone of an empty board, or the steal of one that is worth it.
pub fn choice<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<Move> {
    if !CAPTURES {
        return None;
    }
    match pos.legal_steal() {
        None => first_move(pos.size()).filter(|_| pos.ply() == 0),
        Some(steal) => {
            let stone = pos.move_at((pos.stones(pos.turn().opponent())).lowest());
            is_stolen(pos.size(), stone)?.then_some(steal)
        }
    }
}
