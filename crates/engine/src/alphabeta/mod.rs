//! Minimax, alpha-beta and NegaScout with a transposition table, caches and move ordering.
//!
//! One search serves all agents of the reports that search by depth. What differs is data: the [`Options`], an
//! evaluation, the [`Tactics`] that list moves, and a [`Plan`] for each move.

mod options;
mod order;
mod search;

use yarra_games::{Game, History, Move, MoveList, Player, Record};

use crate::agent::position_of;
use crate::cost::Space;
use crate::profile::{self, Part, time};
use crate::search::iteration::{Run, deepen};
use crate::search::{TableKeys, sort_by};
use crate::{Agent, AgentError, Bound, Cache, Choice, Evaluator, Limits};
use crate::{Score, Stats, Table, Tactics, Term, Watch};
pub use options::{Method, Options, Order, Plan};
use order::Learned;
use search::AlphaBetaRoot;

/// Makes the plan for a move: the depth, and when to stop.
pub type Planner<G> = Box<dyn FnMut(&G, &Record, Limits) -> Plan + Send>;

/// An agent that searches its moves to a depth.
pub struct AlphaBeta<G: Game, E: Evaluator<G>> {
    evaluator: E,
    tactics: Box<dyn Tactics<G>>,
    planner: Planner<G>,
    work: Workspace,
}

/// What the agent keeps from move to move, and the state of the current search.
struct Workspace {
    options: Options,
    table: Table,
    keys: TableKeys,
    evaluations: Cache<Score>,
    lists: Cache<Box<[Move]>>,
    learned: Learned,
    history: History,
    run: Run,
    buffers: Vec<MoveList>,
    /// Moves in the lists from the root to the current node.
    n_path_moves: usize,
    /// Moves in the cached lists.
    n_cached_moves: usize,
}

/// The greatest depth.
pub const MAX_DEPTH: u32 = 64;

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// An agent that plans by `planner` and searches the moves that `tactics` list.
    pub fn new(
        evaluator: E,
        tactics: Box<dyn Tactics<G>>,
        options: Options,
        planner: Planner<G>,
    ) -> AlphaBeta<G, E> {
        AlphaBeta { evaluator, tactics, planner, work: Workspace::new(options) }
    }
}

impl<G: Game, E: Evaluator<G>> Agent for AlphaBeta<G, E> {
    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<G>(game)?;
        let mut plan = (self.planner)(&pos, game, limits);
        plan.depth = limits.depth.unwrap_or(plan.depth).clamp(1, MAX_DEPTH);
        plan.drops_unfinished |= !self.work.options.order.last_best;
        if limits.is_fixed() {
            // A timer of the agent's own would make games differ from run to run.
            (plan.soft_time, plan.hard_time, plan.longest_iteration) = (None, None, None);
        }
        self.work.begin(game, &plan, limits);
        let mut moves = MoveList::new();
        self.tactics.root_moves(&pos, &mut moves);
        let first = vec![Choice::from(moves[0])];
        let depths = if plan.is_deepening { 1 } else { plan.depth }..=plan.depth;
        let mut root = AlphaBetaRoot { agent: self, pos, moves };
        let mut choice = deepen(&mut root, first, depths, &plan, watch).swap_remove(0);
        choice.stats = self.work.finish(size_of::<G>(), plan.depth as usize);
        Ok(choice)
    }

    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.work.clear();
        Ok(())
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        position_of::<G>(game).map(|pos| self.evaluator.terms(&pos)).unwrap_or_default()
    }
}

impl Workspace {
    fn new(options: Options) -> Workspace {
        Workspace {
            table: Table::new(options.table_bytes),
            keys: TableKeys::WITH_PLY,
            evaluations: Cache::new(options.cached_evaluations),
            lists: Cache::new(options.cached_lists),
            learned: Learned::default(),
            history: History::default(),
            run: Run::new(MAX_DEPTH as usize),
            buffers: Vec::new(),
            n_path_moves: 0,
            n_cached_moves: 0,
            options,
        }
    }

    fn begin(&mut self, game: &Record, plan: &Plan, limits: Limits) {
        let hard_time = limits.hard_time().into_iter().chain(plan.hard_time).min();
        self.run.start(hard_time, limits.nodes);
        self.history = History::new(game, plan.depth);
        self.keys = TableKeys::new(game.now().turn_limit(), MAX_DEPTH);
        self.buffers.resize_with(plan.depth as usize + 1, MoveList::new);
        self.learned.begin(plan.depth);
        if !self.options.keeps_between_moves {
            self.table.clear();
            self.forget_lists();
        }
        profile::take();
        profile::take_means();
    }

    fn finish(&mut self, board_bytes: usize, depth: usize) -> Stats {
        let mut stats = self.run.finish();
        let lists = self.lists.memory() + self.n_cached_moves * Space::MOVE_BYTES;
        stats.memory = self.table.memory() + self.evaluations.memory() + lists;
        let n_watched = if self.history.is_watched() { depth } else { 0 };
        stats.space = Space {
            boards: stats.depth().max(1) as usize + 1,
            board_bytes,
            history: self.history.n_boards() + n_watched,
            tables: stats.memory,
            ..stats.space
        };
        stats.parts = profile::take();
        stats.means = profile::take_means();
        stats
    }

    /// Keeps a position's moves, in place of the oldest if the cache is full.
    fn keep_list(&mut self, key: u64, moves: &[Move]) {
        let old = self.lists.insert(key, moves.into());
        self.n_cached_moves += moves.len();
        self.n_cached_moves -= old.map_or(0, |list| list.len());
    }

    fn forget_lists(&mut self) {
        self.lists.clear();
        self.n_cached_moves = 0;
    }

    /// A node's moves join the path.
    #[inline(always)]
    fn enter_moves(&mut self, n_moves: usize) {
        self.n_path_moves += n_moves;
        let stats = &mut self.run.stats;
        stats.shape.internal += 1;
        stats.shape.moves += n_moves as u64;
        stats.space.moves = stats.space.moves.max(self.n_path_moves);
    }

    /// And leave it.
    #[inline(always)]
    fn leave_moves(&mut self, n_moves: usize) {
        self.n_path_moves -= n_moves;
    }

    fn clear(&mut self) {
        self.table.clear();
        self.evaluations.clear();
        self.forget_lists();
        self.learned = Learned::default();
    }

    /// Sorts moves by the value of each child in the iteration before; unknown ones come last.
    fn sort_by_previous<G: Game>(&self, pos: &G, moves: &mut MoveList) {
        time(Part::Ordering, || {
            sort_by(moves, |m| {
                let entry = self.table.get(self.keys.key(&pos.after(m)));
                entry.map_or(Score::INFINITE, |entry| entry.score(0)).0.into()
            });
        });
    }

    /// Counts a leaf and stores its value, for the next iteration to sort by. A deeper entry stays.
    #[inline(always)]
    fn note_leaf<G: Game>(&mut self, pos: &G, score: Score, ply: u32) -> Score {
        self.run.stats.shape.leaves += 1;
        if !self.options.order.previous_iteration || self.history.is_watched() {
            return score;
        }
        let key = self.keys.key(pos);
        let is_known_deeper = self.table.get(key).is_some_and(|entry| 0 < entry.depth());
        if !is_known_deeper {
            self.table.insert(key, (score, Bound::Exact), None, 0, ply);
        }
        score
    }
}
