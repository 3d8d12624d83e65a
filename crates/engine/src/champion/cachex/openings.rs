//! The opening book of the 5 × 5 board: the first stone, which first stones to steal, and the replies to a steal.
//!
//! All first stones but two are proven to win or to lose (`proven.rs`); the rest is from self-play
//! (`lab openings`) and from games against weaker agents (`lab answers`).
//! On 6 × 6 such a table won no games, and 7 × 7 and 8 × 8 showed no clear pattern: there the search decides.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Game, Move, Position, Record};

const SIZE: u8 = 5;
/// The first stone after which opponents err most, 2-1.
const FIRST: Move = Move(11);
/// By row: `x` where the first stone is worth stealing.
const STOLEN: [&[u8; 5]; 5] = [b"..xxx", b"..xx.", b".....", b".xx..", b"xxx.."];
/// Red's replies to steals of first stones in the first half of the board that leave no proven win.
const ANSWERS: [&str; 5] = [
    "0-2 steal 4-2",
    "0-3 steal 3-2 0-4 0-3 2-2 3-1 4-1 4-0",
    "0-4 steal 4-1",
    "1-2 steal 4-2",
    "1-3 steal 3-2",
];
/// The rotation by 180°, under which the game is the same.
const HALF_TURN: usize = 1;

/// Whether a first stone on the cell of a move is worth stealing on the board of 5.
pub fn is_stolen(m: Move) -> bool {
    STOLEN[usize::from(m.0) / 5][usize::from(m.0) % 5] == b'x'
}

/// Whether the book covers this board.
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

/// The next move of a line in the book that begins with all moves of the game.
fn answer<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, game: &Record) -> Option<Move> {
    // A game that began later may have reached the position by other moves.
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
