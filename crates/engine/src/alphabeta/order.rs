//! Move ordering.

use yarra_games::Move;

use super::Order;
use crate::search::NO_MOVE;
use crate::search::history::{CutoffCounts, Killers};

/// What the search has learned about moves.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    killers: Killers,
    counts: CutoffCounts,
}

impl Learned {
    /// A search of this depth begins.
    pub fn begin(&mut self, depth: u32) {
        self.killers.reset(depth as usize + 1);
        self.counts.age();
    }

    /// A move caused a cutoff `depth` plies above the leaves.
    pub fn note_cutoff(&mut self, m: Move, ply: u32, depth: u32) {
        self.killers.note(m, ply);
        self.counts.note(m, depth);
    }

    /// Sorts moves by what the options ask for; the rest keep their order.
    pub fn sort(&self, order: &Order, moves: &mut [Move], hash_move: Option<Move>, ply: u32) {
        if order.history {
            moves.sort_by_key(|&m| std::cmp::Reverse(self.counts.get(m)));
        }
        if order.killers {
            let [first, second] = self.killers.at(ply);
            for killer in [second, first].into_iter().filter(|&killer| killer != NO_MOVE) {
                to_front(moves, killer);
            }
        }
        if order.hash_move
            && let Some(m) = hash_move
        {
            to_front(moves, m);
        }
    }
}

/// Moves one of the moves to the front, if it is among them; the others keep their order.
pub fn to_front(moves: &mut [Move], m: Move) {
    if let Some(idx) = moves.iter().position(|&other| other == m) {
        moves[..=idx].rotate_right(1);
    }
}
