//! What a search remembers about good moves, to look at them first.

use yarra_games::Move;

use super::Order;

/// Killers by distance from the root, and how often each move cut.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    killers: Vec<[Option<Move>; 2]>,
    history: Vec<u32>,
}

impl Memory {
    /// Makes room for a search of some depth.
    pub fn begin(&mut self, depth: u32) {
        self.killers.clear();
        self.killers.resize(depth as usize + 1, [None; 2]);
        for count in &mut self.history {
            *count /= 2;
        }
    }

    /// Remembers a move that cut `depth` plies above the leaves.
    pub fn note_cutoff(&mut self, m: Move, ply: u32, depth: u32) {
        if let Some([first, second]) = self.killers.get_mut(ply as usize)
            && *first != Some(m)
        {
            *second = first.replace(m);
        }
        let idx = usize::from(m.0);
        if self.history.len() <= idx {
            self.history.resize(idx + 1, 0);
        }
        self.history[idx] = self.history[idx].saturating_add(depth * depth);
    }

    /// Sorts moves by what the options ask for, and leaves the rest in the order it came in.
    pub fn sort(&self, order: &Order, moves: &mut [Move], hash_move: Option<Move>, ply: u32) {
        if order.history {
            moves.sort_by_key(|m| {
                let count = self.history.get(usize::from(m.0)).copied().unwrap_or(0);
                std::cmp::Reverse(count)
            });
        }
        if order.killers
            && let Some(killers) = self.killers.get(ply as usize)
        {
            for killer in killers.iter().rev().flatten() {
                to_front(moves, *killer);
            }
        }
        if order.hash_move
            && let Some(m) = hash_move
        {
            to_front(moves, m);
        }
    }
}

/// Moves one of the moves to the front, if it is among them, and keeps the order of the others.
pub fn to_front(moves: &mut [Move], m: Move) {
    if let Some(idx) = moves.iter().position(|&other| other == m) {
        moves[..=idx].rotate_right(1);
    }
}
