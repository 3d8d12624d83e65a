//! The first stone of the board of 5, which first stones are worth stealing there, and what to play once one is stolen.
//!
//! All first stones but two are proven to win or to lose (`proven.rs`); the rest is from games of the champion against
//! itself (`lab openings`) and against agents that err (`lab answers`). On
//! boards of 6 such a table won no games, and on those of 7 and 8 there was no clear pattern: there the search decides.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Game, Move, Position, Record};

const SIZE: u8 = 5;
/// The first stone after which opponents go wrong most, 2-1.
const FIRST: Move = Move(11);
/// One row for each row of the board: `x` where the first stone is worth stealing.
const STOLEN: [&[u8; 5]; 5] = [b"..xxx", b"..xx.", b".....", b".xx..", b"xxx.."];
/// What red plays once a first stone in the first half of the board is stolen that he cannot win against.
const ANSWERS: [&str; 5] = [
    "0-2 steal 4-2",
    "0-3 steal 3-2 0-4 0-3 2-2 3-1 4-1 4-0",
    "0-4 steal 4-1",
    "1-2 steal 4-2",
    "1-3 steal 3-2",
];
/// The half turn of the board, which changes nothing.
const HALF_TURN: usize = 1;

/// Whether a first stone on the cell of a move is worth stealing on the board of 5.
pub fn is_stolen(m: Move) -> bool {
    STOLEN[usize::from(m.0) / 5][usize::from(m.0) % 5] == b'x'
}

/// Whether the first stones of this board are known.
pub fn is_known<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> bool {
    CAPTURES && pos.size() == SIZE
}

/// The first stone of an empty board, the steal of one that is worth it, or the answer to a steal.
pub fn choice<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, game: &Record) -> Option<Move> {
    if !is_known(pos) {
        return None;
    }
    match pos.ply() {
        0 => Some(FIRST),
        1 => {
            let stone = pos.move_at(pos.stones(pos.turn().opponent()).lowest());
            pos.legal_steal().filter(|_| is_stolen(stone))
        }
        _ => answer(pos, game),
    }
}

/// What comes next in a line that is known and begins with all moves of the game.
fn answer<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, game: &Record) -> Option<Move> {
    // A game that began later may have come here another way.
    if usize::from(pos.ply()) != game.moves().len() {
        return None;
    }
    [0, HALF_TURN].into_iter().find_map(|symmetry| {
        let shown = |m: Move| pos.show_move(pos.image_move(symmetry, m));
        let played: String = game.moves().iter().map(|&m| shown(m) + " ").collect();
        let next = ANSWERS.iter().find_map(|line| line.strip_prefix(&played)?.split(' ').next())?;
        game.legal_moves().into_iter().find(|&m| shown(m) == next)
    })
}
