//! Principal variation search over the children that look best.

use std::ops::ControlFlow;

use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::tetress::grid::N_CELLS;
use yarra_games::tetress::{TURN_LIMIT, Tetress};
use yarra_games::{Game, Move, MoveList, Position};

use super::Options;
use super::eval::{Boards, Evaluation};
use crate::champion::picker::{Moves, NO_MOVE};
use crate::champion::time::Pace;
use crate::eval::usual_end;
use crate::profile::{self, Part, time};
use crate::{Bound, Budget, Choice, Iteration, Limits, Progress, Score, Stats, Table, Watch};

/// The search looks no deeper.
pub const MAX_DEPTH: u32 = 64;

/// A search's memory, which lives on from move to move.
pub struct Search {
    options: Options,
    evaluation: Evaluation,
    table: Table,
    /// For each ply below the root, the last two moves that cut there.
    killers: Vec<[Move; 2]>,
    /// The moves of the node whose children are being looked at.
    legal: MoveList,
    /// The children of all nodes on the way, by what they look worth to their parent.
    children: Moves,
    /// The best line from each ply on; only those of principal nodes are kept up.
    lines: Vec<Vec<Move>>,
    stats: Stats,
    budget: Budget,
    is_stopped: bool,
    /// What the best line of the root is worth.
    root_score: Score,
}

impl Search {
    pub fn new(options: Options) -> Search {
        Search {
            evaluation: Evaluation::new(options.weights),
            table: Table::new(options.table_bytes),
            killers: vec![[NO_MOVE; 2]; MAX_DEPTH as usize + 1],
            legal: MoveList::new(),
            children: Moves::default(),
            lines: vec![Vec::new(); MAX_DEPTH as usize + 2],
            stats: Stats::default(),
            budget: Budget::start(None, None),
            is_stopped: false,
            root_score: Score::DRAW,
            options,
        }
    }

    /// A new game begins.
    pub fn forget(&mut self) {
        self.table.clear();
        self.killers.fill([NO_MOVE; 2]);
    }

    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Chooses a move.
    pub fn run(&mut self, pos: &Tetress, limits: Limits, watch: &mut Watch<'_>) -> Choice {
        let pace = Pace::new(pos, limits);
        self.budget = Budget::start(pace.hard, limits.nodes);
        self.stats = Stats::default();
        self.is_stopped = false;
        self.children.truncate(0);
        // The next search begins two plies later.
        self.killers.rotate_left(2);
        profile::take();
        let mut choice = match ModernCpu::detect() {
            Some(cpu) => self.deepen(cpu, pos, limits, &pace, watch),
            None => self.deepen(AnyCpu, pos, limits, &pace, watch),
        };
        choice.stats = std::mem::take(&mut self.stats);
        choice.stats.elapsed = self.budget.elapsed();
        choice.stats.memory = self.table.memory();
        choice.stats.parts = profile::take();
        choice
    }

    fn deepen<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        limits: Limits,
        pace: &Pace,
        watch: &mut Watch<'_>,
    ) -> Choice {
        self.legal.clear();
        pos.legal_moves(&mut self.legal);
        // A clock is not for moves without a choice.
        let is_forced = self.legal.len() == 1 && limits.clock.is_some();
        let game_length = u32::from(TURN_LIMIT - pos.ply());
        let max_depth = if is_forced { 1 } else { limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) };
        let mut best = Choice::from(self.legal[0]);
        let mut n_stable = 0;
        for depth in 1..=max_depth.min(game_length) {
            let nodes_before = self.stats.nodes;
            let before = best.mv;
            self.settle(cpu, pos, depth, &mut best, watch);
            self.stats.elapsed = self.budget.elapsed();
            if self.is_stopped {
                break;
            }
            n_stable = if best.mv == before { n_stable + 1 } else { 0 };
            self.stats.iterations.push(Iteration {
                depth,
                score: self.root_score,
                line: best.line.clone(),
                nodes: self.stats.nodes - nodes_before,
                elapsed: self.stats.elapsed,
            });
            if watch(&self.progress(&best)).is_break() {
                break;
            }
            // A forced end does not change with more depth.
            let plies_to_end = self.root_score.plies_to_end();
            let is_decided = plies_to_end.is_some_and(|plies| plies.unsigned_abs() <= depth);
            if is_decided || !pace.has_time_for_another(&self.stats.iterations, n_stable) {
                break;
            }
        }
        best
    }

    /// Searches the root to a depth, with ever wider windows around the last score until it lies within.
    fn settle<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        depth: u32,
        best: &mut Choice,
        watch: &mut Watch<'_>,
    ) {
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        let mut width = self.options.aspiration;
        if 0 < width
            && NARROW_FROM <= depth
            && let Some(last) = best.score.filter(|score| score.plies_to_end().is_none())
        {
            (alpha, beta) = (Score(last.0 - width), Score(last.0 + width));
        }
        loop {
            let mut node = Node { search: self, watch, best };
            let score = node.value(cpu, pos, Score::DRAW, depth as i32, (alpha, beta), 0);
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

    fn progress<'a>(&self, best: &'a Choice) -> Progress<'a> {
        Progress {
            depth: self.stats.depth(),
            score: best.score.unwrap_or_default(),
            nodes: self.stats.nodes,
            line: &best.line,
            elapsed: self.budget.elapsed(),
        }
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

    #[inline(always)]
    fn note_killer(&mut self, m: Move, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
    }

    /// How many children of a node are searched that has so many plies below it.
    #[inline(always)]
    fn width(&self, depth: i32, ply: u32) -> u32 {
        let Options { width, widening, .. } = self.options;
        if width == 0 {
            return u32::MAX;
        }
        let mut width = f64::from(width);
        for _ in 2..depth {
            width *= 1.0 + f64::from(widening) / 100.0;
        }
        // Nobody corrects a move that is left out at the root.
        (if ply == 0 { 4.0 * width } else { width }) as u32
    }
}

