//! The limits of a move in the protocol: the words after `go`.

use std::fmt;
use std::time::Duration;

use yarra_engine::Limits;
use yarra_engine::time::n_moves_planned;
use yarra_games::{ByPlayer, ParseError, Position};

/// The limits of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The time left to each player.
    pub times: ByPlayer<Option<Duration>>,
    /// The increment of each player per move.
    pub increments: ByPlayer<Option<Duration>>,
    /// Whether to answer only after `stop`.
    pub is_infinite: bool,
}

impl Go {
    /// Parses the words after `go`.
    pub(super) fn read(words: &[&str]) -> Result<Go, ParseError> {
        let mut go = Go::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            if word == "infinite" {
                go.is_infinite = true;
                continue;
            }
            let number = words.next().copied().unwrap_or_default();
            let wrong = || ParseError::new(format!("a number after `go {word}`"), number);
            let time = || {
                // Some runners send negative clock times.
                let time = number.parse::<i64>().map_err(|_| wrong())?;
                Ok(Some(Duration::from_millis(time.max(0).unsigned_abs())))
            };
            match word {
                "depth" => go.depth = Some(number.parse().map_err(|_| wrong())?),
                "nodes" => go.nodes = Some(number.parse().map_err(|_| wrong())?),
                "movetime" => go.move_time = time()?,
                "p1time" => go.times.red = time()?,
                "p2time" => go.times.blue = time()?,
                "p1inc" => go.increments.red = time()?,
                "p2inc" => go.increments.blue = time()?,
                _ => {
                    let expected = "`go` with `movetime`, `nodes`, `depth`, `p1time`, `p2time`, `p1inc`, \
                                    `p2inc` or `infinite`";
                    return Err(ParseError::new(expected, word));
                }
            }
        }
        Ok(go)
    }

    /// The limits of the player to move.
    pub fn limits(&self, pos: &dyn Position) -> Limits {
        let mover = pos.turn();
        let increment = self.increments[mover].unwrap_or_default();
        let clock = self.times[mover].map(|left| in_hand(left, increment, pos));
        // Without any limit the agent would use its own default, which may be short.
        let forever = self.is_infinite.then_some(FOREVER);
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time.or(forever.filter(|_| clock.is_none())),
            clock,
        }
    }
}

/// Practically unlimited, but without overflow in arithmetic.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// The remaining time plus the increments of future moves. An agent may use four fifths of its clock for a single
/// move and must not spend increments that it does not have yet, so at most a fifth is added.
fn in_hand(left: Duration, increment: Duration, pos: &dyn Position) -> Duration {
    left + (increment * u32::from(n_moves_planned(pos).saturating_sub(1))).min(left / 5)
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let times = [
            ("movetime", self.move_time),
            ("p1time", self.times.red),
            ("p2time", self.times.blue),
            ("p1inc", self.increments.red),
            ("p2inc", self.increments.blue),
        ];
        for (word, time) in times {
            if let Some(time) = time {
                write!(f, " {word} {}", time.as_millis())?;
            }
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        f.write_str(if self.is_infinite { " infinite" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::{read, start};

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[track_caller]
    fn limits(line: &str, pos: &dyn Position) -> Limits {
        let words: Vec<_> = line.split_whitespace().skip(1).collect();
        Go::read(&words).unwrap().limits(pos)
    }

    #[test]
    fn each_player_has_a_clock() {
        let red = start("hex:3").unwrap();
        let blue = read("hex:3", "r../.../... b 1").unwrap();
        let line = "go p1time 1000 p2time 2000";
        assert_eq!(limits(line, &*red).clock, Some(1000 * MS));
        assert_eq!(limits(line, &*blue).clock, Some(2000 * MS));
        assert_eq!(limits("go p2time 2000", &*red), Limits::default());
        assert_eq!(limits("go p1time -5", &*red).clock, Some(Duration::ZERO));
    }

    #[test]
    fn increments_add_at_most_a_fifth_to_the_clock() {
        let start = start("infexion").unwrap();
        assert_eq!(limits("go p1time 60000 p1inc 100", &*start).clock, Some(62_400 * MS));
        assert_eq!(limits("go p1time 1000 p1inc 5000", &*start).clock, Some(1200 * MS));
        let last =
            read("infexion", "......./...r1.../......./......./......./......./b1r1..... r 342").unwrap();
        assert_eq!(limits("go p1time 60000 p1inc 100", &*last).clock, Some(60_000 * MS));
    }

    #[test]
    fn infinite_overrides_the_default_of_an_agent() {
        let start = start("hex:3").unwrap();
        let time = |line| limits(line, &*start).move_time;
        assert_eq!(time("go infinite"), Some(FOREVER));
        assert_eq!(time("go infinite movetime 5"), Some(5 * MS));
        assert_eq!(time("go infinite p1time 5"), None);
        assert_eq!(time("go"), None);
    }
}
