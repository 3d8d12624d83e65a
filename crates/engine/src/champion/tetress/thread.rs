//! One thread of the search: what it keeps from move to move, and its root.

use std::sync::Arc;

use yarra_games::cpu::{AnyCpu, BitVectorCpu, Cpu, ModernCpu};
use yarra_games::tetress::grid::N_CELLS;
use yarra_games::tetress::{TURN_LIMIT, Tetress};
use yarra_games::{MoveList, Position};

use super::TetressOptions;
use super::eval::Evaluation;
use super::search::{TetressSearch, TetressVisit};
use crate::search::history::Killers;
use crate::search::iteration::{RootSearch, Run, deepen};
use crate::search::threads::{Abdada, RootTask};
use crate::search::{OPEN, ScoredMoves};
use crate::time::Pace;
use crate::{Choice, Table, Watch, profile};

/// The greatest depth.
pub const MAX_DEPTH: u32 = 64;

/// What one thread keeps from move to move.
pub struct TetressThread {
    pub options: TetressOptions,
    pub evaluation: Evaluation,
    pub table: Arc<Table>,
    pub abdada: Arc<Abdada>,
    pub killers: Killers,
    /// The moves of the node whose children are being evaluated.
    pub legal: MoveList,
    /// The children of all nodes on the current line, by their values for the parent.
    pub children: ScoredMoves,
    pub run: Run,
}

impl TetressThread {
    /// A thread without killers.
    pub fn new(options: TetressOptions, table: Arc<Table>, abdada: Arc<Abdada>) -> TetressThread {
        TetressThread {
            evaluation: Evaluation::new(&options.weights),
            table,
            abdada,
            killers: Killers::new(MAX_DEPTH as usize + 1),
            legal: MoveList::new(),
            children: ScoredMoves::default(),
            run: Run::new(MAX_DEPTH as usize + 1),
            options,
        }
    }

    /// A new game begins.
    pub fn clear(&mut self) {
        self.killers.reset(MAX_DEPTH as usize + 1);
    }

    /// The best lines, best first: the task's number of them, or one for each move.
    pub fn run(&mut self, task: &RootTask<'_, Tetress>, watch: &mut Watch<'_>) -> Vec<Choice> {
        if let Some(cpu) = BitVectorCpu::detect() {
            self.run_on(cpu, task, watch)
        } else if let Some(cpu) = ModernCpu::detect() {
            self.run_on(cpu, task, watch)
        } else {
            self.run_on(AnyCpu, task, watch)
        }
    }

    fn run_on<C: Cpu>(&mut self, cpu: C, task: &RootTask<'_, Tetress>, watch: &mut Watch<'_>) -> Vec<Choice> {
        let pace = Pace::new(&task.pos, task.limits);
        self.run.start(pace.hard, task.limits.nodes);
        self.children.truncate(0);
        self.killers.age();
        profile::take();
        let mut lines = self.deepen(cpu, task, &pace, watch);
        let stats = &mut lines[0].stats;
        *stats = self.run.finish();
        stats.parts = profile::take();
        lines
    }

    fn deepen<C: Cpu>(
        &mut self,
        cpu: C,
        task: &RootTask<'_, Tetress>,
        pace: &Pace,
        watch: &mut Watch<'_>,
    ) -> Vec<Choice> {
        let RootTask { pos, limits, .. } = task;
        self.list(pos);
        let first = self.legal.iter().take(task.n_lines.max(1)).copied().map(Choice::from).collect();
        // A forced move needs no time from the clock.
        let is_forced = self.legal.len() == 1 && limits.clock.is_some();
        let game_length = u32::from(TURN_LIMIT - pos.ply());
        let max_depth = if is_forced { 1 } else { limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) };
        let max_depth = max_depth.min(game_length);
        let depths = task.first_depth.min(max_depth)..=max_depth;
        deepen(&mut TetressRoot { cpu, thread: self, pos }, first, depths, pace, watch)
    }

    /// Lists the moves of a node.
    #[inline(always)]
    pub fn list(&mut self, pos: &Tetress) {
        self.legal.clear();
        pos.legal_moves(&mut self.legal);
        if pos.ply() == 0 {
            // On an empty torus only the shape matters.
            self.legal.retain(|m| usize::from(m.0) % N_CELLS == N_CELLS / 2);
        }
    }

    /// The number of children that are searched at a node with this remaining depth.
    #[inline(always)]
    pub fn width(&self, depth: i32, ply: u32) -> u32 {
        let TetressOptions { width, widening, .. } = self.options;
        if width == 0 {
            return u32::MAX;
        }
        let mut width = f64::from(width);
        for _ in 2..depth {
            width *= 1.0 + f64::from(widening) / 100.0;
        }
        // A move that is pruned at the root is lost for good.
        (if ply == 0 { 4.0 * width } else { width }) as u32
    }
}

/// A thread at its root.
struct TetressRoot<'a, C> {
    cpu: C,
    thread: &'a mut TetressThread,
    pos: &'a Tetress,
}

impl<C: Cpu> RootSearch for TetressRoot<'_, C> {
    fn run(&mut self) -> &mut Run {
        &mut self.thread.run
    }

    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>) {
        let visit = TetressVisit { pos: self.pos, depth: depth as i32, window: OPEN, ply: 0 };
        TetressSearch { thread: self.thread, watch, best }.search(self.cpu, visit);
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use yarra_games::{Game, Record};

    use super::*;
    use crate::agent::unwatched;
    use crate::{Limits, Settings};

    #[test]
    fn every_cpu_finds_the_same() {
        let options = TetressOptions::read(&Settings::defaults(super::super::OPTIONS)).expect("the defaults");
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let mut rng = Rng::with_seed(1);
        for n_plies in [0, 5, 30, 80] {
            let mut pos = Tetress::start(11).expect("the size of Tetress");
            for _ in 0..n_plies {
                let Some(m) = pos.random_move(&mut rng) else { break };
                let after = pos.after(m);
                if after.outcome().is_none() {
                    pos = after;
                }
            }
            let game = Record::new(pos.boxed());
            let task = RootTask { pos, game: &game, limits, n_lines: 1, first_depth: 1 };
            let found = |run: &dyn Fn(&mut TetressThread) -> Vec<Choice>| {
                let (table, abdada) = (Arc::new(Table::new(1 << 20)), Arc::new(Abdada::new(1)));
                let choice = run(&mut TetressThread::new(options, table, abdada)).swap_remove(0);
                (choice.line, choice.score, choice.stats.nodes)
            };
            let plain = found(&|thread| thread.run_on(AnyCpu, &task, &mut unwatched));
            if let Some(cpu) = ModernCpu::detect() {
                assert_eq!(found(&|thread| thread.run_on(cpu, &task, &mut unwatched)), plain, "{pos}");
            }
            if let Some(cpu) = BitVectorCpu::detect() {
                assert_eq!(found(&|thread| thread.run_on(cpu, &task, &mut unwatched)), plain, "{pos}");
            }
        }
    }
}
