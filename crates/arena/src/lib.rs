//! Games between agents: the referee, matches, statistics, reviews and the UGI protocol.
//!
//! A [`Side`] is an agent with its limits and its clock. [`play`] referees one game. A [`MatchSpec`] is a match as
//! data, and a [`Match`] adds the agents and runs it, with colors swapped on each opening. A [`Standing`] counts what
//! was played, and a [`Tally`] turns results into Elo. An agent that misbehaves loses its game; that is never an
//! error. What the referee itself cannot do is one, and no agent loses by it.

pub mod explain;
mod matches;
mod openings;
mod referee;
pub mod review;
mod round;
pub mod session;
mod side;
mod spec;
mod standing;
mod stats;
pub mod traps;
pub mod ugi;

pub use matches::{Finished, InOrder, Job, Maker, Match, News, Seat};
pub use openings::Openings;
pub use referee::{Event, Played, play};
pub use round::Round;
pub use side::{Side, Turn};
pub use spec::MatchSpec;
pub use standing::{Costs, GameFault, GameResult, Standing};
pub use stats::{Elo, Tally};
