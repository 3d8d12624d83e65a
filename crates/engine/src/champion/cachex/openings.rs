//! The first stone of small boards, which first stones are worth stealing there, and what to play once one is stolen.
//!
//! On the board of 5 all first stones but two are proven to win or to lose (`proven.rs`); the rest is from games of the
//! champion against itself (`examples/openings-cachex.rs`) and, for the answers, against agents that err
//! (`crates/catalog/examples/answers-cachex.rs`). On boards of 7 and 8 such games showed no clear pattern, so from there
//! on the search decides by itself.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Player, Position};

/// What is known of the first stones of a size of board.
struct Openings {
    size: u8,
    /// A first stone after which both have about the same chances.
    first: Cell,
    /// One row for each row of the board: `x` where the first stone is worth stealing.
    stolen: &'static [&'static str],
    /// First stones in the first half of the board, and where to play once they are stolen.
    answers: &'static [(Cell, Cell)],
}

/// A row and a column.
type Cell = (u8, u8);

const OPENINGS: &[Openings] = &[
    Openings {
        size: 5,
        first: (0, 2),
        stolen: &["..xxx", "..xx.", ".....", ".xx..", "xxx.."],
        answers: &[((0, 2), (4, 2)), ((0, 3), (3, 2)), ((0, 4), (4, 1)), ((1, 2), (4, 2)), ((1, 3), (3, 2))],
    },
    Openings {
        size: 6,
        first: (2, 3),
        stolen: &[".x.xxx", "...xx.", "..x...", "...x..", ".xx...", "xxx.x."],
        answers: &[],
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

/// Where to play once a first stone is stolen.
pub fn answer(size: u8, m: Move) -> Option<Move> {
    let n_cells = u16::from(size) * u16::from(size);
    let number = |(row, col): Cell| u16::from(row) * u16::from(size) + u16::from(col);
    let answer_to = |first: u16| {
        let (_, answer) = known(size)?.answers.iter().find(|&&(stone, _)| number(stone) == first)?;
        Some(number(*answer))
    };
    // Half a turn of the board changes nothing.
    let turned = |cell: u16| n_cells - 1 - cell;
    answer_to(m.0).or_else(|| answer_to(turned(m.0)).map(turned)).map(Move)
}

/// The first stone of an empty board, the steal of one that is worth it, or the answer to a steal.
pub fn choice<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<Move> {
    if !CAPTURES {
        return None;
    }
    let others = pos.stones(pos.turn().opponent());
    match pos.ply() {
        0 => first_move(pos.size()),
        1 => is_stolen(pos.size(), pos.move_at(others.lowest()))?.then_some(pos.legal_steal()?),
        2 if pos.stones(Player::Red).is_empty() => {
            // It has changed sides over the diagonal.
            let (cell, size) = (pos.move_at(others.lowest()).0, u16::from(pos.size()));
            answer(pos.size(), Move(cell % size * size + cell / size))
        }
        _ => None,
    }
}
