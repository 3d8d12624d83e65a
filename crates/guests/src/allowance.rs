//! What an external agent may use in a game.

use std::fmt;
use std::time::Duration;

use yarra_games::{CourseLimits, GameSpec};

/// The limits of one agent in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// CPU time of all its processes, in all calls together.
    pub time: Option<Duration>,
    /// Memory of a process above what its interpreter needs, in bytes.
    pub memory: Option<u64>,
    /// Wall-clock time for one call. Without it an agent that waits would never end.
    pub call: Duration,
}

const MEGABYTE: u64 = 1 << 20;

impl Allowance {
    /// The limits of the course for a game.
    pub fn of_course(game: GameSpec) -> Allowance {
        let CourseLimits { time, megabytes, call } = (game.info().limits)(game.size());
        Allowance { time: Some(time), memory: Some(megabytes * MEGABYTE), call }
    }

    /// Memory in megabytes, as the course counts them.
    pub fn megabytes(&self) -> Option<f64> {
        self.memory.map(|bytes| bytes as f64 / MEGABYTE as f64)
    }
}

/// As files show it: `time=180s,memory=250MB,call=60s`.
impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map_or("none".to_owned(), |time| format!("{time:?}"));
        let memory = self.megabytes().map_or("none".to_owned(), |megabytes| format!("{megabytes}MB"));
        f.pad(&format!("time={time},memory={memory},call={:?}", self.call))
    }
}
