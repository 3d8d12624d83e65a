//! An agent that shares out its clock.

use std::time::Duration;

use yarra_engine::{Agent, AgentError, Choice, Limits, Watch};
use yarra_games::{Move, Player, Record};

/// A search that would take all the time it is given, with only a share of the clock for each move, and
/// with limits where there are none.
pub struct Paced<A, F> {
    pub agent: A,
    pub complete: F,
}

/// A move may take this part of the time left; a search by depths begins no new one after half of it.
const SHARE: u32 = 12;

impl<A: Agent, F: Fn(Limits) -> Limits + Send> Agent for Paced<A, F> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.agent.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let mut limits = (self.complete)(limits);
        let share: Option<Duration> = limits.clock.map(|left| left / SHARE);
        limits.move_time = limits.move_time.into_iter().chain(share).min();
        self.agent.choose(game, limits, watch)
    }

    fn played(&mut self, game: &Record, m: Move) -> Result<(), AgentError> {
        self.agent.played(game, m)
    }

    fn end(&mut self, game: &Record) {
        self.agent.end(game);
    }
}
