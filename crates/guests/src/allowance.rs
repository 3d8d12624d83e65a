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
    /// Wall-clock time for all calls of a game; `None` for no limit.
    pub game: Option<Duration>,
}

const MEGABYTE: u64 = 1 << 20;

impl Allowance {
    /// The course's limits for a game.
    pub fn of_course(game: GameSpec) -> Allowance {
        let CourseLimits { time, megabytes, call } = (game.info().limits)(game.size());
        let (memory, game) = (Some(megabytes * MEGABYTE), Allowance::usual_game(Some(time)));
        Allowance { time: Some(time), memory, call, game }
    }

    /// The wall-clock time for a game that goes with a CPU time: far more than an agent needs that computes, even on a
    /// busy machine, but less than one could sleep away call by call.
    pub fn usual_game(time: Option<Duration>) -> Option<Duration> {
        time.map(|time| 10 * time + Duration::from_secs(60))
    }

    /// The memory limit in megabytes of 2^20 bytes, as the course counts them.
    pub fn megabytes(&self) -> Option<f64> {
        self.memory.map(|bytes| bytes as f64 / MEGABYTE as f64)
    }
}

/// As in saved games: `time=180s,memory=250MB,call=60s`, with `game` only if it is not the usual time.
impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map_or("none".to_owned(), |time| format!("{time:?}"));
        let memory = self.megabytes().map_or("none".to_owned(), |megabytes| format!("{megabytes}MB"));
        let game = match self.game {
            game if game == Allowance::usual_game(self.time) => String::new(),
            game => game.map_or(",game=none".to_owned(), |game| format!(",game={game:?}")),
        };
        f.pad(&format!("time={time},memory={memory},call={:?}{game}", self.call))
    }
}
