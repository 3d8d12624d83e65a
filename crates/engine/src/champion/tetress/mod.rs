//! Tetress's champion: a selective search of the children that look best.
//!
//! Hundreds of moves, hardly any of which takes something: what tells them apart is how the board looks
//! afterwards. So every child of a node is [looked at](eval::Boards::look), that is the order in which the best of them
//! are searched, and at the last ply it is the value. The deeper a node is searched, the more of its children
//! are, so that with time nothing is left out for good.

pub mod eval;
mod options;
mod search;

use yarra_games::tetress::Tetress;
use yarra_games::{Player, Position, Record};

use self::eval::Evaluation;
use super::threads::Team;
use crate::agent::position_of;
use crate::spec::{Factory, expect_game, factory};
use crate::{Agent, AgentError, AgentInfo, Choice, Limits, Settings, SpecError, Term, Watch};
pub use options::{OPTIONS, Options};
use search::Search;

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "deep search of the moves that leave most room; 1 s unless a limit says otherwise",
    source: "",
    options: OPTIONS,
    prepare,
}];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Tetress>("champion", pos)?;
    let options = Options::read(settings);
    Ok(factory(move |_| Champion::new(options)))
}

/// The agent.
pub struct Champion {
    evaluation: Evaluation,
    team: Team<Search>,
}

impl Champion {
    /// A champion with some parts switched on.
    pub fn new(options: Options) -> Champion {
        let team =
            Team::new(options.threads, options.table_bytes, |table, busy| Search::new(options, table, busy));
        Champion { evaluation: Evaluation::new(options.weights), team }
    }
}

impl Agent for Champion {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.team.forget(Search::forget);
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
        self.team.lines(game, n_lines, limits, watch, Search::run)
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        let terms = |pos| self.evaluation.terms(&pos);
        position_of::<Tetress>(game).map(terms).unwrap_or_default()
    }
}
