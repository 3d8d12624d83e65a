//! What an agent may spend on a move, and the watch over it.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::options::read_pairs;
use crate::{Settings, SpecError};

/// Limits of one move; an agent keeps all that are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at.
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

    /// The limits of one side of a match: its own, and those of the match that do not stand against them.
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

    /// Whether work rather than time ends a search, so that it can be repeated to the bit.
    pub fn is_fixed(&self) -> bool {
        let has_time = self.move_time.is_some() || self.clock.is_some();
        !has_time && (self.depth.is_some() || self.nodes.is_some())
    }

    /// The time after which a move must have been made, with a little left for making it.
    pub fn hard_time(&self) -> Option<Duration> {
        let clock = self.clock.map(|left| left.mul_f64(0.8));
        let hard = self.move_time.into_iter().chain(clock).min()?;
        Some(hard.saturating_sub(MARGIN.min(hard / 4)))
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

/// What the way from a search's last look at the clock to the played move may take.
const MARGIN: Duration = Duration::from_millis(1);

/// The limits of a search that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Instant,
    hard_time: Option<Duration>,
    nodes: u64,
    next_look: u64,
}

/// Looking at the clock costs as much as a node: look only so often.
const NODES_BETWEEN_LOOKS: u64 = 256;

impl Budget {
    /// A budget that runs from now on.
    pub fn start(hard_time: Option<Duration>, nodes: Option<u64>) -> Budget {
        Budget { started: Instant::now(), hard_time, nodes: nodes.unwrap_or(u64::MAX), next_look: 0 }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether it is time to look at the clock again.
    #[inline(always)]
    pub fn is_look_due(&self, nodes: u64) -> bool {
        self.next_look <= nodes || self.nodes <= nodes
    }

    /// Whether the search must stop now.
    pub fn is_spent(&mut self, nodes: u64) -> bool {
        self.next_look = nodes + NODES_BETWEEN_LOOKS;
        self.nodes <= nodes || self.hard_time.is_some_and(|hard| hard <= self.elapsed())
    }
}
