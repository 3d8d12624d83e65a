//! Principal variation search: depth after depth, each move after the first only asked whether it is better.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::{Game, History, Move, Outcome, Reason, Record};

use super::picker::{Memory, Moves, NO_MOVE, Picker};
use super::time::Pace;
use super::{Expert, Options};
use crate::profile::{self, Part, time};
use crate::{Bound, Budget, Choice, Iteration, Limits, Progress, Score, Stats, Table, Watch};

/// Champions look no deeper than this before captures.
pub const MAX_DEPTH: u32 = 48;
/// Captures are followed no further than this.
pub const MAX_QUIESCENCE: u32 = 16;
/// No line is longer.
const MAX_PLIES: usize = (MAX_DEPTH + MAX_QUIESCENCE) as usize;

/// What a search is asked for.
pub struct Task<'a, G> {
    /// Where to move.
    pub pos: G,
    /// How the game came there.
    pub game: &'a Record,
    pub limits: Limits,
    /// How many lines to tell.
    pub n_lines: usize,
    /// The depth to begin with: threads that all do the same would learn little from each other.
    pub first_depth: u32,
}

/// A search's memory, which lives on from move to move.
pub struct Search<G> {
    options: Options,
    table: Arc<Table>,
    memory: Memory,
    history: History,
    moves: Moves,
    /// The best line from each ply on; only those of principal nodes are kept up.
    lines: Vec<Vec<Move>>,
    stats: Stats,
    budget: Budget,
    is_stopped: bool,
    /// The ply from which on keys must tell plies apart, for the turn limit is in reach.
    last_plies: u16,
    /// What the best line of the root is worth.
    root_score: Score,
    /// Moves that the root leaves out, since they begin better lines.
    left_out: Vec<Move>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> Search<G> {
    pub fn new(options: Options, table: Arc<Table>) -> Search<G> {
        let mut search = Search {
            table,
            memory: Memory::default(),
            history: History::default(),
            moves: Moves::default(),
            lines: vec![Vec::new(); MAX_PLIES + 1],
            stats: Stats::default(),
            budget: Budget::start(None, None),
            is_stopped: false,
            last_plies: u16::MAX,
            root_score: Score::DRAW,
            left_out: Vec::new(),
            game: PhantomData,
            options,
        };
        search.memory.forget(G::MOVES, MAX_PLIES + 1);
        search
    }

    /// A new game begins.
    pub fn forget(&mut self) {
        self.memory.forget(G::MOVES, MAX_PLIES + 1);
    }

    /// The best lines, best first, as many as the task asks for and there are moves.
    pub fn run<E: Expert<G>>(
        &mut self,
        expert: &E,
        task: &Task<'_, G>,
        watch: &mut Watch<'_>,
    ) -> Vec<Choice> {
        let pace = Pace::new(&task.pos, task.limits);
        self.budget = Budget::start(pace.hard, task.limits.nodes);
        self.stats = Stats::default();
        self.is_stopped = false;
        self.moves.truncate(0);
        self.history = History::new(task.game, MAX_DEPTH);
        // By the deepest search of all: what one search has stored another may find at a later ply.
        self.last_plies = task.pos.turn_limit().saturating_sub(MAX_PLIES as u16);
        self.memory.age();
        profile::take();
        let mut lines = match ModernCpu::detect() {
            Some(cpu) => self.deepen(cpu, expert, task, &pace, watch),
            None => self.deepen(AnyCpu, expert, task, &pace, watch),
        };
        let stats = &mut lines[0].stats;
        *stats = std::mem::take(&mut self.stats);
        stats.elapsed = self.budget.elapsed();
        stats.memory = self.table.memory();
        stats.parts = profile::take();
        lines
    }

    fn deepen<C: Cpu, E: Expert<G>>(
        &mut self,
        cpu: C,
        expert: &E,
        task: &Task<'_, G>,
        pace: &Pace,
        watch: &mut Watch<'_>,
    ) -> Vec<Choice> {
        let pos = &task.pos;
        let max_depth = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut lines = self.first_moves(expert, pos, task.n_lines);
        let mut n_stable = 0;
        for depth in task.first_depth.min(max_depth)..=max_depth {
            let nodes_before = self.stats.nodes;
            self.history.watch(depth + self.options.quiescence);
            let before = lines[0].mv;
            self.settle_lines(cpu, expert, pos, depth, &mut lines, watch);
            self.stats.elapsed = self.budget.elapsed();
            if self.is_stopped {
                break;
            }
            n_stable = if lines[0].mv == before { n_stable + 1 } else { 0 };
            let iteration = Iteration {
                depth,
                score: lines[0].score.unwrap_or_default(),
                line: lines[0].line.clone(),
                nodes: self.stats.nodes - nodes_before,
                elapsed: self.stats.elapsed,
            };
            self.stats.iterations.push(iteration);
            let is_broken = |(rank, line)| watch(&self.progress(line, rank)).is_break();
            if lines.iter().enumerate().any(is_broken) {
                break;
            }
            // A forced end does not change with more depth.
            let is_decided = |line: &Choice| {
                let plies = line.score.and_then(Score::plies_to_end);
                plies.is_some_and(|plies| plies.unsigned_abs() <= depth)
            };
            if lines.iter().all(is_decided) || !pace.has_time_for_another(&self.stats.iterations, n_stable) {
                break;
            }
        }
        lines
    }

    /// Searches the root to a depth for each line, every one without the first moves of those before it.
    fn settle_lines<C: Cpu, E: Expert<G>>(
        &mut self,
        cpu: C,
        expert: &E,
        pos: &G,
        depth: u32,
        lines: &mut Vec<Choice>,
        watch: &mut Watch<'_>,
    ) {
        self.left_out.clear();
        let last = std::mem::take(lines);
        while lines.len() < last.len() && !self.is_stopped {
            let Some(line) = last.iter().find(|line| !self.left_out.contains(&line.mv)) else { break };
            let mut line = line.clone();
            self.settle(cpu, expert, pos, depth, &mut line, watch);
            self.left_out.push(line.mv);
            lines.push(line);
        }
        // What was not settled again is still as good as it was.
        let n_lines = last.len();
        lines.extend(last.into_iter().filter(|line| !self.left_out.contains(&line.mv)));
        lines.truncate(n_lines);
        self.left_out.clear();
    }

    /// Searches the root to a depth, with ever wider windows around the last score until it lies within.
    fn settle<C: Cpu, E: Expert<G>>(
        &mut self,
        cpu: C,
        expert: &E,
        pos: &G,
        depth: u32,
        best: &mut Choice,
        watch: &mut Watch<'_>,
    ) {
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let mut width = FIRST_WIDTH;
        if self.options.aspiration
            && NARROW_FROM <= depth
            && let Some(last) = best.score.filter(|score| score.plies_to_end().is_none())
        {
            (alpha, beta) = (Score(last.0 - width), Score(last.0 + width));
        }
        loop {
            let mut node = Node { expert, search: self, watch, best };
            let score = node.value(cpu, pos, depth as i32, (alpha, beta), 0, best.mv, NO_MOVE);
            // Also a search that was cut counts, once it has found something better than the last depth's move.
            if !self.lines[0].is_empty() {
                best.line.clone_from(&self.lines[0]);
                best.mv = best.line[0];
                best.score = Some(self.root_score);
            }
            if self.is_stopped {
                return;
            }
            width *= 4;
            let is_far = WIDEST < width;
            if score <= alpha {
                alpha = if is_far { -Score::INFINITE } else { Score(score.0 - width) };
            } else if beta <= score {
                beta = if is_far { Score::INFINITE } else { Score(score.0 + width) };
            } else {
                return;
            }
        }
    }

    /// Something legal, whatever happens.
    fn first_moves<E: Expert<G>>(&mut self, expert: &E, pos: &G, n_lines: usize) -> Vec<Choice> {
        let sight = expert.see(pos);
        let mut picker = Picker::new(&self.moves, &self.memory, &self.options, NO_MOVE, 0, NO_MOVE);
        let mut lines = Vec::new();
        while lines.len() < n_lines.max(1)
            && let Some(pick) = picker.pick(expert, pos, &sight, &mut self.moves, &self.memory, &self.options)
        {
            lines.push(Choice::from(pick.mv));
        }
        picker.finish(&mut self.moves);
        lines
    }

    fn progress<'a>(&self, line: &'a Choice, rank: usize) -> Progress<'a> {
        Progress {
            rank,
            depth: self.stats.depth(),
            score: line.score.unwrap_or_default(),
            nodes: self.stats.nodes,
            line: &line.line,
            elapsed: self.budget.elapsed(),
        }
    }

    /// The key under which a position is stored: with the ply once the turn limit is in reach.
    #[inline(always)]
    fn key(&self, pos: &G) -> u64 {
        let is_late = self.last_plies <= pos.ply();
        pos.key() ^ if is_late { u64::from(pos.ply()) << 32 | 1 } else { 0 }
    }

    /// A better move was found at a principal node.
    #[inline(always)]
    fn note_line(&mut self, m: Move, ply: u32) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }
}

