//! Search by depth: minimax, alpha-beta and NegaScout, with a table, caches and move ordering.
//!
//! One search serves every agent that looks ahead ply by ply. What differs is data: the [`Options`], an
//! evaluation, the [`Tactics`] and a [`Plan`] for each move, made by whoever knows the agent's habits.

mod options;
mod order;

use std::ops::ControlFlow;

use yarra_games::{Game, History, Move, MoveList, Outcome, Reason, Record};

use crate::agent::position_of;
use crate::profile::{self, Part, time};
use crate::{Agent, AgentError, Bound, Budget, Cache, Choice, Evaluator, Iteration, Limits};
use crate::{Progress, Score, Stats, Table, Tactics, Term, Watch};
pub use options::{Method, Options, Order, Plan};
use order::Memory;

/// Makes the plan for a move: the depth, and when to stop.
pub type Planner<G> = Box<dyn FnMut(&G, &Record, Limits) -> Plan + Send>;

/// An agent that searches all its moves to a depth.
pub struct AlphaBeta<G: Game, E: Evaluator<G>> {
    evaluator: E,
    tactics: Box<dyn Tactics<G>>,
    planner: Planner<G>,
    search: Search,
}

/// What a search knows that does not depend on the game's type.
struct Search {
    options: Options,
    table: Table,
    evaluations: Cache<Score>,
    lists: Cache<Box<[Move]>>,
    memory: Memory,
    history: History,
    stats: Stats,
    budget: Budget,
    is_stopped: bool,
    /// The ply from which on keys must tell plies apart, for the turn limit is in reach.
    last_plies: u16,
    buffers: Vec<MoveList>,
}

/// Searches look no deeper than this.
pub const MAX_DEPTH: u32 = 64;

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// An agent that plans by `planner` and looks at the moves that `tactics` give it.
    pub fn new(
        evaluator: E,
        tactics: Box<dyn Tactics<G>>,
        options: Options,
        planner: Planner<G>,
    ) -> AlphaBeta<G, E> {
        AlphaBeta { evaluator, tactics, planner, search: Search::new(options) }
    }

    fn run(&mut self, pos: &G, plan: &Plan, watch: &mut Watch<'_>) -> Choice {
        let mut moves = MoveList::new();
        self.tactics.moves(pos, &mut moves);
        let mut best = Choice::from(moves[0]);
        let first_depth = if plan.is_deepening { 1 } else { plan.depth };
        let mut previous = None;
        for depth in first_depth..=plan.depth {
            let nodes_before = self.search.stats.nodes;
            self.search.history.watch(depth);
            if self.search.options.order.previous_iteration {
                self.search.sort_by_previous(pos, &mut moves);
            }
            if previous.is_some() {
                order::to_front(&mut moves, best.mv);
            }
            let mut node = Node { agent: self, watch, best: &best };
            let found = node.root(pos, &moves, depth);
            let is_dropped = self.search.is_stopped && plan.drops_unfinished && previous.is_some();
            if let Some((score, line)) = found
                && !is_dropped
            {
                best.mv = line[0];
                best.score = Some(score);
                best.line = line;
            }
            let stats = &mut self.search.stats;
            stats.elapsed = self.search.budget.elapsed();
            if self.search.is_stopped {
                break;
            }
            let score = best.score.unwrap_or_default();
            let iteration = Iteration {
                depth,
                score,
                line: best.line.clone(),
                nodes: stats.nodes - nodes_before,
                elapsed: stats.elapsed,
            };
            stats.iterations.push(iteration);
            if watch(&self.search.progress(&best)).is_break() {
                break;
            }
            if plan.is_enough(&self.search.stats.iterations, previous) {
                break;
            }
            previous = Some(score);
        }
        best
    }
}

