//! Tetress's champion: a selective search of the children with the best static evaluations.
//!
//! A position has hundreds of moves, and hardly any of them captures something: only the board after a move tells whether
//! it is good. So every child of a node is [evaluated](eval::Boards::features). That gives the order in which the best
//! children are searched and, at the last ply, the value. The deeper a node is searched, the more of its children are,
//! so that with time no move stays pruned.

pub mod eval;
mod options;
mod search;
mod thread;

use yarra_games::tetress::Tetress;
use yarra_games::{Player, Position, Record};

use self::eval::Evaluation;
use crate::agent::position_of;
use crate::search::threads::LazySmp;
use crate::spec::{Factory, expect_game, factory};
use crate::{Agent, AgentError, AgentInfo, Choice, Limits, Settings, SpecError, Term, Watch};
pub use options::{OPTIONS, TetressOptions};
use thread::TetressThread;

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "selective search on room and mobility, 1 s per move if no limit is given",
    source: "",
    differs: &[],
    options: OPTIONS,
    prepare,
}];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Tetress>("champion", pos)?;
    let options = TetressOptions::read(settings)?;
    Ok(factory(move |_| TetressChampion::new(options)))
}

/// The agent.
pub struct TetressChampion {
    evaluation: Evaluation,
    threads: LazySmp<TetressThread>,
}

impl TetressChampion {
    /// A champion with some techniques switched on.
    pub fn new(options: TetressOptions) -> TetressChampion {
        let thread = |table, abdada| TetressThread::new(options, table, abdada);
        let threads = LazySmp::new(options.threads, options.table_bytes, thread);
        TetressChampion { evaluation: Evaluation::new(&options.weights), threads }
    }
}

impl Agent for TetressChampion {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.threads.clear(TetressThread::clear);
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
        self.threads.lines(game, n_lines, limits, watch, TetressThread::run)
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        let terms = |pos| self.evaluation.terms(&pos);
        position_of::<Tetress>(game).map(terms).unwrap_or_default()
    }
}
