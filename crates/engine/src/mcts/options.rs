//! What can be chosen about a search by playouts: declared once for all agents that use it.

use std::time::Duration;

use super::Rollout;
use crate::{Limits, OptionInfo, Settings};

/// What can be chosen about a search by playouts.
#[derive(Clone, Copy, Debug)]
pub struct MctsOptions {
    /// Weight of exploration over exploitation in UCT.
    pub exploration: f64,
    /// How a game goes on beyond the tree.
    pub rollout: Rollout,
    /// Plies after which a rollout is evaluated instead of played on; `None` plays to the end.
    pub cut_after: Option<u32>,
    /// The evaluation, in units, that counts as winning three times out of four.
    pub scale: f64,
    /// Which leaf grows next.
    pub select: Select,
    /// Whether the tree is kept for the next move.
    pub keeps_tree: bool,
    /// Whether proven results are passed up.
    pub solves: bool,
    /// Playouts per move; `None` leaves it to the time.
    pub playouts: Option<u64>,
    /// Time per move, where neither playouts nor the limits say how long.
    pub think_time: Duration,
    /// The tree grows to at most this many nodes.
    pub max_nodes: usize,
}

/// Which leaf grows next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// From the root down, the child with the best bound at each step (UCT).
    Descent,
    /// The best leaf of all, from a queue whose entries change as results come in.
    Queue,
}

impl Default for MctsOptions {
    fn default() -> MctsOptions {
        MctsOptions {
            exploration: std::f64::consts::SQRT_2,
            rollout: Rollout::Random,
            cut_after: None,
            scale: 10.0,
            select: Select::Descent,
            keeps_tree: true,
            solves: true,
            playouts: None,
            think_time: Duration::from_millis(500),
            max_nodes: 4_000_000,
        }
    }
}

impl MctsOptions {
    /// The values of the options that an agent declares, and the defaults of all others.
    pub fn read(settings: &Settings) -> MctsOptions {
        let usual = MctsOptions::default();
        let (cut, playouts) = (settings.get_or("cut", 0), settings.get_or("playouts", 0));
        let is_queue = settings.get_or("queue", settings.get_or("select", "descent") == "queue");
        MctsOptions {
            exploration: settings.get_or("exploration", usual.exploration),
            rollout: match settings.get_or("rollout", "random") {
                "greedy" => Rollout::Greedy,
                "minimax" => Rollout::Minimax,
                _ => Rollout::Random,
            },
            cut_after: (0 < cut).then_some(cut),
            scale: settings.get_or("scale", usual.scale),
            select: if is_queue { Select::Queue } else { Select::Descent },
            keeps_tree: settings.get_or("reuse", usual.keeps_tree),
            solves: settings.get_or("solve", usual.solves),
            playouts: (0 < playouts).then_some(playouts),
            think_time: settings.get_or("think", usual.think_time),
            max_nodes: settings.get_or("size", usual.max_nodes),
        }
    }

    /// The limits of one move. A depth means nothing to playouts, but a game under a fixed depth must not depend on
    /// time.
    pub(super) fn bounded(&self, limits: Limits) -> Limits {
        let is_bounded = limits.nodes.is_some() || self.playouts.is_some();
        if is_bounded || !limits.is_fixed() {
            return limits;
        }
        Limits { nodes: Some(PLAYOUTS_WITHOUT_TIME), ..limits }
    }
}

const PLAYOUTS_WITHOUT_TIME: u64 = 1000;

/// Playouts per move.
pub const PLAYOUTS: OptionInfo =
    OptionInfo::count("playouts", "0", "playouts per move; 0 leaves it to the limits");
/// Weight of exploration.
pub const EXPLORATION: OptionInfo = OptionInfo::number(
    "exploration",
    "1.4142",
    "weight of exploration over exploitation in UCT",
)
.within(0.0, f64::MAX, "a number of at least 0");
/// How rollouts choose moves.
pub const ROLLOUT: OptionInfo = OptionInfo::choice(
    "rollout",
    &["random", "greedy", "minimax"],
    "random",
    "moves of rollouts: `random`, `greedy` (the largest capture), or `minimax` (to depth 2)",
);
/// When rollouts end early.
pub const CUT: OptionInfo =
    OptionInfo::count("cut", "0", "evaluate rollouts after this many plies; 0 plays them to the end");
/// The unit of evaluations.
pub const SCALE: OptionInfo =
    OptionInfo::number("scale", "10", "evaluation that counts as a winning probability of 75 %").above_zero();
/// How leaves are selected.
pub const SELECT: OptionInfo = OptionInfo::choice(
    "select",
    &["descent", "queue"],
    "descent",
    "selection of leaves: by `descent` from the root (UCT), or from a priority `queue`",
);
/// The same as a switch.
pub const QUEUE: OptionInfo =
    OptionInfo::switch("queue", "on", "select leaves from a priority queue instead of by descent");
/// Whether the tree is kept.
pub const REUSE: OptionInfo = OptionInfo::switch("reuse", "on", "keep the tree between moves");
/// Whether results are proven.
pub const SOLVE: OptionInfo = OptionInfo::switch("solve", "on", "propagate proven wins, losses and draws");
/// How long to think.
pub const THINK: OptionInfo = OptionInfo::time("think", "500ms", "time per move if no limit is given");
/// How large the tree gets.
pub const SIZE: OptionInfo =
    OptionInfo::integer("size", 1..=u32::MAX as i64, "4000000", "maximum number of tree nodes");