impl<G: Game, E: Evaluator<G>> Agent for AlphaBeta<G, E> {
    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<G>(game)?;
        let mut plan = (self.planner)(&pos, game, limits);
        plan.depth = limits.depth.unwrap_or(plan.depth).clamp(1, MAX_DEPTH);
        if limits.is_fixed() {
            // A timer of the agent's own would make games differ from run to run.
            (plan.soft_time, plan.hard_time, plan.longest_iteration) = (None, None, None);
        }
        self.search.begin(game, &plan, limits);
        let mut choice = self.run(&pos, &plan, watch);
        choice.stats = self.search.finish();
        Ok(choice)
    }

    fn begin(&mut self, _: yarra_games::Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.search.forget();
        Ok(())
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        position_of::<G>(game).map(|pos| self.evaluator.terms(&pos)).unwrap_or_default()
    }
}

impl Search {
    fn new(options: Options) -> Search {
        Search {
            table: Table::new(options.table_bytes),
            evaluations: Cache::new(options.cached_evaluations),
            lists: Cache::new(options.cached_lists),
            memory: Memory::default(),
            history: History::default(),
            stats: Stats::default(),
            budget: Budget::start(None, None),
            is_stopped: false,
            last_plies: u16::MAX,
            buffers: Vec::new(),
            options,
        }
    }

    fn begin(&mut self, game: &Record, plan: &Plan, limits: Limits) {
        let hard_time = limits.hard_time().into_iter().chain(plan.hard_time).min();
        self.budget = Budget::start(hard_time, limits.nodes);
        self.stats = Stats::default();
        self.is_stopped = false;
        self.history = History::new(game, plan.depth);
        // By the deepest search of all: what one search has stored another may find at a later ply.
        self.last_plies = game.now().turn_limit().saturating_sub(MAX_DEPTH as u16);
        self.buffers.resize_with(plan.depth as usize + 1, MoveList::new);
        self.memory.begin(plan.depth);
        if !self.options.keeps_between_moves {
            self.table.clear();
            self.lists.clear();
        }
        profile::take();
    }

    fn finish(&mut self) -> Stats {
        let mut stats = std::mem::take(&mut self.stats);
        stats.elapsed = self.budget.elapsed();
        stats.memory = self.table.memory() + self.evaluations.memory() + self.lists.memory();
        stats.parts = profile::take();
        stats
    }

    fn forget(&mut self) {
        self.table.clear();
        self.evaluations.clear();
        self.lists.clear();
        self.memory = Memory::default();
    }

    fn progress<'a>(&self, best: &'a Choice) -> Progress<'a> {
        Progress {
            rank: 0,
            depth: self.stats.depth(),
            score: best.score.unwrap_or_default(),
            nodes: self.stats.nodes,
            line: &best.line,
            elapsed: self.budget.elapsed(),
        }
    }

    /// The key under which a position is stored: with the ply once the turn limit is in reach.
    #[inline(always)]
    fn key<G: Game>(&self, pos: &G) -> u64 {
        let is_late = self.last_plies <= pos.ply();
        pos.key() ^ if is_late { u64::from(pos.ply()) << 32 | 1 } else { 0 }
    }

    /// Children by what the iteration before found them to be worth, unknown ones last.
    fn sort_by_previous<G: Game>(&self, pos: &G, moves: &mut MoveList) {
        time(Part::Ordering, || {
            moves.sort_by_cached_key(|&m| {
                let entry = self.table.get(self.key(&pos.after(m)));
                entry.map_or(Score::INFINITE, |entry| entry.score(0))
            });
        });
    }

    /// Notes what a leaf is worth, for the next iteration to sort by; a deeper search knows better.
    #[inline(always)]
    fn note_leaf<G: Game>(&mut self, pos: &G, score: Score, ply: u32) -> Score {
        if !self.options.order.previous_iteration || self.history.is_watched() {
            return score;
        }
        let key = self.key(pos);
        let is_known_deeper = self.table.get(key).is_some_and(|entry| 0 < entry.depth());
        if !is_known_deeper {
            self.table.insert(key, (score, Bound::Exact), None, 0, ply);
        }
        score
    }
}

