//! Recipe `nnue`: the champion's evaluation, fitted to its own searches.
//!
//! A round plays games with the newest evaluation and fits a new one to the games of the last rounds. The target of a
//! position is a mixture of the search's score and the game's result. [`counts`] fits linear evaluations, [`train`] the
//! net beside them.

pub mod adam;
mod cachex;
pub mod counts;
pub mod games;
pub mod infexion;
pub mod learner;
pub mod play;
mod recipe;
pub mod samples;
mod tetress;
pub mod train;
mod trainee;

pub use recipe::INFO;
