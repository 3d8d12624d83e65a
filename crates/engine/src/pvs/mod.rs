//! Principal variation search, the search of the Infexion, Cachex and Hex champions.
//!
//! What it must know about a game is a [`MoveSource`]: the evaluation, the captures, and scored quiet moves. Every
//! technique can be switched off by [`PvsOptions`], so that matches can measure what it is worth; with the selective
//! ones off the value is that of the whole tree.

pub(crate) mod options;
mod quiescence;
mod search;
mod thread;

use yarra_games::{Game, Player, Record};

use crate::agent::position_of;
use crate::eval::MoveSource;
use crate::search::threads::LazySmp;
use crate::{Agent, AgentError, Choice, Limits, Term, Watch};
pub use options::PvsOptions;
use thread::PvsThread;

/// The greatest depth before quiescence search.
pub const MAX_DEPTH: u32 = 48;
/// The greatest depth of quiescence search.
pub const MAX_QUIESCENCE: u32 = 16;
/// The length of the longest line.
const MAX_PLIES: u32 = MAX_DEPTH + MAX_QUIESCENCE;

/// An agent that plays by principal variation search.
pub struct Pvs<G: Game, E: MoveSource<G>> {
    pub(crate) source: E,
    threads: LazySmp<PvsThread<G>>,
}

impl<G: Game, E: MoveSource<G>> Pvs<G, E> {
    /// An agent with an evaluation and some techniques switched on.
    pub fn new(source: E, options: PvsOptions) -> Pvs<G, E> {
        let thread = |table, _| PvsThread::new(options, table);
        Pvs { source, threads: LazySmp::new(options.threads, options.table_bytes, thread) }
    }
}

impl<G: Game, E: MoveSource<G>> Agent for Pvs<G, E> {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.threads.clear(PvsThread::clear);
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        Ok(self.lines(game, 1, limits, watch)?.swap_remove(0))
    }

    fn lines(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        let source = &self.source;
        self.threads
            .lines(game, n_lines, limits, watch, |thread, task, watch| thread.run(source, task, watch))
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        position_of::<G>(game).map(|pos| self.source.terms(&pos)).unwrap_or_default()
    }
}
