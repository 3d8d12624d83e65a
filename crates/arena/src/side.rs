//! An agent at the board, with its limits and its clock.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use yarra_engine::time::{by_cpu_time, thread_time};
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Watch};
use yarra_games::{Player, Record};

/// An agent that plays one color in one game.
pub struct Side {
    agent: Box<dyn Agent>,
    /// Its clock is the time left.
    limits: Limits,
}

/// A move that was made in time.
pub struct Turn {
    /// What the agent chose, and why.
    pub choice: Choice,
    /// The time charged for it: CPU time of the thread, or what an external agent used.
    pub time: Duration,
}

/// The tolerance for work outside the search, such as allocating or freeing a tree.
const TOLERANCE: Duration = Duration::from_millis(100);

impl Side {
    /// An agent with its limits for a game.
    pub fn new(agent: Box<dyn Agent>, limits: Limits) -> Side {
        Side { agent, limits }
    }

    /// A game begins.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn begin(&mut self, color: Player, game: &Record) -> Result<(), AgentError> {
        let limits = self.limits;
        guarded(|| self.agent.begin(color, game, limits))
    }

    /// Lets the agent choose and deducts the time from its clock.
    ///
    /// # Errors
    /// What the agent did wrong, or why the referee could not ask it. A clock that has run out stays at zero.
    pub fn choose(&mut self, game: &Record, watch: &mut Watch<'_>) -> Result<Turn, AgentError> {
        let limits = self.limits;
        let started = thread_time();
        // Not wall-clock time: no agent loses a game, or thinks less, because the machine is busy.
        let choice = guarded(|| by_cpu_time(|| self.agent.choose(game, limits, watch)));
        let own_time = thread_time().saturating_sub(started);
        let choice = choice?;
        let time = choice.stats.charged.unwrap_or(own_time);
        self.limits.clock = limits.clock.map(|left| left.saturating_sub(time));
        let allowed = limits.move_time.map(|limit| limit + TOLERANCE).into_iter().chain(limits.clock).min();
        if let Some(allowed) = allowed.filter(|&allowed| allowed < time) {
            let allowed = limits.move_time.map_or(allowed, |limit| limit.min(allowed));
            return Err(AgentError::new(Failure::Time, format!("{time:.3?} used of {allowed:.3?}")));
        }
        if !game.legal_moves().contains(&choice.mv) {
            let message = format!("move number {} at {}", choice.mv.0, game.now());
            return Err(AgentError::new(Failure::IllegalMove, message));
        }
        Ok(Turn { choice, time })
    }

    /// A move was made.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        guarded(|| self.agent.played(game, choice))
    }

    /// The game is over.
    pub fn end(&mut self, game: &Record) {
        // Nothing can change the result any more.
        let _ = guarded(|| {
            self.agent.end(game);
            Ok(())
        });
    }
}

/// Runs a call of an agent. A panic is a fault of the agent and ends its game only.
pub(crate) fn guarded<T>(call: impl FnOnce() -> Result<T, AgentError>) -> Result<T, AgentError> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        Err(panic) => Err(AgentError::new(Failure::Crash, format!("panic: {}", message_of(&*panic)))),
    }
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