/// How many children are looked at together: so many vector instructions at a time that none waits for another.
const N_AT_ONCE: usize = 16;
/// The table's move and two killers, in a vector of four.
const N_EARLY: usize = 4;
/// A window that would be wider is open.
const WIDEST: i32 = 2000;
/// The score of so few plies says little about the next.
const NARROW_FROM: u32 = 4;
/// Futility looks at so many plies above the leaves.
const FUTILE_UP_TO: i32 = 3;

type Window = (Score, Score);

/// The recursion, with all that it needs at hand.
struct Node<'a, 'w> {
    search: &'a mut Search,
    watch: &'a mut Watch<'w>,
    best: &'a Choice,
}

/// The best of the children so far, and the window for the next.
struct Race {
    best: Score,
    mv: Move,
    alpha: Score,
    beta: Score,
    n_searched: u32,
}

impl Node<'_, '_> {
    /// The value of a position for the player to move, which looks worth `seen`, `ply` plies below the root.
    /// The game is not over there. Each call asks again for the machine's instructions: a recursion cannot be
    /// inlined.
    fn value<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        seen: Score,
        depth: i32,
        window: Window,
        ply: u32,
    ) -> Score {
        cpu.run(
            #[inline(always)]
            || self.value_here(cpu, pos, seen, depth, window, ply),
        )
    }

    #[inline(always)]
    fn value_here<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        seen: Score,
        depth: i32,
        (alpha, beta): Window,
        ply: u32,
    ) -> Score {
        let options = self.search.options;
        let is_principal = 1 < beta.0 - alpha.0;
        if is_principal {
            self.search.lines[ply as usize].clear();
        }
        let key = key(pos);
        let known = self.search.table.get(key);
        let known_move = known.and_then(|entry| entry.mv());
        if !is_principal
            && let Some(score) = known.and_then(|entry| entry.cutoff(depth as u32, ply, (alpha, beta)))
        {
            self.search.stats.table_hits += 1;
            return score;
        }
        let is_bounded = beta.0.abs() <= Score::MAX_EVALUATION.0 && alpha.0.abs() <= Score::MAX_EVALUATION.0;
        if !is_principal && is_bounded && 0 < options.futility && depth <= FUTILE_UP_TO {
            let margin = options.futility * depth;
            if beta.0 <= seen.0 - margin || seen.0 + margin <= alpha.0 {
                return seen;
            }
        }
        // No line is longer than the game.
        let plies = depth.min(i32::from(TURN_LIMIT - pos.ply())).min((MAX_DEPTH - ply) as i32);
        let mut race = Race { best: -Score::INFINITE, mv: NO_MOVE, alpha, beta, n_searched: 0 };
        self.race(cpu, pos, plies, ply, known_move, &mut race);
        if self.search.is_stopped {
            return Score::DRAW;
        }
        let bound = match race.best {
            score if score <= alpha => Bound::Upper,
            score if beta <= score => Bound::Lower,
            _ => Bound::Exact,
        };
        // A move that did not help is no better to begin with than any other.
        let m = if bound == Bound::Upper { known_move } else { Some(race.mv) };
        self.search.table.insert(key, (race.best, bound), m, depth as u32, ply);
        race.best
    }

    /// Lets the children race: those that were good before, then the others as they look.
    #[inline(always)]
    fn race<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        depth: i32,
        ply: u32,
        known: Option<Move>,
        race: &mut Race,
    ) {
        let options = self.search.options;
        let [first, second] = if options.killers { self.search.killers[ply as usize] } else { [NO_MOVE; 2] };
        let hint =
            if ply == 0 && 0 < self.search.stats.depth() { self.best.mv } else { known.unwrap_or(NO_MOVE) };
        let mut early = [NO_MOVE; N_EARLY];
        let mut n_early = 0;
        for m in [hint, first, second] {
            if m != NO_MOVE && !early.contains(&m) && pos.is_legal(m) {
                early[n_early] = m;
                n_early += 1;
            }
        }
        if 0 < n_early {
            let early = &early[..n_early];
            let Some(seen) = self.look::<N_EARLY>(pos, early, ply + 1) else { return };
            for (&m, seen) in early.iter().zip(seen) {
                if self.run(cpu, &pos.after(m), (m, seen), depth, ply, race) {
                    return;
                }
            }
        }
        let base = self.search.children.len();
        if !self.look_at_all(pos, depth, ply, &early[..n_early], race) {
            self.run_best(cpu, pos, depth, ply, base, race);
        }
        self.search.children.truncate(base);
    }

    /// Looks at all children but the early ones. At the last ply that is all there is to do. Tells whether the
    /// race is over.
    #[inline(always)]
    fn look_at_all(&mut self, pos: &Tetress, depth: i32, ply: u32, early: &[Move], race: &mut Race) -> bool {
        self.search.lines[ply as usize + 1].clear();
        self.search.legal.clear();
        time(
            Part::Moves,
            #[inline(always)]
            || pos.legal_moves(&mut self.search.legal),
        );
        if pos.ply() == 0 {
            // On an empty torus only the shape matters.
            self.search.legal.retain(|m| usize::from(m.0) % N_CELLS == N_CELLS / 2);
        }
        if !early.is_empty() {
            self.search.legal.retain(|m| !early.contains(m));
        }
        let mut done = 0;
        while done < self.search.legal.len() {
            let mut chunk = [NO_MOVE; N_AT_ONCE];
            let n = (self.search.legal.len() - done).min(N_AT_ONCE);
            chunk[..n].copy_from_slice(&self.search.legal[done..done + n]);
            done += n;
            let Some(seen) = self.look::<N_AT_ONCE>(pos, &chunk[..n], ply + 1) else { return true };
            for (&m, seen) in chunk[..n].iter().zip(seen) {
                let score = -seen;
                if depth <= 1 || score == Score::win_in(ply + 1) {
                    race.n_searched += 1;
                    if self.finish(m, score, ply, race) {
                        return true;
                    }
                } else {
                    self.search.children.push(m, score.0);
                }
            }
        }
        depth <= 1
    }

    /// Searches the children that look best.
    #[inline(always)]
    fn run_best<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        depth: i32,
        ply: u32,
        base: usize,
        race: &mut Race,
    ) {
        let n_children = (self.search.children.len() - base) as u32 + race.n_searched;
        let is_exact = n_children <= self.search.options.exact;
        let width = if is_exact { u32::MAX } else { self.search.width(depth, ply) };
        let mut next = base;
        while let Some((m, score)) = self.search.children.take_best(next) {
            next += 1;
            // Where all moves so far lose, every one must be looked at.
            let is_lost = race.best.0 < -Score::MAX_EVALUATION.0;
            if width <= race.n_searched && !is_lost {
                return;
            }
            if self.run(cpu, &pos.after(m), (m, Score(-score)), depth, ply, race) {
                return;
            }
        }
    }

    /// Searches one child. Tells whether the race is over.
    #[inline(always)]
    fn run<C: Cpu>(
        &mut self,
        cpu: C,
        child: &Tetress,
        (m, seen): (Move, Score),
        depth: i32,
        ply: u32,
        race: &mut Race,
    ) -> bool {
        race.n_searched += 1;
        self.search.lines[ply as usize + 1].clear();
        if depth <= 1 || seen.plies_to_end().is_some() {
            return self.finish(m, -seen, ply, race);
        }
        let Race { alpha, beta, n_searched, .. } = *race;
        let is_principal = 1 < beta.0 - alpha.0;
        let mut score = Score::INFINITE;
        let mut is_wide = n_searched == 1;
        if !is_wide {
            let lmr = self.search.options.lmr;
            let mut reduction = 0;
            if 0 < lmr && 3 <= depth && lmr < n_searched {
                reduction = 1 + i32::from(5 <= depth && 4 * lmr < n_searched);
            }
            let scout = (Score(-alpha.0 - 1), -alpha);
            score = -self.deeper(cpu, child, seen, depth - 1 - reduction, scout, ply + 1);
            if 0 < reduction && alpha < score && !self.search.is_stopped {
                score = -self.deeper(cpu, child, seen, depth - 1, scout, ply + 1);
            }
            is_wide = is_principal && alpha < score && score < beta && !self.search.is_stopped;
        }
        if is_wide {
            score = -self.deeper(cpu, child, seen, depth - 1, (-beta, -alpha), ply + 1);
        }
        self.search.is_stopped || self.finish(m, score, ply, race)
    }

    /// A child's value, which is what it looks worth once there are no plies left.
    #[inline(always)]
    fn deeper<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        seen: Score,
        depth: i32,
        window: Window,
        ply: u32,
    ) -> Score {
        if depth <= 0 { seen } else { self.value(cpu, pos, seen, depth, window, ply) }
    }

    /// Notes a child's value for its parent. Tells whether the race is over.
    #[inline(always)]
    fn finish(&mut self, m: Move, score: Score, ply: u32, race: &mut Race) -> bool {
        if score <= race.best {
            return false;
        }
        race.best = score;
        race.mv = m;
        if score <= race.alpha {
            return false;
        }
        let search = &mut *self.search;
        if 1 < race.beta.0 - race.alpha.0 {
            search.note_line(m, ply);
            if ply == 0 {
                search.root_score = score;
            }
        }
        race.alpha = score;
        if score < race.beta {
            return false;
        }
        search.stats.cutoffs += 1;
        search.stats.first_move_cutoffs += u64::from(race.n_searched == 1);
        search.note_killer(m, ply);
        true
    }

    /// What the positions after at most `N` moves look worth to the player to move there, or how the game ended;
    /// `None` if time is up. They are `ply` plies below the root.
    #[inline(always)]
    fn look<const N: usize>(&mut self, pos: &Tetress, moves: &[Move], ply: u32) -> Option<[Score; N]> {
        let n_moves = moves.len() as u64;
        let search = &mut *self.search;
        if search.budget.is_look_due(search.stats.nodes + n_moves - 1) && self.is_time_up(n_moves) {
            return None;
        }
        let search = &mut *self.search;
        search.stats.nodes += n_moves;
        search.stats.evaluations += n_moves;
        Some(time(
            Part::Evaluation,
            #[inline(always)]
            || {
                let child_ply = pos.ply() + 1;
                let mut boards = Boards::<N>::new(child_ply);
                let mut ends = [Score::DRAW; N];
                for (idx, &m) in moves.iter().enumerate() {
                    let child = pos.after(m);
                    boards.set(idx, &child);
                    if TURN_LIMIT <= child_ply
                        && let Some(outcome) = child.outcome()
                    {
                        ends[idx] = usual_end(&child, outcome, ply);
                    }
                }
                if TURN_LIMIT <= child_ply {
                    return ends;
                }
                let sights = boards.look();
                let mut scores = search.evaluation.values(&sights, child_ply);
                for (score, &n_moves) in scores.iter_mut().zip(&sights.n_moves[0]) {
                    if n_moves == 0 {
                        *score = -Score::win_in(ply);
                    }
                }
                scores
            },
        ))
    }

    #[cold]
    fn is_time_up(&mut self, n_more: u64) -> bool {
        let search = &mut *self.search;
        let is_spent = search.budget.is_spent(search.stats.nodes + n_more - 1);
        let is_broken = (self.watch)(&search.progress(self.best)) == ControlFlow::Break(());
        search.is_stopped |= is_spent || is_broken;
        search.is_stopped
    }
}

/// The key under which a position is stored. What it is worth depends on the ply, and not only near the limit.
#[inline(always)]
fn key(pos: &Tetress) -> u64 {
    pos.key() ^ (u64::from(pos.ply()) << 48 | u64::from(pos.ply()))
}
