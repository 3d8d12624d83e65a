//! An agent that shares out its clock.

use std::time::Duration;

use yarra_engine::{Agent, AgentError, Choice, Limits, Term, Watch};
use yarra_games::{Player, Position, Record};

/// A search that would take all the time it is given, with only a share of the clock for each move, and
/// with limits where there are none.
pub struct Paced<A, F> {
    pub agent: A,
    pub complete: F,
}

/// The time left is shared among so many moves of one's own, or as many as can still come.
const MOVES_AHEAD: u16 = 25;

/// The time for the next move, of what is left for all.
fn share(left: Duration, pos: &dyn Position) -> Duration {
    let n_plies_left = pos.turn_limit().saturating_sub(pos.ply());
    left / u32::from(n_plies_left.div_ceil(2).clamp(1, MOVES_AHEAD))
}

impl<A: Agent, F: Fn(Limits) -> Limits + Send> Agent for Paced<A, F> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.agent.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let mut limits = (self.complete)(limits);
        let share = limits.clock.map(|left| share(left, game.now()));
        limits.move_time = limits.move_time.into_iter().chain(share).min();
        self.agent.choose(game, limits, watch)
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        self.agent.played(game, choice)
    }

    fn end(&mut self, game: &Record) {
        self.agent.end(game);
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        self.agent.terms(game)
    }
}
