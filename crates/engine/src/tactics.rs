//! Which moves a search tries, and in which order.

use yarra_games::cpu::fastest;
use yarra_games::{Game, Move, MoveList};

use crate::profile::{Part, Quantity, note, time};
use crate::search::sort_by;

/// Selects and orders the moves of a position for a search.
pub trait Tactics<G: Game>: Send {
    /// Fills `moves` with legal moves, the most promising first: at least one. The game is not over.
    fn moves(&mut self, pos: &G, moves: &mut MoveList);

    /// The same at the root of a search.
    fn root_moves(&mut self, pos: &G, moves: &mut MoveList) {
        self.moves(pos, moves);
    }

    /// Notes what the analysis of a search averages over its positions. Called only with the profile on.
    fn measure(&self, pos: &G, is_leaf: bool) {
        if !is_leaf {
            note(Quantity::LegalMoves, pos.n_legal_moves() as f64);
        }
    }
}

/// All legal moves in the order of their numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllMoves;

impl<G: Game> Tactics<G> for AllMoves {
    fn moves(&mut self, pos: &G, moves: &mut MoveList) {
        time(Part::Moves, || {
            moves.clear();
            fastest(
                #[inline(always)]
                || pos.legal_moves(moves),
            );
        });
    }
}

/// All legal moves, those that capture most first.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapturesFirst;

impl<G: Game> Tactics<G> for CapturesFirst {
    fn moves(&mut self, pos: &G, moves: &mut MoveList) {
        AllMoves.moves(pos, moves);
        time(Part::Ordering, || sort_by(moves, |m| (-gain(pos, m)).into()));
    }
}

/// The material that a move takes from the opponent, less what the mover loses by it.
pub fn gain<G: Game>(pos: &G, m: Move) -> i32 {
    let (mover, after) = (pos.turn(), pos.after(m));
    let lost = |player| pos.material(player) as i32 - after.material(player) as i32;
    lost(mover.opponent()) - lost(mover).max(0)
}
