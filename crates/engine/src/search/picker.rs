//! The staged move picker: the hash move, captures by gain, killers and the countermove, then quiet moves by score.

use yarra_games::{Game, Move};

use super::history::{Cutoff, HistoryTables};
use super::{NO_MOVE, ScoredMoves};
use crate::eval::MoveSource;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    ListCaptures,
    Captures,
    Killers,
    ListQuiets,
    Quiets,
}

/// Gives the moves of a node one by one. Lists are made only when they are needed.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    stage: Stage,
    hash_move: Move,
    /// Two killers and the countermove.
    early: [Move; 3],
    n_early: usize,
    base: usize,
    next: usize,
    first_quiet: usize,
}

/// A picked move.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    pub mv: Move,
    pub is_quiet: bool,
}

/// The lists and tables of a thread, on loan to the picker.
pub struct Lists<'a> {
    pub moves: &'a mut ScoredMoves,
    pub tables: &'a HistoryTables,
}

impl Picker {
    /// The moves of a node with these early moves; `base` is the length of the list of moves.
    #[inline(always)]
    pub fn new(base: usize, hash_move: Move, early: [Move; 3]) -> Picker {
        Picker { stage: Stage::Hash, hash_move, early, n_early: 0, base, next: base, first_quiet: base }
    }

    /// The next move, `None` once all are picked. Without quiets, those not yet picked are skipped.
    #[inline(always)]
    pub fn pick<G: Game, E: MoveSource<G>>(
        &mut self,
        with_quiets: bool,
        source: &E,
        state: &mut E::State,
        pos: &G,
        Lists { moves, tables }: Lists<'_>,
    ) -> Option<Pick> {
        if self.stage == Stage::Hash {
            self.stage = Stage::ListCaptures;
            let m = self.hash_move;
            if m != NO_MOVE && source.is_legal(pos, m) {
                return Some(Pick { mv: m, is_quiet: source.gain(state, pos, m) <= 0 });
            }
            self.hash_move = NO_MOVE;
        }
        if self.stage == Stage::ListCaptures {
            source.captures(state, pos, moves);
            self.stage = Stage::Captures;
        }
        if self.stage == Stage::Captures {
            while let Some((m, _)) = moves.take_best(self.next) {
                self.next += 1;
                if m != self.hash_move {
                    return Some(Pick { mv: m, is_quiet: false });
                }
            }
            self.stage = Stage::Killers;
        }
        if !with_quiets {
            return None;
        }
        if self.stage == Stage::Killers {
            while self.n_early < self.early.len() {
                let idx = self.n_early;
                self.n_early += 1;
                let m = self.early[idx];
                let is_new = m != NO_MOVE && m != self.hash_move;
                if is_new && source.is_legal(pos, m) && source.gain(state, pos, m) <= 0 {
                    return Some(Pick { mv: m, is_quiet: true });
                }
                self.early[idx] = NO_MOVE;
            }
            self.stage = Stage::ListQuiets;
        }
        if self.stage == Stage::ListQuiets {
            self.first_quiet = moves.len();
            self.next = self.first_quiet;
            source.quiets(state, pos, moves);
            let side = pos.turn() as usize;
            for idx in self.first_quiet..moves.len() {
                let (m, _) = moves.get(idx);
                moves.add(idx, tables.score(side, m));
            }
            self.stage = Stage::Quiets;
        }
        while let Some((m, _)) = moves.take_best(self.next) {
            self.next += 1;
            if m != self.hash_move && m != self.early[0] && m != self.early[1] && m != self.early[2] {
                return Some(Pick { mv: m, is_quiet: true });
            }
        }
        None
    }

    /// A quiet move caused a cutoff: its history rises, and that of the quiet moves tried before it falls.
    #[inline(always)]
    pub fn note_cutoff(&self, moves: &ScoredMoves, tables: &mut HistoryTables, cutoff: Cutoff) {
        let malus = -cutoff.bonus();
        if self.stage == Stage::Quiets {
            for idx in self.first_quiet..self.next {
                let (tried, _) = moves.get(idx);
                if tried != cutoff.mv {
                    tables.note(tried, cutoff.side, malus);
                }
            }
        }
        for killer in self.early.into_iter().take(self.n_early) {
            if killer != cutoff.mv && killer != NO_MOVE {
                tables.note(killer, cutoff.side, malus);
            }
        }
        tables.note_cutoff(cutoff);
    }

    /// Removes the node's moves from the list.
    #[inline(always)]
    pub fn finish(&self, moves: &mut ScoredMoves) {
        moves.truncate(self.base);
    }
}
