//! The examination of a course agent before its submission.
//!
//! An [`Exam`] calls the agent at many positions and lets it play whole games. Its [`Report`] is a list of [`Check`]s,
//! each with what was found and how to fix it; drawing boards is up to the caller. Inside, `exam` decides what is
//! tried, `trials` runs it with an agent that `observed` watches, `positions` makes the test positions, `measurements`
//! and `move_times` compare what was used with the limits, `course_time` with those of the official classes, `repeats`
//! asks again, and `advice` says how to fix a failure.

mod advice;
mod course_time;
mod exam;
mod measurements;
mod move_times;
mod observed;
mod positions;
mod repeats;
mod trials;

use std::fmt;

use yarra_arena::Round;
use yarra_engine::{AgentSpec, Failure};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::Player;

use crate::{Allowance, Call};

pub use exam::{Exam, OnProgress, Opponent};

/// The result of an examination.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// All checks, in order.
    pub checks: Vec<Check>,
    /// Why some checks were skipped, if any were.
    pub cut_short: Option<String>,
    /// Whether the agent moved differently when it was asked again and nothing had changed.
    pub is_unsteady: bool,
}

impl Report {
    /// The number of checks with a status.
    pub fn count(&self, status: Status) -> usize {
        self.checks.iter().filter(|check| check.status == status).count()
    }

    /// Whether no check failed.
    pub fn is_ready(&self) -> bool {
        self.count(Status::Failed) == 0
    }
}

/// One thing that was checked.
#[derive(Clone, Debug)]
pub struct Check {
    /// What kind of check it is.
    pub group: Group,
    /// What was checked.
    pub name: String,
    /// The result.
    pub status: Status,
    /// What was found, in a sentence.
    pub found: String,
    /// How to fix it, unless all is well.
    pub fix: Option<String>,
    /// The failure in full, if there was one.
    pub evidence: Option<Evidence>,
}

/// The kinds of checks, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The package, its import and its class.
    Package,
    /// The methods of its class.
    Interface,
    /// Single moves at positions of all kinds.
    Positions,
    /// Whole games.
    Games,
    /// Time and memory.
    Resources,
    /// What is not a fault, but good to know.
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

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All is well.
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
    /// Its limits.
    pub allowance: Allowance,
    /// The moves before the failure.
    pub game: SavedGame,
    /// The call in which it failed.
    pub call: Call,
    /// The kind of failure.
    pub failure: Failure,
    /// The position, the message and the agent's output, as in saved games.
    pub fault: SavedFault,
    /// The opponent and the round, if it was a whole game, which a match can repeat.
    pub round: Option<(AgentSpec, Round)>,
}
