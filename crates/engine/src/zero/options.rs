//! What can be chosen about a search that an oracle guides.

use crate::{Limits, OptionInfo, Settings};

/// What can be chosen about a guided search.
#[derive(Clone, Copy, Debug)]
pub struct ZeroOptions {
    /// How the next move to simulate is chosen.
    pub method: Method,
    /// Gumbel: how many root moves are considered.
    pub n_considered: usize,
    /// Gumbel: added to the largest number of visits in the weight of values against logits.
    pub visit_offset: f64,
    /// Gumbel: the weight of values against logits for each visit.
    pub value_scale: f64,
    /// PUCT: the weight of exploration.
    pub exploration: f64,
    /// PUCT: how much less than its node an untried move counts, once all likely ones are tried.
    pub untried_reduction: f64,
    /// The scale of the Gumbel noise on the root's logits.
    pub noise: f32,
    /// Whether the tree is kept for the next move. With noise it is not.
    pub keeps_tree: bool,
    /// Simulations per move; `None` leaves it to the limits.
    pub simulations: Option<u64>,
}

/// How the next move to simulate is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By the improved policy; at the root by sequential halving.
    Gumbel,
    /// By the best bound of value and exploration.
    Puct,
}

impl Default for ZeroOptions {
    fn default() -> ZeroOptions {
        ZeroOptions {
            method: Method::Gumbel,
            n_considered: 16,
            visit_offset: 50.0,
            value_scale: 1.0,
            exploration: 1.5,
            untried_reduction: 0.25,
            noise: 0.0,
            keeps_tree: true,
            simulations: None,
        }
    }
}

impl ZeroOptions {
    /// The values of an agent's options.
    pub fn read(settings: &Settings) -> ZeroOptions {
        let simulations = settings.get("simulations");
        let is_puct = settings.get::<&str>("search") == "puct";
        ZeroOptions {
            method: if is_puct { Method::Puct } else { Method::Gumbel },
            n_considered: settings.get("considered"),
            exploration: settings.get("exploration"),
            noise: settings.get::<f64>("noise") as f32,
            keeps_tree: settings.get("reuse"),
            simulations: (0 < simulations).then_some(simulations),
            ..ZeroOptions::default()
        }
    }

    /// The simulations of one move, if their number is limited. A depth means nothing to them, but a game under a fixed
    /// depth must not depend on time.
    pub(super) fn n_simulations(&self, limits: Limits) -> Option<u64> {
        let without_time = limits.is_fixed().then_some(SIMULATIONS_WITHOUT_TIME);
        limits.nodes.or(self.simulations).or(without_time).map(|n| n.max(1))
    }
}

const SIMULATIONS_WITHOUT_TIME: u64 = 200;

/// The options of a guided search.
pub const SEARCH_OPTIONS: [OptionInfo; 6] = [
    OptionInfo::choice(
        "search",
        &["gumbel", "puct"],
        "gumbel",
        "selection by the improved policy with sequential halving (`gumbel`), or by bounds (`puct`)",
    ),
    OptionInfo::count("simulations", "0", "simulations per move; 0 leaves it to the limits"),
    OptionInfo::integer("considered", 1..=1024, "16", "root moves that sequential halving begins with"),
    OptionInfo::number("exploration", "1.5", "weight of exploration in `puct`").within(
        0.0,
        f64::MAX,
        "a number of at least 0",
    ),
    OptionInfo::number("noise", "0", "scale of the random noise on the root's logits").within(
        0.0,
        1000.0,
        "a number from 0 to 1000",
    ),
    OptionInfo::switch("reuse", "on", "keep the tree between moves, unless there is noise"),
];
