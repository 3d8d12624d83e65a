//! The recursion.

use yarra_games::{Game, Move, MoveList, Outcome, Reason};

use super::order::to_front;
use super::{AlphaBeta, Method};
use crate::profile::{self, Part, time};
use crate::search::iteration::{RootSearch, Run};
use crate::search::{Bound, OPEN, Window};
use crate::{Choice, Evaluator, Score, Watch};

/// The agent at its root.
pub struct AlphaBetaRoot<'a, G: Game, E: Evaluator<G>> {
    pub agent: &'a mut AlphaBeta<G, E>,
    pub pos: G,
    /// The root's moves, in the order of the last iteration.
    pub moves: MoveList,
}

impl<G: Game, E: Evaluator<G>> RootSearch for AlphaBetaRoot<'_, G, E> {
    fn run(&mut self) -> &mut Run {
        &mut self.agent.work.run
    }

    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>) {
        let work = &mut self.agent.work;
        work.history.watch(depth);
        if work.options.order.previous_iteration {
            work.sort_by_previous(&self.pos, &mut self.moves);
        }
        if work.options.order.last_best && 0 < work.run.stats.depth() {
            to_front(&mut self.moves, best.mv);
        }
        AlphaBetaSearch { agent: self.agent, watch, best }.root(&self.pos, &self.moves, depth);
    }
}

/// The recursion, with everything it needs at hand.
struct AlphaBetaSearch<'a, 'w, G: Game, E: Evaluator<G>> {
    agent: &'a mut AlphaBeta<G, E>,
    watch: &'a mut Watch<'w>,
    /// The root's best line so far.
    best: &'a Choice,
}

/// A visit to a node.
struct AlphaBetaVisit<'a, G, S> {
    pos: &'a G,
    state: &'a S,
    depth: u32,
    window: Window,
    /// The distance from the root.
    ply: u32,
}

impl<G: Game, E: Evaluator<G>> AlphaBetaSearch<'_, '_, G, E> {
    /// Searches the root's moves, and notes the line of each that is better than those before.
    fn root(&mut self, pos: &G, moves: &[Move], depth: u32) {
        let state = self.agent.evaluator.root(pos);
        self.measure(pos, false);
        self.agent.work.enter_moves(moves.len());
        let (mut alpha, beta) = OPEN;
        let mut best = None;
        for (idx, &m) in moves.iter().enumerate() {
            let visit = AlphaBetaVisit { pos, state: &state, depth, window: (alpha, beta), ply: 0 };
            let score = self.search_move(&visit, m, idx == 0);
            let work = &mut self.agent.work;
            if work.run.is_stopped {
                break;
            }
            if alpha < score {
                alpha = score;
                work.run.note_line(m, 0, score);
                best = Some(m);
            }
        }
        let work = &mut self.agent.work;
        work.leave_moves(moves.len());
        if !work.run.is_stopped && !work.history.is_watched() {
            work.table.insert(work.keys.key(pos), (alpha, Bound::Exact), best, depth, 0);
        }
    }

    /// The value of a move for its mover, by the method's windows.
    fn search_move(&mut self, visit: &AlphaBetaVisit<'_, G, E::State>, m: Move, is_first: bool) -> Score {
        let child = visit.pos.after(m);
        let state = self.agent.evaluator.child(visit.state, visit.pos, m, &child);
        let (alpha, beta) = visit.window;
        let method = self.agent.work.options.method;
        let mut value = |window| {
            let next = AlphaBetaVisit {
                pos: &child,
                state: &state,
                depth: visit.depth - 1,
                window,
                ply: visit.ply + 1,
            };
            -self.search(&next)
        };
        match method {
            Method::Minimax => value(OPEN),
            Method::NegaScout { window } if !is_first => {
                let scout = Score(alpha.0.saturating_add(window.max(1)).min(beta.0));
                let score = value((-scout, -alpha));
                if alpha < score && score < beta { value((-beta, -alpha)) } else { score }
            }
            _ => value((-beta, -alpha)),
        }
    }

