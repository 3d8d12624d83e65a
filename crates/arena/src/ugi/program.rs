//! What an engine serves, and why serving can fail.

use std::collections::BTreeMap;
use std::{fmt, io};

use yarra_engine::{Agent, AgentError, Limits, SpecError};
use yarra_games::{GameSpec, Position};

use super::reply::EngineOption;

/// An engine to serve.
pub struct Program<'a> {
    /// Its name.
    pub name: String,
    /// Its author.
    pub author: String,
    /// The game that it plays, such as `cachex:9`. The size is that of `startpos`.
    pub game: GameSpec,
    /// Its options.
    pub options: Vec<EngineOption>,
    /// Makes the agent for a position's game with the chosen options, and returns its own limits too.
    pub make: &'a MakeAgent<'a>,
}

/// Makes an agent for the game of a position, from option values by name.
pub type MakeAgent<'a> =
    dyn Fn(&dyn Position, &BTreeMap<String, String>) -> Result<(Box<dyn Agent>, Limits), SpecError> + 'a;

/// Why an engine had to stop.
#[derive(Debug)]
pub enum ServeError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The agent cannot be made.
    Spec(SpecError),
    /// The agent failed.
    Agent(AgentError),
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> ServeError {
        ServeError::Io(error)
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Io(_) => f.write_str("cannot communicate with the match runner"),
            ServeError::Spec(error) => error.fmt(f),
            ServeError::Agent(error) => write!(f, "the agent failed: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServeError::Io(error) => Some(error),
            _ => None,
        }
    }
}
