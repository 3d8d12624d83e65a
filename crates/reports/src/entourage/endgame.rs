//! Endgame play of report 000: a player far ahead does nothing but capture.

use yarra_engine::profile::{Part, time};
use yarra_engine::{OptionInfo, Settings};
use yarra_games::infexion::cells::{ALL_CELLS, each, reaches, spread};
use yarra_games::infexion::{Direction, Infexion};
use yarra_games::{MoveList, Position};

use super::clusters::Clusters;

/// The numbers in the pre-conditions.
pub const OPTIONS: [OptionInfo; 4] = [
    OptionInfo::count("endgame_power", "12", "minimum power for an endgame"),
    OptionInfo::number("endgame_share", "3", "minimum ratio of stacks to the opponent's for an endgame"),
    OptionInfo::count(
        "endgame_stacks",
        "1",
        "maximum number of opposing stacks above power 1 for an endgame",
    ),
    OptionInfo::count("endgame_cluster", "2", "maximum size of opposing clusters for an endgame"),
];

/// Report 000, Endgame Play: what makes an endgame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Endgame {
    /// The least power of the player.
    pub power: u32,
    /// How many times the opponent's stacks the player has at least.
    pub share: f64,
    /// How many stacks of power 2 or more the opponent has at most.
    pub stacks: u32,
    /// The largest size of the opponent's clusters.
    pub cluster: u32,
}

impl Endgame {
    /// The numbers that settings give.
    pub fn read(settings: &Settings) -> Endgame {
        Endgame {
            power: settings.get("endgame_power"),
            share: settings.get("endgame_share"),
            stacks: settings.get("endgame_stacks"),
            cluster: settings.get("endgame_cluster"),
        }
    }

    /// Report 000, Endgame Play: appends the captures that an endgame consists of, and nothing where there
    /// is no endgame.
    #[inline(always)]
    pub fn moves(&self, pos: &Infexion, moves: &mut MoveList) {
        let Some(theirs) = self.detect(pos) else { return };
        let targets = match stacked(pos) {
            0 => pos.cells_of(pos.turn().opponent()),
            stacked => stacked,
        };
        for direction in Direction::ALL {
            for cell in each(pos.cells_of(pos.turn())) {
                let m = spread(cell, direction);
                let reach = pos.reach(m) & targets;
                // The post-condition: the attacker's power is at least the size of the cluster that it
                // captures from, or it could be captured in turn.
                let power = u32::from(pos.power_at(cell));
                let captures = |cluster: u64| reach & cluster != 0 && cluster.count_ones() <= power;
                if reach != 0 && theirs.iter().any(|cluster| captures(cluster.cells)) {
                    moves.push(m);
                }
            }
        }
    }

    /// Report 000, Endgame Play, pre-conditions 1 to 5; the opponent's clusters if all are met.
    #[inline(always)]
    pub fn detect(&self, pos: &Infexion) -> Option<Clusters> {
        let mover = pos.turn();
        let (own, other) = (pos.cells_of(mover), pos.cells_of(mover.opponent()));
        let has_power = self.power <= pos.power_on(own);
        let has_stacks = f64::from(other.count_ones()) * self.share <= f64::from(own.count_ones());
        if !has_power || !has_stacks || self.stacks < stacked(pos).count_ones() {
            return None;
        }
        let mut theirs = Clusters::default();
        time(
            Part::Clusters,
            #[inline(always)]
            || theirs.add(other, ALL_CELLS),
        );
        if theirs.iter().any(|cluster| self.cluster < cluster.cells.count_ones()) {
            return None;
        }
        let reach = reaches(pos, mover).fold(0, |all, reach| all | reach);
        (stacked(pos) & !reach == 0).then_some(theirs)
    }
}

/// The opponent's stacks of power 2 or more.
#[inline(always)]
fn stacked(pos: &Infexion) -> u64 {
    pos.cells_of(pos.turn().opponent()) & !pos.cells_of_power(1)
}

impl Default for Endgame {
    /// The report's.
    fn default() -> Endgame {
        Endgame::read(&Settings::defaults(&OPTIONS))
    }
}
