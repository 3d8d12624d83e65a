//! Principal variation search over the children that look best.

use std::sync::Arc;

use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::tetress::grid::N_CELLS;
use yarra_games::tetress::{TURN_LIMIT, Tetress};
use yarra_games::{Game, Move, MoveList, Position};

use super::Options;
use super::eval::{Boards, Evaluation};
use crate::champion::deepening::{DepthSearch, OPEN, Run, Window, deepen};
use crate::champion::picker::{Moves, NO_MOVE};
use crate::champion::threads::{Busy, Task};
use crate::eval::usual_end;
use crate::profile::{self, Part, time};
use crate::time::Pace;
use crate::{Bound, Choice, Score, Table, Watch};

/// The search looks no deeper.
pub const MAX_DEPTH: u32 = 64;

/// A search's memory, which lives on from move to move.
pub struct Search {
    options: Options,
    evaluation: Evaluation,
    table: Arc<Table>,
    busy: Arc<Busy>,
    /// For each ply below the root, the last two moves that cut there.
    killers: Vec<[Move; 2]>,
    /// The moves of the node whose children are being looked at.
    legal: MoveList,
    /// The children of all nodes on the way, by what they look worth to their parent.
    children: Moves,
    run: Run,
}

impl Search {
    pub fn new(options: Options, table: Arc<Table>, busy: Arc<Busy>) -> Search {
        Search {
            evaluation: Evaluation::new(options.weights),
            table,
            busy,
            killers: vec![[NO_MOVE; 2]; MAX_DEPTH as usize + 1],
            legal: MoveList::new(),
            children: Moves::default(),
            run: Run::new(MAX_DEPTH as usize + 1),
            options,
        }
    }

    /// A new game begins.
    pub fn forget(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
    }

    /// The best lines, best first, as many as the task asks for and there are moves.
    pub fn run(&mut self, task: &Task<'_, Tetress>, watch: &mut Watch<'_>) -> Vec<Choice> {
        let pace = Pace::new(&task.pos, task.limits);
        self.run.start(pace.hard, task.limits.nodes);
        self.children.truncate(0);
        // The next search begins two plies later.
        self.killers.rotate_left(2);
        profile::take();
        let mut lines = match ModernCpu::detect() {
            Some(cpu) => self.deepen(cpu, task, &pace, watch),
            None => self.deepen(AnyCpu, task, &pace, watch),
        };
        let stats = &mut lines[0].stats;
        *stats = self.run.finish();
        stats.parts = profile::take();
        lines
    }

    fn deepen<C: Cpu>(
        &mut self,
        cpu: C,
        task: &Task<'_, Tetress>,
        pace: &Pace,
        watch: &mut Watch<'_>,
    ) -> Vec<Choice> {
        let Task { pos, limits, .. } = task;
        self.list(pos);
        let first = self.legal.iter().take(task.n_lines.max(1)).copied().map(Choice::from).collect();
        // A clock is not for moves without a choice.
        let is_forced = self.legal.len() == 1 && limits.clock.is_some();
        let game_length = u32::from(TURN_LIMIT - pos.ply());
        let max_depth = if is_forced { 1 } else { limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) };
        let max_depth = max_depth.min(game_length);
        let depths = task.first_depth.min(max_depth)..=max_depth;
        deepen(&mut Rooted { cpu, search: self, pos }, first, depths, pace, watch)
    }

    /// Lists the moves of a node.
    #[inline(always)]
    fn list(&mut self, pos: &Tetress) {
        self.legal.clear();
        pos.legal_moves(&mut self.legal);
        if pos.ply() == 0 {
            // On an empty torus only the shape matters.
            self.legal.retain(|m| usize::from(m.0) % N_CELLS == N_CELLS / 2);
        }
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

/// A search with its root.
struct Rooted<'a, C> {
    cpu: C,
    search: &'a mut Search,
    pos: &'a Tetress,
}

impl<C: Cpu> DepthSearch for Rooted<'_, C> {
    fn run(&mut self) -> &mut Run {
        &mut self.search.run
    }

    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>) {
        let mut node = Node { search: self.search, watch, best };
        node.value(self.cpu, self.pos, depth as i32, OPEN, 0);
    }
}

/// How many children are looked at together: so many vector instructions at a time that none waits for another.
const N_AT_ONCE: usize = 16;
/// The table's move and two killers, in a vector of four.
const N_EARLY: usize = 4;

