//! What differs between the games that recipe `nnue` trains for.

use fastrand::Rng;
use yarra_engine::net::NetFile;
use yarra_engine::{Agent, Settings, Stop};
use yarra_games::Position;

use super::games::PlayedGame;
use super::play::PlayPlan;
use crate::ladder::Opponent;
use crate::run::View;
use crate::{Plan, RunError};

/// An evaluation under training.
pub trait Learner: Send + Sync {
    /// The start position of a game by its number in its round.
    fn start(&self, index: usize) -> Box<dyn Position>;

    /// How games on a board of this size are played.
    fn plan(&self, size: u8) -> PlayPlan;

    /// The champion with the evaluation as it is now.
    fn agent(&self, start: &dyn Position) -> Result<Box<dyn Agent>, RunError>;

    /// Fits the evaluation to games and returns figures by name.
    fn learn(&mut self, lesson: &Lesson<'_>) -> Result<Vec<(&'static str, f64)>, RunError>;

    /// Adds all that the next round depends on to a file.
    fn write_state(&self, file: &mut NetFile);

    /// Adds what the champion reads to a file.
    fn write_net(&self, file: &mut NetFile);

    /// Opponents to measure against.
    fn opponents(&self) -> &'static [Opponent];
}

/// Games to learn from.
pub struct Lesson<'a> {
    /// To fit to.
    pub games: &'a [PlayedGame],
    /// To measure by: every tenth game.
    pub held_out: &'a [PlayedGame],
    /// The share of the run that is done, for schedules.
    pub share: f64,
    /// The seed of this round.
    pub seed: u64,
    /// Raised when the run is to stop.
    pub stop: &'a Stop,
}

impl Lesson<'_> {
    /// A generator for this round's training.
    pub fn generator(&self) -> Rng {
        Rng::with_seed(self.seed)
    }
}

/// What a recipe for one game is made of.
pub struct Subject {
    /// The game.
    pub game: &'static str,
    /// Begins, or goes on with what a state holds.
    pub begin: Begin,
    /// What an evaluation in a file says about a position.
    pub view: fn(&NetFile, &dyn Position) -> Result<View, RunError>,
}

/// Begins to learn by a recipe's settings, or goes on.
pub type Begin = fn(&Plan, &Settings, Option<&NetFile>) -> Result<Box<dyn Learner>, RunError>;

/// A score in hundredths as the expected result from -1 to 1.
pub fn view_of(score: i32, scale: f64) -> View {
    View { value: (f64::from(score) / scale / 2.0).tanh(), policy: Vec::new() }
}
