//! How a course agent is doing, for whoever examines it.

use std::time::Duration;

/// What is asked of a course agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Call {
    /// Nothing yet: its process starts.
    #[default]
    Start,
    /// To be imported.
    Import,
    /// To be constructed.
    Constructor,
    /// To hear of a move, by `turn` or `update`.
    Turn,
    /// To move.
    Action,
}

/// What a course agent has used and done so far.
#[derive(Clone, Debug, Default)]
pub struct Vitals {
    /// What it was asked last.
    pub call: Call,
    /// Its class with the module in which that stands.
    pub class: String,
    /// CPU time of its import, which no clock counts.
    pub import: Duration,
    /// Bytes that it wrote while it was imported.
    pub import_output: usize,
    /// CPU time of its constructor.
    pub constructor: Duration,
    /// CPU time that counted so far.
    pub used: Duration,
    /// The most memory of a process so far, in bytes.
    pub peak: u64,
    /// Bytes that it wrote for people.
    pub n_output: usize,
    /// Its processes now.
    pub n_processes: usize,
    /// The threads of all of them.
    pub n_threads: usize,
}
