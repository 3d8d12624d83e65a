//! The evaluation of report 004: power and cells.

use yarra_engine::eval::{Judge, Term, sum_of};
use yarra_engine::{OptionInfo, Score, Settings};
use yarra_games::cpu::fastest;
use yarra_games::infexion::Infexion;
use yarra_games::infexion::cells::{ALL_CELLS, reaches};
use yarra_games::{Player, Position};

/// The weights of the terms.
pub const OPTIONS: [OptionInfo; 5] = [
    OptionInfo::number("power", "1", "weight of a point of power"),
    OptionInfo::number("cells", "1", "weight of a cell"),
    OptionInfo::number("average_power", "0", "weight of the average power per cell"),
    OptionInfo::number("enemy_attacked", "0", "weight of an enemy cell that the best spread would capture"),
    OptionInfo::number("empty_attacked", "0", "weight of an empty cell that some spread would fill"),
];

/// Report 004, Agent 2, 2 (The Evaluation Function): power and cells, and the terms that were dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of a point of power.
    pub power: f64,
    /// Of a cell.
    pub cells: f64,
    /// Of the average power of a cell.
    pub average_power: f64,
    /// Of an enemy cell that the best spread would capture.
    pub enemy_attacked: f64,
    /// Of an empty cell that some spread would fill.
    pub empty_attacked: f64,
}

impl Weights {
    /// The weights that settings give.
    pub fn read(settings: &Settings) -> Weights {
        Weights {
            power: settings.get("power"),
            cells: settings.get("cells"),
            average_power: settings.get("average_power"),
            enemy_attacked: settings.get("enemy_attacked"),
            empty_attacked: settings.get("empty_attacked"),
        }
    }

    /// A term for each weight. What is expensive and weighs nothing is not counted.
    #[inline(always)]
    fn all(&self, pos: &Infexion) -> [Term; 5] {
        let term = |name, weight: f64, count: fn(&Infexion, Player) -> f64| {
            let [red, blue] = match weight {
                0.0 => [0.0; 2],
                _ => Player::BOTH.map(|player| count(pos, player)),
            };
            Term { name, red, blue, weight }
        };
        [
            term("power", self.power, power),
            term("cells", self.cells, cells),
            term("average power", self.average_power, average_power),
            term("enemy cells under attack", self.enemy_attacked, enemy_attacked),
            term("empty cells under attack", self.empty_attacked, empty_attacked),
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
        self.all(pos).into_iter().filter(|term| term.weight != 0.0).collect()
    }
}

#[inline(always)]
fn power(pos: &Infexion, player: Player) -> f64 {
    pos.power_of(player).into()
}

#[inline(always)]
fn cells(pos: &Infexion, player: Player) -> f64 {
    pos.cells_of(player).count_ones().into()
}

/// Report 004, Agent 2, 2, "Average power per cell"; 0 without a cell.
fn average_power(pos: &Infexion, player: Player) -> f64 {
    power(pos, player) / cells(pos, player).max(1.0)
}

/// Report 004, Agent 2, 2, "Enemy cells under attack": the most that one spread would capture.
fn enemy_attacked(pos: &Infexion, player: Player) -> f64 {
    let enemies = pos.cells_of(player.opponent());
    let captures = reaches(pos, player).map(|reach| (reach & enemies).count_ones());
    captures.max().unwrap_or(0).into()
}

/// Report 004, Agent 2, 2, "Empty cells under attack": those that some spread would fill.
fn empty_attacked(pos: &Infexion, player: Player) -> f64 {
    let [red, blue] = Player::BOTH.map(|player| pos.cells_of(player));
    let reach = reaches(pos, player).fold(0, |all, reach| all | reach);
    (reach & ALL_CELLS & !red & !blue).count_ones().into()
}
