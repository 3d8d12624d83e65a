//! What a course agent has used and done, for its examination.

use std::time::Duration;

/// A call of a course agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Call {
    /// The start of its process, before any call.
    #[default]
    Start,
    /// The import of its package.
    Import,
    /// Its constructor.
    Constructor,
    /// `turn` or `update`, which tells it a move.
    Turn,
    /// `action`, which asks it for a move.
    Action,
}

/// What a course agent has used and done so far.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// The last call.
    pub call: Call,
    /// Its class, as `module:Class`.
    pub class: String,
    /// CPU time of its import, which is off the clock.
    pub import: Duration,
    /// The number of bytes printed during its import.
    pub import_output: usize,
    /// CPU time of its constructor.
    pub constructor: Duration,
    /// CPU time on the clock.
    pub used: Duration,
    /// The highest memory of one process, in bytes.
    pub peak: u64,
    /// The number of bytes printed.
    pub n_output: usize,
    /// The present number of processes.
    pub n_processes: usize,
    /// The present number of threads in all of them.
    pub n_threads: usize,
}
