//! Agents, and the searches and evaluations that they are made of, once for every game.
//!
//! Read [`agent`] first: an [`Agent`] chooses moves within [`Limits`] and reports to a [`Watch`].
//! [`AlphaBeta`], [`Pvs`] and [`Mcts`] are the searches; the first two share the frame in [`search`]. What differs between
//! agents is data: an [`Evaluator`], the [`Tactics`] or [`MoveSource`](eval::MoveSource) that lists moves, and options.
//!
//! A search never prints, and reads the clock only to keep its limits.

pub mod agent;
pub mod alphabeta;
mod cache;
pub mod champion;
pub mod chance;
pub mod cost;
pub mod eval;
pub mod fault;
mod limits;
pub mod mcts;
mod memory;
pub mod net;
pub mod options;
pub mod profile;
pub mod prove;
pub mod pvs;
mod score;
pub mod search;
pub mod settings;
pub mod simple;
pub mod spec;
mod stop;
pub mod tactics;
pub mod time;
pub mod zero;

pub use agent::{Agent, Choice, Iteration, Progress, Stats, Watch};
pub use alphabeta::AlphaBeta;
pub use cache::Cache;
pub use chance::Curve;
pub use eval::{Evaluator, Term};
pub use fault::{AgentError, Failure, Fault, RefereeError};
pub use limits::Limits;
pub use mcts::Mcts;
pub use options::OptionInfo;
pub use pvs::Pvs;
pub use score::Score;
pub use search::{Bound, Entry, Table};
pub use settings::Settings;
pub use spec::{AgentInfo, AgentKind, AgentSpec, SpecError};
pub use stop::Stop;
pub use tactics::Tactics;
pub use time::Budget;