/// The recursion, with all that it needs at hand.
struct Node<'a, 'w, G: Game, E: Evaluator<G>> {
    agent: &'a mut AlphaBeta<G, E>,
    watch: &'a mut Watch<'w>,
    best: &'a Choice,
}

type Window = (Score, Score);
const OPEN: Window = (Score(-Score::INFINITE.0), Score::INFINITE);

impl<G: Game, E: Evaluator<G>> Node<'_, '_, G, E> {
    /// The best of the root's moves that were searched before the time was up.
    fn root(&mut self, pos: &G, moves: &[Move], depth: u32) -> Option<(Score, Vec<Move>)> {
        let state = self.agent.evaluator.root(pos);
        let (mut alpha, beta) = OPEN;
        let mut best = None;
        let mut line = Vec::new();
        for (idx, &m) in moves.iter().enumerate() {
            let child = pos.after(m);
            let child_state = self.agent.evaluator.child(&state, pos, &child);
            let score = self.child(&child, &child_state, depth, (alpha, beta), 1, idx == 0, &mut line);
            if self.agent.search.is_stopped {
                break;
            }
            if best.is_none() || alpha < score {
                alpha = alpha.max(score);
                let mut found = vec![m];
                found.append(&mut line);
                best = Some((score, found));
            }
        }
        let key = self.agent.search.key(pos);
        if let Some((score, line)) = &best
            && !self.agent.search.is_stopped
            && !self.agent.search.history.is_watched()
        {
            self.agent.search.table.insert(key, (*score, Bound::Exact), Some(line[0]), depth, 0);
        }
        best
    }

    /// The value of a move for its mover, by the method's windows. `depth` is that of the parent.
    #[expect(clippy::too_many_arguments, reason = "the recursion's own step, called in two places")]
    fn child(
        &mut self,
        child: &G,
        state: &E::State,
        depth: u32,
        (alpha, beta): Window,
        ply: u32,
        is_first: bool,
        line: &mut Vec<Move>,
    ) -> Score {
        match self.agent.search.options.method {
            Method::Minimax => -self.value(child, state, depth - 1, OPEN, ply, line),
            Method::NegaScout { window } if !is_first => {
                let scout = Score(alpha.0.saturating_add(window.max(1)).min(beta.0));
                let score = -self.value(child, state, depth - 1, (-scout, -alpha), ply, line);
                if alpha < score && score < beta {
                    return -self.value(child, state, depth - 1, (-beta, -alpha), ply, line);
                }
                score
            }
            _ => -self.value(child, state, depth - 1, (-beta, -alpha), ply, line),
        }
    }

    /// The value of a position for the player to move, and the line that leads to it.
    fn value(
        &mut self,
        pos: &G,
        state: &E::State,
        depth: u32,
        window: Window,
        ply: u32,
        line: &mut Vec<Move>,
    ) -> Score {
        line.clear();
        let search = &mut self.agent.search;
        search.stats.nodes += 1;
        if search.budget.is_look_due(search.stats.nodes) && self.is_time_up() {
            return Score::DRAW;
        }
        let search = &mut self.agent.search;
        if !search.history.enter(pos) {
            let outcome = Outcome { winner: None, reason: Reason::Repetition };
            return self.agent.evaluator.ended(pos, outcome, ply);
        }
        let score = match pos.outcome() {
            Some(outcome) => {
                let score = self.agent.evaluator.ended(pos, outcome, ply);
                self.agent.search.note_leaf(pos, score, ply)
            }
            None if depth == 0 => {
                let score = self.evaluate(pos, state);
                self.agent.search.note_leaf(pos, score, ply)
            }
            None => self.best_child(pos, state, depth, window, ply, line),
        };
        self.agent.search.history.leave();
        score
    }

