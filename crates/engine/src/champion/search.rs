//! Principal variation search: depth after depth, each move after the first only asked whether it is better.

use std::marker::PhantomData;
use std::sync::Arc;

use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::{Game, History, Move, Outcome, Reason};

use super::deepening::{DepthSearch, OPEN, Run, Window, deepen};
use super::picker::{Memory, Moves, NO_MOVE, Picker};
use super::threads::Task;
use super::{Expert, Options};
use crate::profile::{self, Part, time};
use crate::time::Pace;
use crate::{Bound, Choice, Score, Table, Watch};

/// Champions look no deeper than this before captures.
pub const MAX_DEPTH: u32 = 48;
/// Captures are followed no further than this.
pub const MAX_QUIESCENCE: u32 = 16;
/// No line is longer.
const MAX_PLIES: usize = (MAX_DEPTH + MAX_QUIESCENCE) as usize;

/// A search's memory, which lives on from move to move.
pub struct Search<G> {
    options: Options,
    table: Arc<Table>,
    memory: Memory,
    history: History,
    moves: Moves,
    run: Run,
    /// The ply from which on keys must tell plies apart, for the turn limit is in reach.
    last_plies: u16,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> Search<G> {
    pub fn new(options: Options, table: Arc<Table>) -> Search<G> {
        let mut search = Search {
            table,
            memory: Memory::default(),
            history: History::default(),
            moves: Moves::default(),
            run: Run::new(MAX_PLIES),
            last_plies: u16::MAX,
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
        self.run.start(pace.hard, task.limits.nodes);
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
        *stats = self.run.finish();
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
        let max_depth = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let depths = task.first_depth.min(max_depth)..=max_depth;
        let first = self.first_moves(expert, &task.pos, task.n_lines);
        deepen(&mut Rooted { cpu, expert, search: self, pos: &task.pos }, first, depths, pace, watch)
    }

    /// Something legal, whatever happens.
    fn first_moves<E: Expert<G>>(&mut self, expert: &E, pos: &G, n_lines: usize) -> Vec<Choice> {
        let mut sight = expert.see(pos);
        let mut picker = Picker::new(&self.moves, &self.memory, &self.options, NO_MOVE, 0, NO_MOVE);
        let mut lines = Vec::new();
        while lines.len() < n_lines.max(1)
            && let Some(pick) =
                picker.pick(true, expert, pos, &mut sight, &mut self.moves, &self.memory, &self.options)
        {
            lines.push(Choice::from(pick.mv));
        }
        picker.finish(&mut self.moves);
        lines
    }

    /// The key under which a position is stored: with the ply once the turn limit is in reach.
    #[inline(always)]
    fn key(&self, pos: &G) -> u64 {
        let is_late = self.last_plies <= pos.ply();
        pos.key() ^ if is_late { u64::from(pos.ply()) << 32 | 1 } else { 0 }
    }
}

/// A search with its root.
struct Rooted<'a, C, G: Game, E> {
    cpu: C,
    expert: &'a E,
    search: &'a mut Search<G>,
    pos: &'a G,
}

impl<C: Cpu, G: Game, E: Expert<G>> DepthSearch for Rooted<'_, C, G, E> {
    fn run(&mut self) -> &mut Run {
        &mut self.search.run
    }

    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>) {
        self.search.history.watch((depth + self.search.options.quiescence).min(REPETITION_IN_SIGHT));
        let mut node = Node { expert: self.expert, search: self.search, watch, best };
        node.value(self.cpu, self.pos, depth as i32, OPEN, 0, best.mv, NO_MOVE, None);
    }
}

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
        above: Option<&E::Sight>,
    ) -> Score {
        cpu.run(
            #[inline(always)]
            || self.value_here(cpu, pos, depth, window, ply, hint, last, above),
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
        above: Option<&E::Sight>,
    ) -> Score {
        if 1 < window.1.0 - window.0.0 {
            self.search.run.clear_line(ply);
        }
        if ply == 0 {
            return self.best_child(cpu, pos, depth, window, ply, hint, last, above);
        }
        if !self.search.run.goes_on(1, self.best, self.watch) {
            return Score::DRAW;
        }
        if !self.search.history.enter(pos) {
            let outcome = Outcome { winner: None, reason: Reason::Repetition };
            return self.expert.ended(pos, outcome, ply);
        }
        let score = match pos.outcome() {
            Some(outcome) => self.expert.ended(pos, outcome, ply),
            None if depth <= 0 => {
                let sight = self.see(pos, last, above);
                self.quiet_value(cpu, pos, &sight, window, ply, self.search.options.quiescence)
            }
            None => self.best_child(cpu, pos, depth, window, ply, hint, last, above),
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
        above: Option<&E::Sight>,
    ) -> Score {
        let first_alpha = alpha;
        let is_principal = 1 < beta.0 - alpha.0;
        let key = self.search.key(pos);
        // A value that holds whatever came before must not come from a history that can end the game.
        let is_table_sound = !self.search.history.is_watched();
        // What the position shows and is worth is needed in most cases: meanwhile the table's answer is on its way.
        self.search.table.prefetch(key);
        let mut sight = self.see(pos, last, above);
        let options = self.search.options;
        let is_bounded = beta.0.abs() <= Score::MAX_EVALUATION.0 && alpha.0.abs() <= Score::MAX_EVALUATION.0;
        let is_near_leaves = 0 < options.futility && depth <= FUTILE_UP_TO;
        let is_value_needed = !is_principal && is_bounded && (options.null || is_near_leaves);
        let value = if is_value_needed { Some(self.evaluate(pos, &sight)) } else { None };
        let known = self.search.table.get(key);
        if let Some(entry) = known
            && is_table_sound
            && !is_principal
            && let Some(score) = entry.cutoff(depth as u32, ply, (alpha, beta))
        {
            self.search.run.stats.table_hits += 1;
            return score;
        }
        let hash_move =
            if hint == NO_MOVE { known.and_then(|entry| entry.mv()).unwrap_or(NO_MOVE) } else { hint };
        depth = depth.min((MAX_DEPTH - ply) as i32);

        let mut is_futile = false;
        if let Some(value) = value {
            if is_near_leaves {
                let margin = options.futility * depth;
                if beta.0 <= value.0 - margin {
                    return value;
                }
                is_futile = value.0 + margin <= alpha.0;
            }
            if options.null
                && beta <= value
                && 2 <= depth
                && last != NO_MOVE
                && let Some(score) = self.value_after_pass(cpu, pos, depth, beta, ply, &sight)
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
            // Where all moves so far lose, every one must be looked at.
            let is_lost = best.0.0 < -Score::MAX_EVALUATION.0;
            let is_enough = !is_lost && (is_futile || most_quiets <= n_quiets) && 0 < n_moves;
            let (moves, memory) = (&mut search.moves, &search.memory);
            let pick = time(
                Part::Moves,
                #[inline(always)]
                || picker.pick(!is_enough, self.expert, pos, &mut sight, moves, memory, &options),
            );
            let Some(pick) = pick else { break };
            let m = pick.mv;
            if self.search.run.is_left_out(m, ply) {
                continue;
            }
            n_quiets += u32::from(pick.is_quiet);
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
                    self.search.run.clear_line(ply + 1);
                }
                let scout = (Score(-alpha.0 - 1), -alpha);
                score =
                    -self.value(cpu, &child, depth - 1 - reduction, scout, ply + 1, NO_MOVE, m, Some(&sight));
                if 0 < reduction && alpha < score && !self.search.run.is_stopped {
                    score = -self.value(cpu, &child, depth - 1, scout, ply + 1, NO_MOVE, m, Some(&sight));
                }
                is_wide = is_principal && alpha < score && score < beta && !self.search.run.is_stopped;
            }
            if is_wide {
                score =
                    -self.value(cpu, &child, depth - 1, (-beta, -alpha), ply + 1, NO_MOVE, m, Some(&sight));
            }
            if self.search.run.is_stopped {
                break;
            }
            if best.0 < score {
                best = (score, m);
                if alpha < score {
                    alpha = score;
                    if is_principal {
                        self.search.run.note_line(m, ply, score);
                    }
                }
            }
            if beta <= alpha {
                let search = &mut *self.search;
                search.run.stats.cutoffs += 1;
                search.run.stats.first_move_cutoffs += u64::from(is_first);
                if pick.is_quiet {
                    let cut = (m, side, ply, last);
                    picker.note_cut(&search.moves, &mut search.memory, cut, depth as u32);
                }
                break;
            }
        }
        picker.finish(&mut self.search.moves);
        if self.search.run.is_stopped {
            return Score::DRAW;
        }
        let bound = match best.0 {
            score if score <= first_alpha => Bound::Upper,
            score if beta <= score => Bound::Lower,
            _ => Bound::Exact,
        };
        if is_table_sound && self.search.run.is_whole(ply) {
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
        sight: &E::Sight,
    ) -> Option<Score> {
        let passed = self.expert.passed(pos)?;
        let depth = depth - 1 - (2 + depth / 4);
        let score = -self.value(
            cpu,
            &passed,
            depth,
            (-beta, Score(1 - beta.0)),
            ply + 1,
            NO_MOVE,
            NO_MOVE,
            Some(sight),
        );
        // A win after a pass is no win in so many plies.
        (beta <= score && !self.search.run.is_stopped).then_some(score.clamped())
    }

    /// The value of a position once the captures are over, `n_left` plies of them at most.
    fn quiet_value<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &G,
        sight: &E::Sight,
        window: Window,
        ply: u32,
        n_left: u32,
    ) -> Score {
        cpu.run(
            #[inline(always)]
            || self.quiet_value_here(cpu, pos, sight, window, ply, n_left),
        )
    }

    #[inline(always)]
    fn quiet_value_here<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &G,
        sight: &E::Sight,
        window: Window,
        ply: u32,
        n_left: u32,
    ) -> Score {
        let value = self.evaluate(pos, sight);
        let (mut alpha, beta) = window;
        if n_left == 0 || beta <= value {
            return value;
        }
        alpha = alpha.max(value);
        let mut best = value;
        let base = self.search.moves.len();
        self.expert.captures(pos, sight, &mut self.search.moves);
        let mut next = base;
        while let Some((m, gain)) = self.search.moves.take_best(next) {
            next += 1;
            // Not even with this gain, and as much again in position, would it be good enough.
            if value.0 + gain + HOPE <= alpha.0 {
                break;
            }
            let child = pos.after(m);
            if !self.search.run.goes_on(1, self.best, self.watch) {
                break;
            }
            if !self.search.history.enter(&child) {
                continue;
            }
            let score = match child.outcome() {
                Some(outcome) => -self.expert.ended(&child, outcome, ply + 1),
                None => {
                    let sight = self.expert.see(&child);
                    -self.quiet_value(cpu, &child, &sight, (-beta, -alpha), ply + 1, n_left - 1)
                }
            };
            self.search.history.leave();
            if self.search.run.is_stopped {
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

    /// Looks at a position, with what was seen before the last move.
    #[inline(always)]
    fn see(&self, pos: &G, last: Move, above: Option<&E::Sight>) -> E::Sight {
        match above {
            Some(above) if last == NO_MOVE => self.expert.see_passed(pos, above),
            Some(above) => self.expert.see_after(pos, last, above),
            None => self.expert.see(pos),
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, pos: &G, sight: &E::Sight) -> Score {
        self.search.run.stats.evaluations += 1;
        time(
            Part::Evaluation,
            #[inline(always)]
            || self.expert.value(pos, sight),
        )
    }
}

/// A draw by repetition is seen so many plies ahead, which is twice the shortest way back to a board. Seen from further
/// off it would cost the table from that depth on, and no win depends on it: the shortest one comes to no board twice.
const REPETITION_IN_SIGHT: u32 = 8;
/// Futility looks at so many plies above the leaves, and late moves are left out there.
const FUTILE_UP_TO: i32 = 3;
const LMP_UP_TO: i32 = 3;
/// The first quiet moves are not reduced.
const LMR_FROM: u32 = 2;
/// What a capture may change beside its gain, in hundredths.
const HOPE: i32 = 200;
