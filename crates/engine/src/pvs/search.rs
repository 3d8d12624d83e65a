//! The recursion: negamax with a scout window for every move after the first.

use yarra_games::cpu::Cpu;
use yarra_games::{Game, Move, Outcome, Reason};

use super::MAX_DEPTH;
use super::quiescence::QuiescenceVisit;
use super::thread::PvsThread;
use crate::eval::MoveSource;
use crate::profile::{Part, time};
use crate::search::history::Cutoff;
use crate::search::picker::{Lists, Pick, Picker};
use crate::search::{Bound, NO_MOVE, Window};
use crate::{Choice, Score, Watch};

/// Futility pruning and late move pruning apply up to this depth.
const MAX_FUTILITY_DEPTH: i32 = 3;
const MAX_LMP_DEPTH: i32 = 3;
/// The first quiet moves are not reduced.
const N_UNREDUCED: u32 = 2;

/// The recursion, with everything it needs at hand.
pub struct PvsSearch<'a, 'w, G: Game, E: MoveSource<G>> {
    pub source: &'a E,
    pub thread: &'a mut PvsThread<G>,
    pub watch: &'a mut Watch<'w>,
    /// The root's best line so far.
    pub best: &'a Choice,
}

/// A visit to a node.
pub struct PvsVisit<'a, G, S> {
    pub pos: &'a G,
    pub depth: i32,
    pub window: Window,
    /// The distance from the root.
    pub ply: u32,
    /// The move that led here; [`NO_MOVE`] at the root and after a null move.
    pub last: Move,
    /// The position before that move and its state; `None` at the root.
    pub parent: Option<(&'a G, &'a S)>,
}

impl<G, S> Clone for PvsVisit<'_, G, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, S> Copy for PvsVisit<'_, G, S> {}

impl<G, S> PvsVisit<'_, G, S> {
    /// Whether the node is a PV node: one with more than a scout window.
    #[inline(always)]
    fn is_pv(&self) -> bool {
        let (alpha, beta) = self.window;
        1 < beta.0 - alpha.0
    }
}

/// The moves of a node tried so far.
struct Tried {
    n_moves: u32,
    n_quiets: u32,
    best: (Score, Move),
    alpha: Score,
}

impl<G: Game, E: MoveSource<G>> PvsSearch<'_, '_, G, E> {
    /// The value of a position for the player to move. Each call selects the CPU's instructions again, because a
    /// recursion cannot be inlined.
    pub fn search<C: Cpu>(&mut self, cpu: C, visit: PvsVisit<'_, G, E::State>) -> Score {
        cpu.run(
            #[inline(always)]
            || self.search_here(cpu, visit),
        )
    }

    #[inline(always)]
    fn search_here<C: Cpu>(&mut self, cpu: C, visit: PvsVisit<'_, G, E::State>) -> Score {
        let PvsVisit { pos, depth, window, ply, .. } = visit;
        if visit.is_pv() {
            self.thread.run.clear_line(ply);
        }
        let is_root = ply == 0;
        if !is_root {
            if !self.thread.run.enter(1, self.best, self.watch) {
                return Score::DRAW;
            }
            if !self.thread.history.enter(pos) {
                let outcome = Outcome { winner: None, reason: Reason::Repetition };
                return self.source.ended(pos, outcome, ply);
            }
        }
        let score = match pos.outcome() {
            Some(outcome) => self.source.ended(pos, outcome, ply),
            None if depth <= 0 => {
                let state = self.state_of(&visit);
                let n_left = self.thread.options.quiescence;
                self.quiescence(cpu, QuiescenceVisit { pos, state: &state, window, ply, n_left })
            }
            None => self.search_moves(cpu, visit),
        };
        if !is_root {
            self.thread.history.leave();
        }
        score
    }

