//! Training: agents that learn by playing.
//!
//! A [`Recipe`] is a way to train. [`run`] keeps one going: it calls it round by round, and saves after each round
//! what the next one depends on, so that a killed run goes on where it was. [`ladder`] measures an agent under
//! training against named opponents.

pub mod conv;
pub mod ladder;
pub mod nnue;
pub mod parallel;
pub mod raccoons;
mod recipes;
pub mod regression;
pub mod run;
pub mod selfplay;
pub mod zero;

pub use recipes::{RECIPES, recipe};
pub use run::{Entry, Estimate, Plan, Recipe, RecipeInfo, Round, RunDir, RunError};
