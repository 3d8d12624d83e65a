//! What an agent may spend on a move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::settings::read_pairs;
use crate::{Settings, SpecError};

/// Limits of one move; an agent keeps all that are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time left for all moves of the game.
    pub clock: Option<Duration>,
}

impl Limits {
    /// These limits, with those of `others` where there are none of the same kind.
    pub fn or(self, others: Limits) -> Limits {
        Limits {
            depth: self.depth.or(others.depth),
            nodes: self.nodes.or(others.nodes),
            move_time: self.move_time.or(others.move_time),
            clock: self.clock.or(others.clock),
        }
    }

    /// The limits of one side of a match: its own, and those of the match that do not conflict with them.
    ///
    /// A side with any limit of its own does not take depth or nodes from the match; times are for all,
    /// except where it has one of the same kind.
    pub fn within(self, shared: Limits) -> Limits {
        let mut limits = self.or(shared);
        if self != Limits::default() {
            limits.depth = self.depth;
            limits.nodes = self.nodes;
        }
        limits
    }

    /// Whether a search is limited by work rather than time, so that it can be repeated exactly.
    pub fn is_fixed(&self) -> bool {
        let has_time = self.move_time.is_some() || self.clock.is_some();
        !has_time && (self.depth.is_some() || self.nodes.is_some())
    }
}

/// As in a spec: `depth=4,movetime=100ms`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |time: Duration| format!("{time:?}").replace('µ', "u");
        let limits = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.move_time.map(|limit| format!("movetime={}", time(limit))),
            self.clock.map(|limit| format!("clock={}", time(limit))),
        ];
        f.pad(&limits.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// Reads what `Display` writes; the empty text is no limit.
impl FromStr for Limits {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Limits, SpecError> {
        Ok(Settings::new(&[], &read_pairs(text)?)?.limits)
    }
}
