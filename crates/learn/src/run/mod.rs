//! Runs: training that can be killed at any moment and goes on where it was.
//!
//! A run is a sequence of rounds. A round depends on the plan, its number and the state after the round before, and on
//! nothing else. The state is saved after each round by one atomic replacement. What a killed round leaves behind is
//! made again, with the same bytes.

mod dir;
mod drive;
mod plan;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yarra_engine::net::{NetError, NetFile};
use yarra_engine::{OptionInfo, Settings, SpecError, Stop};
use yarra_files::FileError;
use yarra_games::{Move, Position};

pub use dir::{RunDir, Saved};
pub use drive::{Outcome, Runner, Working};
pub use plan::{Length, Plan};

use crate::ladder::Rung;

/// A way to train, in the middle of a run.
pub trait Recipe: Send {
    /// Does a round: plays, trains, perhaps measures. The same state and the same round give the same result, whatever
    /// the number of jobs.
    ///
    /// # Errors
    /// If the flag is raised, or the run cannot go on.
    fn round(&mut self, round: &Round<'_>) -> Result<Entry, RunError>;

    /// All that the next round depends on beside the shards: weights, optimizer, counters.
    fn state(&self) -> NetFile;

    /// The net to play with.
    fn net(&self) -> NetFile;

    /// Whether the recipe has come to its own end, before the plan's length is reached.
    fn is_complete(&self) -> bool {
        false
    }
}

/// A recipe by name.
#[derive(Clone, Copy)]
pub struct RecipeInfo {
    /// The name, such as `zero`.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The names of the games that it trains for.
    pub games: &'static [&'static str],
    /// The agent that plays with its nets.
    pub agent: &'static str,
    /// What can be set.
    pub options: &'static [OptionInfo],
    /// Begins a run, or goes on with the state that one has saved.
    pub begin: Begin,
    /// What to expect of a run on this machine with this number of threads. May compute for a second.
    pub estimate: fn(&Plan, &Settings, usize) -> Estimate,
    /// What one of its nets says about a position, for the report.
    pub view: fn(&NetFile, &dyn Position) -> Result<View, RunError>,
}

/// What to expect of a run on this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Games a minute of the whole run.
    pub games: f64,
    /// Positions for training a minute.
    pub positions: f64,
    /// The minutes of a round.
    pub round: f64,
    /// What runs have reached after a number of positions, in words.
    pub milestones: Vec<(u64, &'static str)>,
}

/// What a net says about a position, without search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The expected result for the player to move, from -1 to 1.
    pub value: f64,
    /// The probability of each legal move; empty if the net has no policy.
    pub policy: Vec<(Move, f64)>,
}

/// Begins a run of a recipe, or goes on with one.
pub type Begin = fn(&Plan, &Settings, Option<Saved<'_>>) -> Result<Box<dyn Recipe>, RunError>;

/// A round that is to be done.
pub struct Round<'a> {
    /// Its number, from 0.
    pub number: u64,
    /// The share of the run that is done, from 0 to 1, for schedules.
    pub share: f64,
    /// Whether the run ends with this round, as far as that is known before it.
    pub is_last: bool,
    /// The seed for this round alone.
    pub seed: u64,
    /// The number of threads to use.
    pub n_jobs: usize,
    /// Where the shards are.
    pub dir: &'a RunDir,
    /// Raised when the run is to stop.
    pub stop: &'a Stop,
    pub(crate) note: &'a (dyn Fn(&str, f64) + Sync),
}

impl Round<'_> {
    /// Tells how far a part of the round is, from 0 to 1. May be called from any thread.
    pub fn note(&self, what: &str, fraction: f64) {
        (self.note)(what, fraction);
    }
}

/// What a round has done: a line of the run's log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Games played in this round.
    pub games: u64,
    /// Positions for training that they gave.
    pub positions: u64,
    /// Figures by name, such as losses, in the order of the table.
    pub figures: Vec<(String, f64)>,
    /// Results against named opponents, if this round has measured them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ladder: Vec<Rung>,
    /// What a reader should know, such as that a net was discarded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// How the round's games went, for the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<(String, u64)>,
    /// The mean number of plies of the round's games.
    #[serde(default)]
    pub mean_plies: f64,
}

impl Entry {
    /// Adds a figure.
    pub fn figure(&mut self, name: &str, value: f64) {
        self.figures.push((name.to_owned(), value));
    }
}

/// A line of a run's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logged {
    /// The round.
    pub round: u64,
    /// The wall-clock minutes of the run up to its end.
    pub minutes: f64,
    /// What it has done.
    #[serde(flatten)]
    pub entry: Entry,
}

impl Logged {
    /// The time of the run up to the end of this round.
    pub fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(60.0 * self.minutes.max(0.0))
    }
}

/// Why a run does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// It was told to stop.
    Stopped,
    /// Something is wrong, in one line.
    Failed(String),
}

impl RunError {
    /// An error with a message.
    pub fn new(message: impl Into<String>) -> RunError {
        RunError::Failed(message.into())
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RunError::Stopped => "stopped",
            RunError::Failed(message) => message,
        })
    }
}

impl std::error::Error for RunError {}

impl From<NetError> for RunError {
    fn from(error: NetError) -> RunError {
        RunError::new(error.to_string())
    }
}

impl From<FileError> for RunError {
    fn from(error: FileError) -> RunError {
        RunError::new(error.to_string())
    }
}

impl From<SpecError> for RunError {
    fn from(error: SpecError) -> RunError {
        RunError::new(error.to_string())
    }
}
