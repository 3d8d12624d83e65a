//! Who is stronger: one game between two agents with clocks, a match, and the Elo that it shows.
//!
//! A [`Side`] is an agent with its limits and its clock, [`play`] the referee of one game, a [`Match`] many
//! games with colors swapped on each opening, a [`Tally`] what they came to. Agents misbehave: that is a
//! lost game with its reason, never an error.

mod matches;
mod openings;
mod referee;
pub mod review;
mod side;
mod stats;
pub mod traps;
pub mod ugi;

pub use matches::{Finished, Job, Maker, Match, News, Seat};
pub use openings::Openings;
pub use referee::{Event, Played, play};
pub use side::{Fault, Side, Turn, thread_time};
pub use stats::{Elo, Tally};
