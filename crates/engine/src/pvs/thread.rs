//! One thread of the search: what it keeps from move to move, and its root.

use std::marker::PhantomData;
use std::sync::Arc;

use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::{Game, History};

use super::search::{PvsSearch, PvsVisit};
use super::{MAX_DEPTH, MAX_PLIES, PvsOptions};
use crate::eval::MoveSource;
use crate::search::history::{HistoryTables, Kept};
use crate::search::iteration::{RootSearch, Run, deepen};
use crate::search::picker::{Lists, Picker};
use crate::search::threads::RootTask;
use crate::search::{NO_MOVE, OPEN, ScoredMoves, TableKeys};
use crate::time::Pace;
use crate::{Choice, Table, Watch, profile};

/// A draw by repetition is seen this many plies ahead, which is twice the shortest cycle. Watching for it from further
/// away would cost the table from that depth on, and no win depends on it: the shortest win repeats no board.
const REPETITION_HORIZON: u32 = 8;

/// What one thread keeps from move to move.
pub struct PvsThread<G> {
    pub options: PvsOptions,
    pub table: Arc<Table>,
    pub keys: TableKeys,
    pub tables: HistoryTables,
    pub history: History,
    pub moves: ScoredMoves,
    pub run: Run,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> PvsThread<G> {
    /// A thread with empty history tables.
    pub fn new(options: PvsOptions, table: Arc<Table>) -> PvsThread<G> {
        let kept = Kept { killers: options.killers, history: options.history };
        PvsThread {
            table,
            keys: TableKeys::WITH_PLY,
            tables: HistoryTables::new(kept, G::MOVES, MAX_PLIES as usize + 1),
            history: History::default(),
            moves: ScoredMoves::default(),
            run: Run::new(MAX_PLIES as usize),
            game: PhantomData,
            options,
        }
    }

    /// A new game begins.
    pub fn clear(&mut self) {
        self.tables.clear();
    }

    /// The best lines, best first: the task's number of them, or one for each move.
    pub fn run<E: MoveSource<G>>(
        &mut self,
        source: &E,
        task: &RootTask<'_, G>,
        watch: &mut Watch<'_>,
    ) -> Vec<Choice> {
        let pace = Pace::new(&task.pos, task.limits);
        self.run.start(pace.hard, task.limits.nodes);
        self.moves.truncate(0);
        self.history = History::new(task.game, MAX_DEPTH);
        self.keys = TableKeys::new(task.pos.turn_limit(), MAX_PLIES);
        self.tables.age();
        profile::take();
        let mut lines = match ModernCpu::detect() {
            Some(cpu) => self.deepen(cpu, source, task, &pace, watch),
            None => self.deepen(AnyCpu, source, task, &pace, watch),
        };
        let stats = &mut lines[0].stats;
        *stats = self.run.finish();
        stats.parts = profile::take();
        lines
    }

    fn deepen<C: Cpu, E: MoveSource<G>>(
        &mut self,
        cpu: C,
        source: &E,
        task: &RootTask<'_, G>,
        pace: &Pace,
        watch: &mut Watch<'_>,
    ) -> Vec<Choice> {
        let max_depth = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let depths = task.first_depth.min(max_depth)..=max_depth;
        let first = self.first_moves(source, &task.pos, task.n_lines);
        deepen(&mut PvsRoot { cpu, source, thread: self, pos: &task.pos }, first, depths, pace, watch)
    }

    /// Legal moves to fall back on if no depth is finished.
    fn first_moves<E: MoveSource<G>>(&mut self, source: &E, pos: &G, n_lines: usize) -> Vec<Choice> {
        let mut state = source.root(pos);
        let mut picker = Picker::new(self.moves.len(), NO_MOVE, self.tables.early_moves(0, NO_MOVE));
        let mut lines = Vec::new();
        while lines.len() < n_lines.max(1) {
            let lists = Lists { moves: &mut self.moves, tables: &self.tables };
            let Some(pick) = picker.pick(true, source, &mut state, pos, lists) else { break };
            lines.push(Choice::from(pick.mv));
        }
        picker.finish(&mut self.moves);
        lines
    }
}

/// A thread at its root.
struct PvsRoot<'a, C, G: Game, E> {
    cpu: C,
    source: &'a E,
    thread: &'a mut PvsThread<G>,
    pos: &'a G,
}

impl<C: Cpu, G: Game, E: MoveSource<G>> RootSearch for PvsRoot<'_, C, G, E> {
    fn run(&mut self) -> &mut Run {
        &mut self.thread.run
    }

    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>) {
        let thread = &mut *self.thread;
        thread.history.watch((depth + thread.options.quiescence).min(REPETITION_HORIZON));
        let visit = PvsVisit {
            pos: self.pos,
            depth: depth as i32,
            window: OPEN,
            ply: 0,
            last: NO_MOVE,
            parent: None,
        };
        PvsSearch { source: self.source, thread, watch, best }.search(self.cpu, visit);
    }
}