    /// The value of a node that is searched at least one ply deep.
    #[inline(always)]
    fn search_moves<C: Cpu>(&mut self, cpu: C, mut visit: PvsVisit<'_, G, E::State>) -> Score {
        let PvsVisit { pos, window, ply, last, .. } = visit;
        let (alpha, beta) = window;
        let is_pv = visit.is_pv();
        let options = self.thread.options;
        let key = self.thread.keys.key(pos);
        // Values that depend on the history of boards must not enter or leave the table.
        let is_table_sound = !self.thread.history.is_watched();

        // Static evaluation. Most nodes need it, and meanwhile the table's entry is on its way.
        self.thread.table.prefetch(key);
        let mut state = self.state_of(&visit);
        let is_bounded = beta.0.abs() <= Score::MAX_EVALUATION.0 && alpha.0.abs() <= Score::MAX_EVALUATION.0;
        let is_near_leaves = 0 < options.futility && visit.depth <= MAX_FUTILITY_DEPTH;
        let is_value_needed = !is_pv && is_bounded && (options.null || is_near_leaves);
        let value = if is_value_needed { Some(self.evaluate(&state, pos)) } else { None };

        // Transposition table cutoff.
        let known = self.thread.table.get(key);
        if let Some(entry) = known
            && is_table_sound
            && !is_pv
            && let Some(score) = entry.cutoff(visit.depth as u32, ply, window)
        {
            self.thread.run.stats.table_hits += 1;
            return score;
        }
        let known_move = known.and_then(|entry| entry.mv());
        let hash_move = if ply == 0 { self.best.mv } else { known_move.unwrap_or(NO_MOVE) };
        visit.depth = visit.depth.min((MAX_DEPTH - ply) as i32);
        let depth = visit.depth;

        let mut is_futile = false;
        if let Some(value) = value {
            // Reverse futility pruning, and futility pruning of quiet moves.
            if is_near_leaves {
                let margin = options.futility * depth;
                if beta.0 <= value.0 - margin {
                    return value;
                }
                is_futile = value.0 + margin <= alpha.0;
            }
            // Null move pruning.
            if options.null
                && beta <= value
                && 2 <= depth
                && last != NO_MOVE
                && let Some(score) = self.null_move(cpu, &visit, &state)
            {
                return score;
            }
        }

        let (score, m) = self.try_moves(cpu, &visit, &mut state, hash_move, is_futile);
        if self.thread.run.is_stopped {
            return Score::DRAW;
        }
        if is_table_sound && self.thread.run.is_whole(ply) {
            let bound = Bound::of(score, window);
            // In a node that failed low no move has proven better than the others.
            let m = if bound == Bound::Upper { known_move } else { Some(m) };
            self.thread.table.insert(key, (score, bound), m, depth as u32, ply);
        }
        score
    }

    /// Searches the moves of a node until one causes a cutoff, and returns the best with its value. In a futile node quiet
    /// moves are pruned once any move was searched.
    #[inline(always)]
    fn try_moves<C: Cpu>(
        &mut self,
        cpu: C,
        visit: &PvsVisit<'_, G, E::State>,
        state: &mut E::State,
        hash_move: Move,
        is_futile: bool,
    ) -> (Score, Move) {
        let &PvsVisit { pos, depth, window: (alpha, beta), ply, last, .. } = visit;
        let options = &self.thread.options;
        let is_pv = visit.is_pv();
        // Late move pruning.
        let is_lmp_off = options.lmp == 0 || is_pv || MAX_LMP_DEPTH < depth;
        let most_quiets = if is_lmp_off { u32::MAX } else { options.lmp * (depth * depth) as u32 };

        let side = pos.turn() as usize;
        let mut tried = Tried { n_moves: 0, n_quiets: 0, best: (-Score::INFINITE, NO_MOVE), alpha };
        let mut picker =
            Picker::new(self.thread.moves.len(), hash_move, self.thread.tables.early_moves(ply, last));
        loop {
            // While all moves lose, every one must be searched.
            let is_lost = tried.best.0.0 < -Score::MAX_EVALUATION.0;
            let is_enough = !is_lost && (is_futile || most_quiets <= tried.n_quiets) && 0 < tried.n_moves;
            let thread = &mut *self.thread;
            let lists = Lists { moves: &mut thread.moves, tables: &thread.tables };
            let pick = time(
                Part::Moves,
                #[inline(always)]
                || picker.pick(!is_enough, self.source, state, pos, lists),
            );
            let Some(pick) = pick else { break };
            if self.thread.run.is_excluded(pick.mv, ply) {
                continue;
            }
            tried.n_quiets += u32::from(pick.is_quiet);
            tried.n_moves += 1;
            let score = self.search_move(cpu, visit, state, pick, &tried);
            let thread = &mut *self.thread;
            if thread.run.is_stopped {
                break;
            }
            if tried.best.0 < score {
                tried.best = (score, pick.mv);
                if tried.alpha < score {
                    tried.alpha = score;
                    if is_pv {
                        thread.run.note_line(pick.mv, ply, score);
                    }
                }
            }
            if beta <= tried.alpha {
                thread.run.stats.cutoffs += 1;
                thread.run.stats.first_move_cutoffs += u64::from(tried.n_moves == 1);
                if pick.is_quiet {
                    let cutoff = Cutoff { mv: pick.mv, side, ply, last, depth: depth as u32 };
                    picker.note_cutoff(&thread.moves, &mut thread.tables, cutoff);
                }
                break;
            }
        }
        picker.finish(&mut self.thread.moves);
        tried.best
    }

