//! The first stone of small boards, which first stones are worth stealing there, and what to play once one is stolen.
//!
//! On the board of 5 all first stones but two are proven to win or to lose (`proven.rs`); the rest is from games of the
//! champion against itself (`examples/openings-cachex.rs`) and, for the answers, against agents that err
//! (`crates/catalog/examples/answers-cachex.rs`). On boards of 7 and 8 such games showed no clear pattern, so from there
//! on the search decides by itself.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Game, Move, Position, Record};

/// What is known of the first stones of a size of board.
struct Openings {
    size: u8,
    /// The row and column of the first stone after which opponents go wrong most.
    first: (u8, u8),
    /// One row for each row of the board: `x` where the first stone is worth stealing.
    stolen: &'static [&'static str],
    /// What red plays once a first stone in the first half of the board is stolen that he cannot win against.
    answers: &'static [&'static str],
}

const OPENINGS: &[Openings] = &[
    Openings {
        size: 5,
        first: (2, 1),
        stolen: &["..xxx", "..xx.", ".....", ".xx..", "xxx.."],
        answers: &[
            "0-2 steal 4-2",
            "0-3 steal 3-2 0-4 0-3 2-2 3-1 4-1 4-0",
            "0-4 steal 4-1",
            "1-2 steal 4-2",
            "1-3 steal 3-2",
        ],
    },
    Openings {
        size: 6,
        first: (2, 3),
        stolen: &[".x.xxx", "...xx.", "..x...", "...x..", ".xx...", "xxx.x."],
        answers: &[],
    },
];

/// The half turn of the board, which changes nothing.
const HALF_TURN: usize = 1;

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

/// The first stone of an empty board, the steal of one that is worth it, or the answer to a steal.
pub fn choice<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, game: &Record) -> Option<Move> {
    if !CAPTURES {
        return None;
    }
    match pos.ply() {
        0 => first_move(pos.size()),
        1 => {
            let stone = pos.move_at(pos.stones(pos.turn().opponent()).lowest());
            is_stolen(pos.size(), stone)?.then_some(pos.legal_steal()?)
        }
        _ => answer(pos, game),
    }
}

/// What comes next in a line that is known and begins with all moves of the game.
fn answer<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, game: &Record) -> Option<Move> {
    let lines = known(pos.size()).filter(|_| usize::from(pos.ply()) == game.moves().len())?.answers;
    [0, HALF_TURN].into_iter().find_map(|symmetry| {
        let shown = |m: Move| pos.show_move(pos.image_move(symmetry, m));
        let played: String = game.moves().iter().map(|&m| shown(m) + " ").collect();
        let next = lines.iter().find_map(|line| line.strip_prefix(&played)?.split(' ').next())?;
        game.legal_moves().into_iter().find(|&m| shown(m) == next)
    })
}