    #[inline(always)]
    fn best_child(
        &mut self,
        pos: &G,
        state: &E::State,
        depth: u32,
        window: Window,
        ply: u32,
        line: &mut Vec<Move>,
    ) -> Score {
        let search = &mut self.agent.search;
        let key = search.key(pos);
        // A value that holds whatever came before must not come from a history that can end the game.
        let is_table_sound = search.options.table_cuts && !search.history.is_watched();
        let known = search.table.get(key);
        if is_table_sound && let Some(score) = known.and_then(|entry| entry.cutoff(depth, ply, window)) {
            search.stats.table_hits += 1;
            line.extend(known.and_then(|entry| entry.mv()));
            return score;
        }
        let mut moves = std::mem::take(&mut search.buffers[depth as usize]);
        self.list(pos, key, &mut moves);
        let search = &mut self.agent.search;
        let hash_move = known.and_then(|entry| entry.mv());
        time(Part::Ordering, || search.memory.sort(&search.options.order, &mut moves, hash_move, ply));
        // A position that was a leaf before has no children that anything is known of.
        let has_children = known.is_some_and(|entry| 0 < entry.depth());
        if search.options.order.previous_iteration && has_children {
            search.sort_by_previous(pos, &mut moves);
        }

        let (mut alpha, beta) = window;
        let mut best = (-Score::INFINITE, None);
        let mut child_line = Vec::new();
        for (idx, &m) in moves.iter().enumerate() {
            let child = pos.after(m);
            let child_state = self.agent.evaluator.child(state, pos, &child);
            let is_first = idx == 0;
            let score =
                self.child(&child, &child_state, depth, (alpha, beta), ply + 1, is_first, &mut child_line);
            if self.agent.search.is_stopped {
                break;
            }
            if best.0 < score {
                best = (score, Some(m));
                line.clear();
                line.push(m);
                line.extend_from_slice(&child_line);
            }
            alpha = alpha.max(score);
            let search = &mut self.agent.search;
            if beta <= alpha && search.options.method != Method::Minimax {
                search.stats.cutoffs += 1;
                search.stats.first_move_cutoffs += u64::from(is_first);
                search.memory.note_cutoff(m, ply, depth);
                break;
            }
        }
        let search = &mut self.agent.search;
        search.buffers[depth as usize] = moves;
        if search.is_stopped {
            return Score::DRAW;
        }
        let bound = match best.0 {
            score if score <= window.0 => Bound::Upper,
            score if beta <= score => Bound::Lower,
            _ => Bound::Exact,
        };
        if !search.history.is_watched() {
            search.table.insert(key, (best.0, bound), best.1, depth, ply);
        }
        best.0
    }

    /// The moves by the agent's tactics, or as they are remembered.
    fn list(&mut self, pos: &G, key: u64, moves: &mut MoveList) {
        let search = &mut self.agent.search;
        if let Some(list) = search.lists.get(key) {
            search.stats.cache_hits += 1;
            moves.clear();
            moves.extend_from_slice(list);
            return;
        }
        self.agent.tactics.moves(pos, moves);
        if search.lists.is_on() {
            search.lists.insert(key, moves.as_slice().into());
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &G, state: &E::State) -> Score {
        let search = &mut self.agent.search;
        if !search.evaluations.is_on() {
            search.stats.evaluations += 1;
            return time(
                Part::Evaluation,
                #[inline(always)]
                || self.agent.evaluator.value(state, pos),
            );
        }
        let key = pos.key();
        if let Some(&score) = search.evaluations.get(key) {
            search.stats.cache_hits += 1;
            return score;
        }
        search.stats.evaluations += 1;
        let score = time(Part::Evaluation, || self.agent.evaluator.value(state, pos));
        search.evaluations.insert(key, score);
        score
    }

    #[cold]
    fn is_time_up(&mut self) -> bool {
        let search = &mut self.agent.search;
        let is_spent = search.budget.is_spent(search.stats.nodes);
        let is_broken = (self.watch)(&search.progress(self.best)) == ControlFlow::Break(());
        search.is_stopped |= is_spent || is_broken;
        search.is_stopped
    }
}
