//! The evaluation of report 000: space, and the quality of the space.

use yarra_engine::eval::{Judge, Term, sum_of};
use yarra_engine::{OptionInfo, Score, Settings};
use yarra_games::cpu::fastest;
use yarra_games::infexion::Infexion;
use yarra_games::infexion::cells::ALL_CELLS;
use yarra_games::{Player, Position};

use super::clusters::{Clusters, dominance};

/// The weights of the report's four terms, and of one more of its team's program.
pub const OPTIONS: [OptionInfo; 5] = [
    OptionInfo::number("quantity", "2", "weight of a stack"),
    OptionInfo::number("power", "1.6", "weight of a point of power"),
    OptionInfo::number(
        "quantity_dominance",
        "1.55",
        "weight of a cluster with more stacks than an adjacent opposing one",
    ),
    OptionInfo::number(
        "power_dominance",
        "0.85",
        "weight of a cluster with more power than an adjacent opposing one",
    ),
    OptionInfo::number("clusters", "0", "weight of a cluster"),
];

/// Report 000, Evaluation Function: a weight for stacks, power, and dominating clusters by both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of a stack.
    pub quantity: f64,
    /// Of a point of power.
    pub power: f64,
    /// Of a cluster with more stacks than an opposing one that it touches.
    pub quantity_dominance: f64,
    /// Of a cluster with more power than an opposing one that it touches.
    pub power_dominance: f64,
    /// Of a cluster: not in the report, but in its team's program.
    pub clusters: f64,
}

impl Weights {
    /// The weights that settings give.
    pub fn read(settings: &Settings) -> Weights {
        Weights {
            quantity: settings.get("quantity"),
            power: settings.get("power"),
            quantity_dominance: settings.get("quantity_dominance"),
            power_dominance: settings.get("power_dominance"),
            clusters: settings.get("clusters"),
        }
    }

    #[inline(always)]
    fn all(&self, pos: &Infexion) -> [Term; 5] {
        let quantity = Player::BOTH.map(|player| pos.cells_of(player).count_ones());
        let power = Player::BOTH.map(|player| pos.power_of(player));
        let dominance = dominance(pos);
        // Not counted where it weighs nothing: most clusters need not be found otherwise.
        let clusters = if self.clusters == 0.0 { [0; 2] } else { n_clusters(pos) };
        let term = |name, weight, counts: [u32; 2]| {
            let [red, blue] = counts.map(f64::from);
            Term { name, red, blue, weight }
        };
        [
            term("stacks", self.quantity, quantity),
            term("power", self.power, power),
            term("clusters with more stacks", self.quantity_dominance, dominance.by_quantity),
            term("clusters with more power", self.power_dominance, dominance.by_power),
            term("clusters", self.clusters, clusters),
        ]
    }
}

impl Default for Weights {
    /// The report's.
    fn default() -> Weights {
        Weights::read(&Settings::defaults(&OPTIONS))
    }
}

impl Judge<Infexion> for Weights {
    fn value(&self, pos: &Infexion) -> Score {
        fastest(
            #[inline(always)]
            || sum_of(&self.all(pos), pos.turn()),
        )
    }

    fn terms(&self, pos: &Infexion) -> Vec<Term> {
        let is_used = |term: &Term| term.name != "clusters" || term.weight != 0.0;
        self.all(pos).into_iter().filter(is_used).collect()
    }
}

/// How many clusters red and blue have.
#[inline(always)]
pub fn n_clusters(pos: &Infexion) -> [u32; 2] {
    Player::BOTH.map(|player| {
        let mut clusters = Clusters::default();
        clusters.add(pos.cells_of(player), ALL_CELLS);
        clusters.count()
    })
}