    /// The value of a move for its mover.
    #[inline(always)]
    fn search_move<C: Cpu>(
        &mut self,
        cpu: C,
        visit: &PvsVisit<'_, G, E::State>,
        state: &E::State,
        pick: Pick,
        tried: &Tried,
    ) -> Score {
        let &PvsVisit { pos, depth, ply, .. } = visit;
        let (alpha, beta) = (tried.alpha, visit.window.1);
        let is_pv = visit.is_pv();
        let child = pos.after(pick.mv);
        let next = PvsVisit {
            pos: &child,
            depth: depth - 1,
            window: (-beta, -alpha),
            ply: ply + 1,
            last: pick.mv,
            parent: Some((pos, state)),
        };
        if tried.n_moves == 1 {
            return -self.search(cpu, next);
        }
        // Late move reductions.
        let options = self.thread.options;
        let mut reduction = 0;
        if pick.is_quiet && 0 < options.lmr && 3 <= depth && N_UNREDUCED < tried.n_quiets {
            reduction = (depth.ilog2() * tried.n_quiets.ilog2() / options.lmr) as i32;
            reduction = (reduction - i32::from(is_pv)).clamp(0, depth - 2);
        }
        // Scout window.
        if is_pv {
            self.thread.run.clear_line(ply + 1);
        }
        let scout = (Score(-alpha.0 - 1), -alpha);
        let mut score = -self.search(cpu, PvsVisit { depth: depth - 1 - reduction, window: scout, ..next });
        if 0 < reduction && alpha < score && !self.thread.run.is_stopped {
            score = -self.search(cpu, PvsVisit { window: scout, ..next });
        }
        // Full window.
        if is_pv && alpha < score && score < beta && !self.thread.run.is_stopped {
            score = -self.search(cpu, next);
        }
        score
    }

    /// The value if even a null move fails high, by a search of reduced depth.
    #[inline(always)]
    fn null_move<C: Cpu>(
        &mut self,
        cpu: C,
        visit: &PvsVisit<'_, G, E::State>,
        state: &E::State,
    ) -> Option<Score> {
        let &PvsVisit { pos, depth, window: (_, beta), ply, .. } = visit;
        let after = self.source.null_move(pos)?;
        let next = PvsVisit {
            pos: &after,
            depth: depth - 1 - (2 + depth / 4),
            window: (-beta, Score(1 - beta.0)),
            ply: ply + 1,
            last: NO_MOVE,
            parent: Some((pos, state)),
        };
        let score = -self.search(cpu, next);
        // A win after a null move is no proven win.
        (beta <= score && !self.thread.run.is_stopped).then_some(score.clamped())
    }

    /// The state of a node's position, by that of its parent if it has one.
    #[inline(always)]
    fn state_of(&self, visit: &PvsVisit<'_, G, E::State>) -> E::State {
        match visit.parent {
            Some((before, state)) if visit.last == NO_MOVE => {
                self.source.null_child(state, before, visit.pos)
            }
            Some((before, state)) => self.source.child(state, before, visit.last, visit.pos),
            None => self.source.root(visit.pos),
        }
    }

    /// The static evaluation of a position.
    #[inline(always)]
    pub fn evaluate(&mut self, state: &E::State, pos: &G) -> Score {
        self.thread.run.stats.evaluations += 1;
        time(
            Part::Evaluation,
            #[inline(always)]
            || self.source.value(state, pos),
        )
    }
}
