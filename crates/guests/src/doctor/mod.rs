//! What is wrong with a course agent, found out before the course does.
//!
//! An [`Exam`] calls the agent at many positions and lets it play whole games; its [`Report`] is a list of
//! [`Check`]s, each with what was found and what to mend. Whoever prints it draws the boards.

mod advice;
mod costs;
mod exam;
mod lab;
mod notebook;
mod patient;
mod scenes;

use std::fmt;

use yarra_arena::Round;
use yarra_engine::{AgentSpec, Failure};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::Player;

use crate::{Allowance, Call};

pub use exam::{Exam, Opponent, Tell};
pub use scenes::{Scene, scenes};

/// All that was found out about an agent.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was looked at, in order.
    pub checks: Vec<Check>,
    /// Why not everything was looked at, if so.
    pub cut_short: Option<String>,
}

impl Report {
    /// How many checks came out so.
    pub fn count(&self, status: Status) -> usize {
        self.checks.iter().filter(|check| check.status == status).count()
    }

    /// Whether nothing failed.
    pub fn is_ready(&self) -> bool {
        self.count(Status::Failed) == 0
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug)]
pub struct Check {
    /// What kind of thing it is.
    pub group: Group,
    /// What it is.
    pub name: String,
    /// How it came out.
    pub status: Status,
    /// What was found, in a sentence.
    pub found: String,
    /// What to do about it.
    pub mend: Option<String>,
    /// The game in which it was found.
    pub evidence: Option<Evidence>,
}

/// What kinds of things are looked at, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The package, its import and its class.
    Package,
    /// The class's methods.
    Interface,
    /// Moves at positions of all kinds.
    Positions,
    /// Whole games.
    Games,
    /// Time and memory.
    Resources,
    /// What is no fault but good to know.
    Habits,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Group::Package => "package",
            Group::Interface => "interface",
            Group::Positions => "positions",
            Group::Games => "games",
            Group::Resources => "resources",
            Group::Habits => "habits",
        })
    }
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// As it should be.
    Ok,
    /// It may cost games.
    Warning,
    /// It costs games.
    Failed,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Failed => "failed",
        })
    }
}

/// Where an agent failed, and how.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The agent's color.
    pub player: Player,
    /// What it was allowed.
    pub allowance: Allowance,
    /// The moves before the failure.
    pub game: SavedGame,
    /// What the agent was asked.
    pub call: Call,
    /// In which way it failed.
    pub failure: Failure,
    /// Its words, and those of others.
    pub fault: SavedFault,
    /// The opponent and the round, if it was a game of a match, which can be repeated.
    pub round: Option<(AgentSpec, Round)>,
}
