//! What the depth-first searches share: [`AlphaBeta`](crate::AlphaBeta), [`Pvs`](crate::Pvs) and the Tetress champion.
//!
//! `iteration` deepens iteratively, with budget, statistics, principal variations and MultiPV; `threads` runs lazy SMP
//! threads, with the set of positions for ABDADA; `table` is the transposition table; `history` holds killers,
//! countermoves and history; `ranked` is the list of scored moves and `picker` the staged move picker.

pub(crate) mod history;
pub(crate) mod iteration;
pub(crate) mod picker;
mod ranked;
mod table;
pub(crate) mod threads;

use yarra_games::{Move, MoveList};

use crate::Score;
pub use ranked::ScoredMoves;
pub(crate) use table::TableKeys;
pub use table::{Bound, Entry, Table};

/// The bounds of a search, alpha and beta.
pub type Window = (Score, Score);
/// The window that every score lies in.
pub(crate) const OPEN: Window = (Score(-Score::INFINITE.0), Score::INFINITE);

/// Stands for no move: no game has a move of this number.
pub(crate) const NO_MOVE: Move = Move(u16::MAX);

/// Sorts moves by a key that is computed once for each, the lowest first; equal ones keep their order.
pub(crate) fn sort_by(moves: &mut MoveList, mut key: impl FnMut(Move) -> i64) {
    let mut keyed: Vec<(i64, Move)> = Vec::with_capacity(moves.len());
    for &m in moves.iter() {
        keyed.push((key(m), m));
    }
    sort_keyed(&mut keyed, moves);
}

/// The part that does not depend on the game: a sort is a lot of code.
fn sort_keyed(keyed: &mut [(i64, Move)], moves: &mut MoveList) {
    keyed.sort_by_key(|&(key, _)| key);
    moves.clear();
    moves.extend(keyed.iter().map(|&(_, m)| m));
}