/// Nodes with fewer plies below them are not shared out among the threads.
const SHARED_FROM: i32 = 3;

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
    /// The value of a position for the player to move, `ply` plies below the root. The game is not over there. Each call asks again for the machine's instructions: a recursion cannot be
    /// inlined.
    fn value<C: Cpu>(&mut self, cpu: C, pos: &Tetress, depth: i32, window: Window, ply: u32) -> Score {
        cpu.run(
            #[inline(always)]
            || self.value_here(cpu, pos, depth, window, ply),
        )
    }

    #[inline(always)]
    fn value_here<C: Cpu>(
        &mut self,
        cpu: C,
        pos: &Tetress,
        depth: i32,
        (alpha, beta): Window,
        ply: u32,
    ) -> Score {
        let is_principal = 1 < beta.0 - alpha.0;
        if is_principal {
            self.search.run.clear_line(ply);
        }
        let key = key(pos);
        let known = self.search.table.get(key);
        let known_move = known.and_then(|entry| entry.mv());
        if !is_principal
            && let Some(score) = known.and_then(|entry| entry.cutoff(depth as u32, ply, (alpha, beta)))
        {
            self.search.run.stats.table_hits += 1;
            return score;
        }
        // No line is longer than the game.
        let plies = depth.min(i32::from(TURN_LIMIT - pos.ply())).min((MAX_DEPTH - ply) as i32);
        let mut race = Race { best: -Score::INFINITE, mv: NO_MOVE, alpha, beta, n_searched: 0 };
        self.race(cpu, pos, plies, ply, known_move, &mut race);
        if self.search.run.is_stopped {
            return Score::DRAW;
        }
        let bound = match race.best {
            score if score <= alpha => Bound::Upper,
            score if beta <= score => Bound::Lower,
            _ => Bound::Exact,
        };
        // A move that did not help is no better to begin with than any other.
        let m = if bound == Bound::Upper { known_move } else { Some(race.mv) };
        if self.search.run.is_whole(ply) {
            self.search.table.insert(key, (race.best, bound), m, depth as u32, ply);
        }
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
        let hint = if ply == 0 && 0 < self.search.run.stats.depth() {
            self.best.mv
        } else {
            known.unwrap_or(NO_MOVE)
        };
        let mut early = [NO_MOVE; N_EARLY];
        let mut n_early = 0;
        for m in [hint, first, second] {
            let is_new = m != NO_MOVE && !early.contains(&m) && !self.search.run.is_left_out(m, ply);
            if is_new && pos.is_legal(m) {
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
        self.search.run.clear_line(ply + 1);
        let search = &mut *self.search;
        time(
            Part::Moves,
            #[inline(always)]
            || search.list(pos),
        );
        if !early.is_empty() || !search.run.is_whole(ply) {
            search.legal.retain(|&m| !early.contains(&m) && !search.run.is_left_out(m, ply));
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
        let width = self.search.width(depth, ply);
        let mut next = base;
        let mut put_off = Vec::new();
        while let Some((m, score)) = self.search.children.take_best(next) {
            next += 1;
            // Where all moves so far lose, every one must be looked at.
            let is_lost = race.best.0 < -Score::MAX_EVALUATION.0;
            if width <= race.n_searched + put_off.len() as u32 && !is_lost {
                break;
            }
            let child = pos.after(m);
            if SHARED_FROM <= depth && 0 < race.n_searched && self.search.busy.has(key(&child)) {
                put_off.push((m, score));
                continue;
            }
            if self.run_announced(cpu, &child, (m, Score(-score)), depth, ply, race) {
                return;
            }
        }
        for (m, score) in put_off {
            if self.run_announced(cpu, &pos.after(m), (m, Score(-score)), depth, ply, race) {
                return;
            }
        }
    }

    /// Searches one child, and lets the other threads know meanwhile. Tells whether the race is over.
    #[inline(always)]
    fn run_announced<C: Cpu>(
        &mut self,
        cpu: C,
        child: &Tetress,
        seen: (Move, Score),
        depth: i32,
        ply: u32,
        race: &mut Race,
    ) -> bool {
        if depth < SHARED_FROM {
            return self.run(cpu, child, seen, depth, ply, race);
        }
        let key = key(child);
        self.search.busy.enter(key);
        let is_over = self.run(cpu, child, seen, depth, ply, race);
        self.search.busy.leave(key);
        is_over
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
        self.search.run.clear_line(ply + 1);
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
            if 0 < reduction && alpha < score && !self.search.run.is_stopped {
                score = -self.deeper(cpu, child, seen, depth - 1, scout, ply + 1);
            }
            is_wide = is_principal && alpha < score && score < beta && !self.search.run.is_stopped;
        }
        if is_wide {
            score = -self.deeper(cpu, child, seen, depth - 1, (-beta, -alpha), ply + 1);
        }
        self.search.run.is_stopped || self.finish(m, score, ply, race)
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
        if depth <= 0 { seen } else { self.value(cpu, pos, depth, window, ply) }
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
            search.run.note_line(m, ply, score);
        }
        race.alpha = score;
        if score < race.beta {
            return false;
        }
        search.run.stats.cutoffs += 1;
        search.run.stats.first_move_cutoffs += u64::from(race.n_searched == 1);
        search.note_killer(m, ply);
        true
    }

    /// What the positions after at most `N` moves look worth to the player to move there, or how the game ended;
    /// `None` if time is up. They are `ply` plies below the root.
    #[inline(always)]
    fn look<const N: usize>(&mut self, pos: &Tetress, moves: &[Move], ply: u32) -> Option<[Score; N]> {
        let n_moves = moves.len() as u64;
        let search = &mut *self.search;
        if !search.run.goes_on(n_moves, self.best, self.watch) {
            return None;
        }
        search.run.stats.evaluations += n_moves;
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
}

/// The key under which a position is stored. What it is worth depends on the ply, and not only near the limit.
#[inline(always)]
fn key(pos: &Tetress) -> u64 {
    pos.key() ^ (u64::from(pos.ply()) << 48 | u64::from(pos.ply()))
}
