//! An agent at the board, with its limits and its clock.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use yarra_engine::{Agent, AgentError, Choice, Limits, Watch};
use yarra_games::{Move, MoveList, Player, Record};

/// Who moves for one color in one game.
pub struct Side {
    agent: Box<dyn Agent>,
    /// The clock in it is the time left.
    limits: Limits,
}

/// A move that was made in time.
pub struct Turn {
    /// What the agent chose, and why.
    pub choice: Choice,
    /// How long it took on the wall's clock.
    pub time: Duration,
}

/// Why an agent has lost, whatever stands on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not go on.
    Crash(AgentError),
    /// It took longer than it was allowed.
    Time {
        /// The time that its move took.
        used: Duration,
        /// The time that it had.
        allowed: Duration,
    },
    /// Its move is not legal.
    Illegal(Move),
}

impl Fault {
    /// The word that files use.
    pub fn reason(&self) -> &'static str {
        match self {
            Fault::Crash(_) => "crash",
            Fault::Time { .. } => "time",
            Fault::Illegal(_) => "illegal_move",
        }
    }

    /// The same for people.
    pub fn note(&self, game: &Record) -> String {
        match self {
            Fault::Crash(error) => error.to_string(),
            Fault::Time { used, allowed } => format!("{used:.3?} used of {allowed:.3?}"),
            Fault::Illegal(m) => format!("move number {} at {}", m.0, game.now()),
        }
    }
}

impl From<AgentError> for Fault {
    fn from(error: AgentError) -> Fault {
        Fault::Crash(error)
    }
}

/// A machine with other work can hold up a move by so much; no agent gains from what is no time to think.
const TOLERANCE: Duration = Duration::from_millis(100);

impl Side {
    /// An agent with its limits for a whole game.
    pub fn new(agent: Box<dyn Agent>, limits: Limits) -> Side {
        Side { agent, limits }
    }

    /// A game begins.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn begin(&mut self, color: Player, game: &Record) -> Result<(), Fault> {
        let limits = self.limits;
        guarded(|| self.agent.begin(color, game, limits))
    }

    /// Lets the agent choose, and takes the time off its clock.
    ///
    /// # Errors
    /// What the agent did wrong; a clock that has run out stays so.
    pub fn choose(&mut self, game: &Record, watch: &mut Watch<'_>) -> Result<Turn, Fault> {
        let limits = self.limits;
        let started = Instant::now();
        let choice = guarded(|| self.agent.choose(game, limits, watch));
        let time = started.elapsed();
        let choice = choice?;
        self.limits.clock = limits.clock.map(|left| left.saturating_sub(time));
        let allowed = limits.move_time.map(|limit| limit + TOLERANCE).into_iter().chain(limits.clock).min();
        if let Some(allowed) = allowed.filter(|&allowed| allowed < time) {
            let allowed = limits.move_time.map_or(allowed, |limit| limit.min(allowed));
            return Err(Fault::Time { used: time, allowed });
        }
        let mut legal = MoveList::new();
        game.now().legal_moves(&mut legal);
        if !legal.contains(&choice.mv) {
            return Err(Fault::Illegal(choice.mv));
        }
        Ok(Turn { choice, time })
    }

    /// A move was made.
    ///
    /// # Errors
    /// If the agent fails.
    pub fn played(&mut self, game: &Record, m: Move) -> Result<(), Fault> {
        guarded(|| self.agent.played(game, m))
    }

    /// The game is over.
    pub fn end(&mut self, game: &Record) {
        // Whatever happens now, the game has its result.
        let _ = guarded(|| {
            self.agent.end(game);
            Ok(())
        });
    }
}

/// An agent that panics has lost its game, not everybody's match.
fn guarded<T>(call: impl FnOnce() -> Result<T, AgentError>) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(Fault::Crash),
        Err(panic) => Err(AgentError { message: format!("panic: {}", words_of(&*panic)) }.into()),
    }
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without words")
}
