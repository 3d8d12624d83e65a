//! How report 003 judges a board.

use yarra_engine::eval::{Judge, Term, sum_of};
use yarra_engine::profile::{Part, time};
use yarra_engine::{Score, Settings};
use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Player, Position};

use super::astar::{distance_by_pairs, n_steps};

/// How many empty cells a player must still fill to connect its sides (Evaluation Score).
///
/// Own stones cost nothing, empty cells one, and the opponent's block the way. Where every way is
/// blocked the report says infinity: n² here, more than any way can cost. The report asks A* for every
/// pair of cells on the two sides; one sweep from a whole side to the other finds the same number.
#[inline(always)]
pub fn distance<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, player: Player) -> u32 {
    let frame = pos.frame();
    let (first, last) = (frame.first[player as usize], frame.last[player as usize]);
    let (own, empty) = (pos.stones(player), pos.empty());
    let mut reached = first.flood(own);
    let mut cost = 0;
    while (reached & last).is_empty() {
        let entered = reached | (reached.grow() | first) & empty;
        if entered == reached {
            return u32::from(pos.size()) * u32::from(pos.size());
        }
        reached = entered.flood(entered | own);
        cost += 1;
    }
    cost
}

/// The opponent's shortest distance minus one's own (Evaluation Score), plus what the report wished to add: "the number
/// of occupied, number of opponent's cells, and other features of the board".
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Paths {
    /// Whether every pair of cells gets its A* run, as in the report, instead of one sweep for all.
    pub by_pairs: bool,
    /// What a stone more than the opponent is worth.
    pub cells: f64,
    /// What a pair of adjacent stones is worth.
    pub links: f64,
    /// What a stone on the center is worth; elsewhere it is worth less, down to nothing in a corner.
    pub center: f64,
}

impl Paths {
    /// The weights that settings give.
    pub fn read(settings: &Settings) -> Paths {
        Paths {
            by_pairs: settings.get::<&str>("eval") == "astar",
            cells: settings.get_or("cells", 0.0),
            links: settings.get_or("links", 0.0),
            center: settings.get_or("center", 0.0),
        }
    }

    /// A player's shortest distance.
    #[inline(always)]
    pub fn distance<B: Bits, const CAPTURES: bool>(&self, pos: &Rhombus<B, CAPTURES>, player: Player) -> u32 {
        match self.by_pairs {
            true => distance_by_pairs(pos, player),
            false => time(
                Part::Paths,
                #[inline(always)]
                || distance(pos, player),
            ),
        }
    }

    /// A term for each feature. What weighs nothing is not counted.
    #[inline(always)]
    fn all<B: Bits, const CAPTURES: bool>(&self, pos: &Rhombus<B, CAPTURES>) -> [Term; 4] {
        let term = |name, weight: f64, count: &dyn Fn(Player) -> f64| {
            let [red, blue] = if weight == 0.0 { [0.0; 2] } else { Player::BOTH.map(count) };
            Term { name, red, blue, weight }
        };
        [
            term("shortest distance", -1.0, &|player| self.distance(pos, player).into()),
            term("occupied cells", self.cells, &|player| pos.material(player).into()),
            term("adjacent pairs", self.links, &|player| n_links(pos, player).into()),
            term("closeness to the center", self.center, &|player| closeness(pos, player)),
        ]
    }
}

impl<B: Bits, const CAPTURES: bool> Judge<Rhombus<B, CAPTURES>> for Paths {
    #[inline]
    fn value(&self, pos: &Rhombus<B, CAPTURES>) -> Score {
        sum_of(&self.all(pos), pos.turn())
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        self.all(pos).into_iter().filter(|term| term.weight != 0.0).collect()
    }
}

/// Each of a player's stones, by its bit.
fn stones<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    player: Player,
) -> impl Iterator<Item = usize> {
    let mut left = pos.stones(player);
    std::iter::from_fn(move || {
        let bit = (!left.is_empty()).then(|| left.lowest())?;
        left = left.without_lowest();
        Some(bit)
    })
}

fn n_links<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, player: Player) -> u32 {
    let own = pos.stones(player);
    stones(pos, player).map(|bit| (B::NEAR[bit].ring & own).count()).sum::<u32>() / 2
}

fn closeness<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, player: Player) -> f64 {
    let middle = usize::from(pos.size() / 2);
    let farthest = usize::from(pos.size() - 1) as f64;
    let place = |bit| (bit / B::STRIDE, bit % B::STRIDE);
    stones(pos, player).map(|bit| 1.0 - n_steps(place(bit), (middle, middle)) as f64 / farthest).sum()
}

/// The own stones less the opponent's: cheaper, and found weaker (Evaluation Score).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells;

impl Cells {
    fn all<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> [Term; 1] {
        let [red, blue] = Player::BOTH.map(|player| f64::from(pos.material(player)));
        [Term { name: "occupied cells", red, blue, weight: 1.0 }]
    }
}

impl<B: Bits, const CAPTURES: bool> Judge<Rhombus<B, CAPTURES>> for Cells {
    #[inline]
    fn value(&self, pos: &Rhombus<B, CAPTURES>) -> Score {
        sum_of(&Cells::all(pos), pos.turn())
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        Cells::all(pos).into()
    }
}
