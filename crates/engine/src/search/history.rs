//! What a search learns about quiet moves: killers, countermoves and history.

use yarra_games::Move;

use super::NO_MOVE;

/// For each ply below the root, the last two moves that caused a cutoff there.
#[derive(Clone, Debug, Default)]
pub struct Killers(Vec<[Move; 2]>);

impl Killers {
    /// No killers, for this many plies.
    pub fn new(n_plies: usize) -> Killers {
        Killers(vec![[NO_MOVE; 2]; n_plies])
    }

    /// Clears the table and makes room for this many plies.
    pub fn reset(&mut self, n_plies: usize) {
        self.0.clear();
        self.0.resize(n_plies, [NO_MOVE; 2]);
    }

    /// The next search begins two plies later: the killers move up.
    pub fn age(&mut self) {
        let n = self.0.len().min(2);
        self.0.rotate_left(n);
    }

    /// The killers of a ply, the latest first; [`NO_MOVE`] where there is none.
    #[inline(always)]
    pub fn at(&self, ply: u32) -> [Move; 2] {
        self.0[ply as usize]
    }

    /// A move caused a cutoff.
    #[inline(always)]
    pub fn note(&mut self, m: Move, ply: u32) {
        let killers = &mut self.0[ply as usize];
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
    }
}

/// Which tables are kept. One that is not kept stays empty and changes no order.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Killers and countermoves.
    pub killers: bool,
    /// The history by player and move.
    pub history: bool,
}

/// Killers, countermoves and history of one thread.
#[derive(Clone, Debug)]
pub struct HistoryTables {
    kept: Kept,
    killers: Killers,
    /// By the opponent's last move.
    countermoves: Vec<Move>,
    /// By player and move.
    history: Vec<i32>,
    n_moves: usize,
}

/// No move's history exceeds this.
const MAX_HISTORY: i32 = 1 << 14;

/// A quiet move that caused a cutoff.
#[derive(Clone, Copy, Debug)]
pub struct Cutoff {
    /// The move.
    pub mv: Move,
    /// The index of its player.
    pub side: usize,
    /// The node's distance from the root.
    pub ply: u32,
    /// The opponent's last move; [`NO_MOVE`] at the root and after a null move.
    pub last: Move,
    /// The node's remaining depth.
    pub depth: u32,
}

impl Cutoff {
    /// What the move gains in the history and moves tried before it lose.
    #[inline(always)]
    pub fn bonus(&self) -> i32 {
        ((self.depth * self.depth * 8) as i32).min(1200)
    }
}

impl HistoryTables {
    /// Empty tables for a game of `n_moves` moves and lines of at most `n_plies`.
    pub fn new(kept: Kept, n_moves: usize, n_plies: usize) -> HistoryTables {
        HistoryTables {
            kept,
            killers: Killers::new(n_plies),
            countermoves: vec![NO_MOVE; n_moves],
            history: vec![0; 2 * n_moves],
            n_moves,
        }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        *self = HistoryTables::new(self.kept, self.n_moves, self.killers.0.len());
    }

    /// A new search begins two plies later: killers move up, history is halved.
    pub fn age(&mut self) {
        self.killers.age();
        for count in &mut self.history {
            *count /= 2;
        }
    }

    /// Two killers and the countermove to `last`, each at most once.
    #[inline(always)]
    pub fn early_moves(&self, ply: u32, last: Move) -> [Move; 3] {
        let [first, second] = self.killers.at(ply);
        let counter = if last == NO_MOVE { NO_MOVE } else { self.countermoves[usize::from(last.0)] };
        let is_killer = counter == first || counter == second;
        [first, second, if is_killer { NO_MOVE } else { counter }]
    }

    /// The history of a player's move.
    #[inline(always)]
    pub fn score(&self, side: usize, m: Move) -> i32 {
        self.history[side * self.n_moves + usize::from(m.0)]
    }

    /// A quiet move caused a cutoff.
    #[inline(always)]
    pub fn note_cutoff(&mut self, cutoff: Cutoff) {
        if self.kept.killers {
            self.killers.note(cutoff.mv, cutoff.ply);
            if cutoff.last != NO_MOVE {
                self.countermoves[usize::from(cutoff.last.0)] = cutoff.mv;
            }
        }
        self.note(cutoff.mv, cutoff.side, cutoff.bonus());
    }

    /// A quiet move did well or, with a negative bonus, badly. The closer to its bound, the slower a score moves.
    #[inline(always)]
    pub fn note(&mut self, m: Move, side: usize, bonus: i32) {
        if self.kept.history {
            let score = &mut self.history[side * self.n_moves + usize::from(m.0)];
            *score += bonus - *score * bonus.abs() / MAX_HISTORY;
        }
    }
}

/// A plain history for [`AlphaBeta`](crate::AlphaBeta): depth squared for each cutoff, without bound or malus, and one
/// table for both players.
#[derive(Clone, Debug, Default)]
pub struct CutoffCounts(Vec<u32>);

impl CutoffCounts {
    /// Halves all counts.
    pub fn age(&mut self) {
        for count in &mut self.0 {
            *count /= 2;
        }
    }

    /// The count of a move.
    pub fn get(&self, m: Move) -> u32 {
        self.0.get(usize::from(m.0)).copied().unwrap_or(0)
    }

    /// A move caused a cutoff with this remaining depth.
    pub fn note(&mut self, m: Move, depth: u32) {
        let idx = usize::from(m.0);
        if self.0.len() <= idx {
            self.0.resize(idx + 1, 0);
        }
        self.0[idx] = self.0[idx].saturating_add(depth * depth);
    }
}
