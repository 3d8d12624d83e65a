//! Agents: searches, people and programs on a pipe that choose moves.

use std::ops::ControlFlow;
use std::time::Duration;

use yarra_games::{Game, Move, Player, Record};

use crate::cost::{Shape, Space};
use crate::{AgentError, Failure, Limits, Score, Term, profile};

/// A player of one game, object-safe so that a match can seat any two.
pub trait Agent: Send {
    /// A game begins in which the agent plays `side`.
    ///
    /// # Errors
    /// If the agent cannot play it.
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        let _ = (side, game, limits);
        Ok(())
    }

    /// Chooses a move. The game is not over.
    ///
    /// # Errors
    /// If the agent fails; a search never does.
    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError>;

    /// MultiPV: the `n_lines` best lines, best first, or fewer if there are fewer moves or the agent knows only its own
    /// choice. The first line carries the cost of all. The game is not over.
    ///
    /// # Errors
    /// If the agent fails; a search never does.
    fn lines(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        let _ = n_lines;
        Ok(vec![self.choose(game, limits, watch)?])
    }

    /// Is told of every move, its own included, after it was played.
    ///
    /// # Errors
    /// If the agent fails.
    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        let _ = (game, choice);
        Ok(())
    }

    /// The game is over.
    fn end(&mut self, game: &Record) {
        let _ = game;
    }

    /// The terms of the agent's evaluation of the current position; empty if it has none. The game is not over.
    fn terms(&self, game: &Record) -> Vec<Term> {
        let _ = game;
        Vec::new()
    }
}

/// Observes a search and may cancel it: a progress bar, Ctrl-C, a closed browser tab.
pub type Watch<'a> = dyn FnMut(&Progress<'_>) -> ControlFlow<()> + 'a;

/// A watch that never cancels.
pub fn unwatched(_: &Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The progress of a search, reported after each iteration and now and then in between.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The rank of the line among several, 0 for the best.
    pub rank: usize,
    /// Plies that were fully searched, or the length of the best line of a tree; 0 if nothing is known yet.
    pub depth: u32,
    /// The score of the line for the player to move.
    pub score: Score,
    /// Positions searched.
    pub nodes: u64,
    /// The line so far.
    pub line: &'a [Move],
    /// Time since the search began.
    pub elapsed: Duration,
}

/// A chosen move, with what led to it.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The move in the agent's own notation where it may differ from ours, such as in the order of its cells.
    pub said: Option<String>,
    /// Its score, if the agent knows one.
    pub score: Option<Score>,
    /// The principal variation, beginning with the move.
    pub line: Vec<Move>,
    /// What it cost.
    pub stats: Stats,
}

impl From<Move> for Choice {
    fn from(mv: Move) -> Choice {
        Choice { mv, said: None, score: None, line: vec![mv], stats: Stats::default() }
    }
}

/// What a search did.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Positions searched.
    pub nodes: u64,
    /// Positions evaluated.
    pub evaluations: u64,
    /// Beta cutoffs.
    pub cutoffs: u64,
    /// Beta cutoffs by the first move.
    pub first_move_cutoffs: u64,
    /// Positions answered by the transposition table.
    pub table_hits: u64,
    /// Evaluations and move lists answered by a cache.
    pub cache_hits: u64,
    /// Playouts of a tree search.
    pub playouts: u64,
    /// One entry for each depth that was finished.
    pub iterations: Vec<Iteration>,
    /// Time used.
    pub elapsed: Duration,
    /// Time charged to the agent, where a clock other than that of its thread counts.
    pub charged: Option<Duration>,
    /// Bytes held by tables, caches and trees once the move is made.
    pub memory: usize,
    /// The shape of the tree of a search by depth; empty if it was not counted.
    pub shape: Shape,
    /// The most that a search by depth held at one time; empty if it was not counted.
    pub space: Space,
    /// Averages for the analysis of a report, if profiling is on.
    pub means: profile::Means,
    /// Where the time went, if profiling is on.
    pub parts: profile::Parts,
}

impl Stats {
    /// The depth that was finished.
    pub fn depth(&self) -> u32 {
        self.iterations.last().map_or(0, |iteration| iteration.depth)
    }

    /// The most bytes that the search held at one time, as far as it counts them.
    pub fn peak_memory(&self) -> usize {
        self.memory.max(self.space.total())
    }

    /// Adds what another thread did in the same search.
    pub fn add(&mut self, other: &Stats) {
        self.nodes += other.nodes;
        self.evaluations += other.evaluations;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.table_hits += other.table_hits;
        self.cache_hits += other.cache_hits;
        self.playouts += other.playouts;
        self.parts.add(&other.parts);
    }

    /// The effective branching factor: that of a full tree of the same depth with as many nodes.
    pub fn effective_branching(&self) -> Option<f64> {
        let last = self.iterations.last()?;
        Some((last.nodes as f64).powf(1.0 / f64::from(last.depth.max(1))))
    }
}

/// One finished depth of a search.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Plies.
    pub depth: u32,
    /// The score of the best line.
    pub score: Score,
    /// The best line.
    pub line: Vec<Move>,
    /// Positions searched in this iteration alone.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// The position of a game that an agent was made for.
///
/// # Errors
/// If it is another game, or another size of board.
pub fn position_of<G: Game>(game: &Record) -> Result<G, AgentError> {
    let pos = game.now();
    let wrong =
        || AgentError::new(Failure::Crash, format!("this agent plays {}, not {}", G::NAME, pos.spec()));
    (pos as &dyn std::any::Any).downcast_ref::<G>().copied().ok_or_else(wrong)
}
