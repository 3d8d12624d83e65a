//! The limits of an external agent in a game.

use std::fmt;
use std::time::Duration;

use yarra_games::{CourseLimits, GameSpec};

/// What one external agent may use in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// CPU time of all its processes in all calls together; `None` for no limit.
    pub time: Option<Duration>,
    /// Memory of each process above that of its interpreter, in bytes; `None` for no limit.
    pub memory: Option<u64>,
    /// Wall-clock time for one call, so that an agent that only waits loses too.
    pub call: Duration,
}

const MEGABYTE: u64 = 1 << 20;

impl Allowance {
    /// The course's limits for a game.
    pub fn of_course(game: GameSpec) -> Allowance {
        let CourseLimits { time, megabytes, call } = (game.info().limits)(game.size());
        Allowance { time: Some(time), memory: Some(megabytes * MEGABYTE), call }
    }

    /// The memory limit in megabytes of 2^20 bytes, as the course counts them.
    pub fn megabytes(&self) -> Option<f64> {
        self.memory.map(|bytes| bytes as f64 / MEGABYTE as f64)
    }
}

/// As in saved games: `time=180s,memory=250MB,call=60s`.
impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map_or("none".to_owned(), |time| format!("{time:?}"));
        let memory = self.megabytes().map_or("none".to_owned(), |megabytes| format!("{megabytes}MB"));
        f.pad(&format!("time={time},memory={memory},call={:?}", self.call))
    }
}