    /// The value of a position for the player to move.
    fn search(&mut self, visit: &AlphaBetaVisit<'_, G, E::State>) -> Score {
        let &AlphaBetaVisit { pos, state, depth, ply, .. } = visit;
        let work = &mut self.agent.work;
        work.run.clear_line(ply);
        if !work.run.enter_counted(self.best, self.watch) {
            return Score::DRAW;
        }
        if !work.history.enter(pos) {
            work.run.stats.shape.leaves += 1;
            let outcome = Outcome { winner: None, reason: Reason::Repetition };
            return self.agent.evaluator.ended(pos, outcome, ply);
        }
        let score = match pos.outcome() {
            Some(outcome) => {
                self.measure(pos, true);
                let score = self.agent.evaluator.ended(pos, outcome, ply);
                self.agent.work.note_leaf(pos, score, ply)
            }
            None if depth == 0 => {
                self.measure(pos, true);
                let score = self.evaluate(pos, state);
                self.agent.work.note_leaf(pos, score, ply)
            }
            None => self.search_moves(visit),
        };
        self.agent.work.history.leave();
        score
    }

    #[inline(always)]
    fn search_moves(&mut self, visit: &AlphaBetaVisit<'_, G, E::State>) -> Score {
        let &AlphaBetaVisit { pos, state, depth, window, ply } = visit;
        let work = &mut self.agent.work;
        let key = work.keys.key(pos);

        // Transposition table cutoff. Values that depend on the history of boards must not enter or leave the table.
        let is_table_sound = work.options.table_cuts && !work.history.is_watched();
        let known = work.table.get(key);
        let hash_move = known.and_then(|entry| entry.mv());
        if is_table_sound && let Some(score) = known.and_then(|entry| entry.cutoff(depth, ply, window)) {
            work.run.stats.table_hits += 1;
            work.run.note_hash_move(hash_move, ply);
            return score;
        }

        // Move ordering.
        let mut moves = std::mem::take(&mut work.buffers[depth as usize]);
        self.list(pos, key, &mut moves);
        let work = &mut self.agent.work;
        if work.options.order.uses_experience() {
            time(Part::Ordering, || work.learned.sort(&work.options.order, &mut moves, hash_move, ply));
        }
        // Of a position that was a leaf before, the table knows no children.
        let has_children = known.is_some_and(|entry| 0 < entry.depth());
        if work.options.order.previous_iteration && has_children {
            work.sort_by_previous(pos, &mut moves);
        }

        self.measure(pos, false);
        self.agent.work.enter_moves(moves.len());
        let (mut alpha, beta) = window;
        let mut best = (-Score::INFINITE, None);
        for (idx, &m) in moves.iter().enumerate() {
            let is_first = idx == 0;
            let score = self.search_move(
                &AlphaBetaVisit { pos, state, depth, window: (alpha, beta), ply },
                m,
                is_first,
            );
            let work = &mut self.agent.work;
            if work.run.is_stopped {
                break;
            }
            if best.0 < score {
                best = (score, Some(m));
                work.run.note_line(m, ply, score);
            }
            alpha = alpha.max(score);
            if beta <= alpha && work.options.method != Method::Minimax {
                work.run.stats.cutoffs += 1;
                work.run.stats.first_move_cutoffs += u64::from(is_first);
                work.learned.note_cutoff(m, ply, depth);
                break;
            }
        }
        let work = &mut self.agent.work;
        work.leave_moves(moves.len());
        work.buffers[depth as usize] = moves;
        if work.run.is_stopped {
            return Score::DRAW;
        }
        if !work.history.is_watched() {
            work.table.insert(key, (best.0, Bound::of(best.0, window)), best.1, depth, ply);
        }
        best.0
    }

    /// Has a position measured if the profile is on.
    #[inline(always)]
    fn measure(&self, pos: &G, is_leaf: bool) {
        if profile::is_on() {
            self.agent.tactics.measure(pos, is_leaf);
        }
    }

    /// Lists the moves by the agent's tactics or from the cache.
    fn list(&mut self, pos: &G, key: u64, moves: &mut MoveList) {
        let work = &mut self.agent.work;
        if let Some(list) = work.lists.get(key) {
            work.run.stats.cache_hits += 1;
            moves.clear();
            moves.extend_from_slice(list);
            return;
        }
        self.agent.tactics.moves(pos, moves);
        if work.lists.is_on() {
            work.keep_list(key, moves);
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &G, state: &E::State) -> Score {
        let work = &mut self.agent.work;
        if !work.evaluations.is_on() {
            work.run.stats.evaluations += 1;
            return time(
                Part::Evaluation,
                #[inline(always)]
                || self.agent.evaluator.value(state, pos),
            );
        }
        let key = pos.key();
        if let Some(&score) = work.evaluations.get(key) {
            work.run.stats.cache_hits += 1;
            return score;
        }
        work.run.stats.evaluations += 1;
        let score = time(Part::Evaluation, || self.agent.evaluator.value(state, pos));
        work.evaluations.insert(key, score);
        score
    }
}