/// Half the first window around the last score, in hundredths.
const FIRST_WIDTH: i32 = 60;
/// A window that would be wider is open.
const WIDEST: i32 = 2000;
/// The score of so few plies says little about the next.
const NARROW_FROM: u32 = 4;

type Window = (Score, Score);

/// The recursion, with all that it needs at hand.
struct Node<'a, 'w, G: Game, E: Expert<G>> {
    expert: &'a E,
    search: &'a mut Search<G>,
    watch: &'a mut Watch<'w>,
    best: &'a Choice,
}

impl<G: Game, E: Expert<G>> Node<'_, '_, G, E> {
    /// The value of a position for the player to move, `ply` plies below the root, where `last` led to. A pass
    /// is no move. Each call asks again for the machine's instructions: a recursion cannot be inlined.
    #[expect(clippy::too_many_arguments, reason = "the recursion's own step")]
    fn value<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &G,
        depth: i32,
        window: Window,
        ply: u32,
        hint: Move,
        last: Move,
    ) -> Score {
        cpu.run(
            #[inline(always)]
            || self.value_here(cpu, pos, depth, window, ply, hint, last),
        )
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the recursion's own step")]
    fn value_here<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &G,
        depth: i32,
        window: Window,
        ply: u32,
        hint: Move,
        last: Move,
    ) -> Score {
        if 1 < window.1.0 - window.0.0 {
            self.search.lines[ply as usize].clear();
        }
        if ply == 0 {
            return self.best_child(cpu, pos, depth, window, ply, hint, last);
        }
        self.search.stats.nodes += 1;
        if self.search.budget.is_look_due(self.search.stats.nodes) && self.is_time_up() {
            return Score::DRAW;
        }
        if !self.search.history.enter(pos) {
            let outcome = Outcome { winner: None, reason: Reason::Repetition };
            return self.expert.ended(pos, outcome, ply);
        }
        let score = match pos.outcome() {
            Some(outcome) => self.expert.ended(pos, outcome, ply),
            None if depth <= 0 => self.quiet_value(cpu, pos, window, ply, self.search.options.quiescence),
            None => self.best_child(cpu, pos, depth, window, ply, hint, last),
        };
        self.search.history.leave();
        score
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the recursion's own step")]
    fn best_child<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &G,
        mut depth: i32,
        (mut alpha, beta): Window,
        ply: u32,
        hint: Move,
        last: Move,
    ) -> Score {
        let first_alpha = alpha;
        let is_principal = 1 < beta.0 - alpha.0;
        let key = self.search.key(pos);
        // A value that holds whatever came before must not come from a history that can end the game.
        let is_table_sound = !self.search.history.is_watched();
        // What the position shows is needed in most cases: seeing it hides the wait for the table.
        self.search.table.prefetch(key);
        let sight = self.expert.see(pos);
        let known = self.search.table.get(key);
        if let Some(entry) = known
            && is_table_sound
            && !is_principal
            && let Some(score) = entry.cutoff(depth as u32, ply, (alpha, beta))
        {
            self.search.stats.table_hits += 1;
            return score;
        }
        let hash_move =
            if hint == NO_MOVE { known.and_then(|entry| entry.mv()).unwrap_or(NO_MOVE) } else { hint };
        depth = depth.min((MAX_DEPTH - ply) as i32);

        let options = self.search.options;
        let is_bounded = beta.0.abs() <= Score::MAX_EVALUATION.0 && alpha.0.abs() <= Score::MAX_EVALUATION.0;
        let mut is_futile = false;
        if !is_principal && is_bounded && (options.null || 0 < options.futility) {
            let value = self.evaluate(pos, &sight);
            let margin = options.futility * depth;
            if 0 < margin && depth <= FUTILE_UP_TO {
                if beta.0 <= value.0 - margin {
                    return value;
                }
                is_futile = value.0 + margin <= alpha.0;
            }
            if options.null
                && beta <= value
                && 2 <= depth
                && last != NO_MOVE
                && let Some(score) = self.value_after_pass(cpu, pos, depth, beta, ply)
            {
                return score;
            }
        }

        let side = pos.turn() as usize;
        let mut best = (-Score::INFINITE, NO_MOVE);
        let (mut n_moves, mut n_quiets) = (0_u32, 0_u32);
        let most_quiets = if options.lmp == 0 || is_principal || LMP_UP_TO < depth {
            u32::MAX
        } else {
            options.lmp * (depth * depth) as u32
        };
        let search = &mut *self.search;
        let mut picker = Picker::new(&search.moves, &search.memory, &options, hash_move, ply, last);
        loop {
            let search = &mut *self.search;
            let pick = time(
                Part::Moves,
                #[inline(always)]
                || picker.pick(self.expert, pos, &sight, &mut search.moves, &search.memory, &options),
            );
            let Some(pick) = pick else { break };
            let m = pick.mv;
            if ply == 0 && self.search.left_out.contains(&m) {
                continue;
            }
            if pick.is_quiet {
                // Where all moves so far lose, every one must be looked at.
                let is_lost = best.0.0 < -Score::MAX_EVALUATION.0;
                if !is_lost && (is_futile || most_quiets <= n_quiets) && 0 < n_moves {
                    break;
                }
                n_quiets += 1;
            }
            n_moves += 1;
            let child = pos.after(m);
            let is_first = n_moves == 1;
            let mut score = Score::INFINITE;
            let mut is_wide = is_first;
            if !is_first {
                let mut reduction = 0;
                if pick.is_quiet && 0 < options.lmr && 3 <= depth && LMR_FROM < n_quiets {
                    reduction = (depth.ilog2() * n_quiets.ilog2() / options.lmr) as i32;
                    reduction = (reduction - i32::from(is_principal)).clamp(0, depth - 2);
                }
                if is_principal {
                    self.search.lines[ply as usize + 1].clear();
                }
                let scout = (Score(-alpha.0 - 1), -alpha);
                score = -self.value(cpu, &child, depth - 1 - reduction, scout, ply + 1, NO_MOVE, m);
                if 0 < reduction && alpha < score && !self.search.is_stopped {
                    score = -self.value(cpu, &child, depth - 1, scout, ply + 1, NO_MOVE, m);
                }
                is_wide = is_principal && alpha < score && score < beta && !self.search.is_stopped;
            }
            if is_wide {
                score = -self.value(cpu, &child, depth - 1, (-beta, -alpha), ply + 1, NO_MOVE, m);
            }
            if self.search.is_stopped {
                break;
            }
            if best.0 < score {
                best = (score, m);
                if alpha < score {
                    alpha = score;
                    if is_principal {
                        self.search.note_line(m, ply);
                        if ply == 0 {
                            self.search.root_score = score;
                        }
                    }
                }
            }
            if beta <= alpha {
                let search = &mut *self.search;
                search.stats.cutoffs += 1;
                search.stats.first_move_cutoffs += u64::from(is_first);
                if pick.is_quiet {
                    let cut = (m, side, ply, last);
                    picker.note_cut(&search.moves, &mut search.memory, cut, depth as u32);
                }
                break;
            }
        }
        picker.finish(&mut self.search.moves);
        if self.search.is_stopped {
            return Score::DRAW;
        }
        let bound = match best.0 {
            score if score <= first_alpha => Bound::Upper,
            score if beta <= score => Bound::Lower,
            _ => Bound::Exact,
        };
        let is_whole = ply != 0 || self.search.left_out.is_empty();
        if is_table_sound && is_whole {
            // A move that did not help is no better to begin with than any other.
            let m = if bound == Bound::Upper { known.and_then(|entry| entry.mv()) } else { Some(best.1) };
            self.search.table.insert(key, (best.0, bound), m, depth as u32, ply);
        }
        best.0
    }

    /// The value if even a pass is good enough, by a search that is less deep.
    #[inline(always)]
    fn value_after_pass<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &G,
        depth: i32,
        beta: Score,
        ply: u32,
    ) -> Option<Score> {
        let passed = self.expert.passed(pos)?;
        let depth = depth - 1 - (2 + depth / 4);
        let score = -self.value(cpu, &passed, depth, (-beta, Score(1 - beta.0)), ply + 1, NO_MOVE, NO_MOVE);
        // A win after a pass is no win in so many plies.
        (beta <= score && !self.search.is_stopped).then_some(score.clamped())
    }

    /// The value of a position once the captures are over, `n_left` plies of them at most.
    fn quiet_value<C: Cpu>(&mut self, cpu: C, pos: &G, window: Window, ply: u32, n_left: u32) -> Score {
        cpu.run(
            #[inline(always)]
            || self.quiet_value_here(cpu, pos, window, ply, n_left),
        )
    }

    #[inline(always)]
    fn quiet_value_here<C: Cpu>(&mut self, cpu: C, pos: &G, window: Window, ply: u32, n_left: u32) -> Score {
        let sight = self.expert.see(pos);
        let value = self.evaluate(pos, &sight);
        let (mut alpha, beta) = window;
        if n_left == 0 || beta <= value {
            return value;
        }
        alpha = alpha.max(value);
        let mut best = value;
        let base = self.search.moves.len();
        self.expert.captures(pos, &mut self.search.moves);
        let mut next = base;
        while let Some((m, gain)) = self.search.moves.take_best(next) {
            next += 1;
            // Not even with this gain, and as much again in position, would it be good enough.
            if value.0 + gain + HOPE <= alpha.0 {
                break;
            }
            let child = pos.after(m);
            self.search.stats.nodes += 1;
            if self.search.budget.is_look_due(self.search.stats.nodes) && self.is_time_up() {
                break;
            }
            if !self.search.history.enter(&child) {
                continue;
            }
            let score = match child.outcome() {
                Some(outcome) => -self.expert.ended(&child, outcome, ply + 1),
                None => -self.quiet_value(cpu, &child, (-beta, -alpha), ply + 1, n_left - 1),
            };
            self.search.history.leave();
            if self.search.is_stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if beta <= alpha {
                break;
            }
        }
        self.search.moves.truncate(base);
        best
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &G, sight: &E::Sight) -> Score {
        self.search.stats.evaluations += 1;
        time(
            Part::Evaluation,
            #[inline(always)]
            || self.expert.value(pos, sight),
        )
    }

    #[cold]
    fn is_time_up(&mut self) -> bool {
        let search = &mut *self.search;
        let is_spent = search.budget.is_spent(search.stats.nodes);
        let is_broken =
            (self.watch)(&search.progress(self.best, search.left_out.len())) == ControlFlow::Break(());
        search.is_stopped |= is_spent || is_broken;
        search.is_stopped
    }
}

/// Futility looks at so many plies above the leaves, and late moves are left out there.
const FUTILE_UP_TO: i32 = 3;
const LMP_UP_TO: i32 = 3;
/// The first quiet moves are not reduced.
const LMR_FROM: u32 = 2;
/// What a capture may change beside its gain, in hundredths.
const HOPE: i32 = 200;
