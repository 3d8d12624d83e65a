//! Progress of long work, as lines on the standard error.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Work that takes less than this reports nothing.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// The progress of one piece of work with a known number of steps.
pub struct Progress {
    noun: &'static str,
    n_steps: u64,
    n_done: u64,
    started: Instant,
    next_line: Instant,
}

impl Progress {
    /// Work that starts now; the noun, such as `games`, names its steps.
    pub fn new(noun: &'static str, n_steps: u64) -> Progress {
        let started = Instant::now();
        Progress { noun, n_steps, n_done: 0, started, next_line: started + PATIENCE }
    }

    /// One more step is done.
    pub fn step(&mut self) {
        self.n_done += 1;
        let now = Instant::now();
        if now < self.next_line || self.n_steps <= self.n_done {
            return;
        }
        self.next_line = now + BETWEEN_LINES;
        let Progress { noun, n_steps, n_done, .. } = self;
        let left = (now - self.started).as_secs_f64() * (*n_steps - *n_done) as f64 / *n_done as f64;
        // A closed standard error does not stop the work.
        let _ = writeln!(io::stderr(), "{n_done} of {n_steps} {noun}, {left:.0} s left");
    }
}
