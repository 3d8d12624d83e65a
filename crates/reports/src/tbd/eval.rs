//! How report 003 judges a board.

use yarra_engine::Score;
use yarra_engine::eval::{Judge, Term, for_turn};
use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Player, Position};

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

/// The opponent's shortest distance minus one's own (Evaluation Score), plus weighted stones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Paths {
    /// What a stone more than the opponent is worth: the report's wish for richer features.
    pub cells: f64,
}

impl<B: Bits, const CAPTURES: bool> Judge<Rhombus<B, CAPTURES>> for Paths {
    #[inline]
    fn value(&self, pos: &Rhombus<B, CAPTURES>) -> Score {
        let [red, blue] = Player::BOTH.map(|player| f64::from(distance(pos, player)));
        let units = blue - red + self.cells * cell_difference(pos);
        for_turn(Score::from_units(units), pos.turn())
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        let [red, blue] = Player::BOTH.map(|player| f64::from(distance(pos, player)));
        vec![Term { name: "shortest distance", red, blue, weight: -1.0 }, cells_term(pos, self.cells)]
    }
}

/// The own stones less the opponent's: cheaper, and found weaker (Evaluation Score).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells;

impl<B: Bits, const CAPTURES: bool> Judge<Rhombus<B, CAPTURES>> for Cells {
    #[inline]
    fn value(&self, pos: &Rhombus<B, CAPTURES>) -> Score {
        for_turn(Score::from_units(cell_difference(pos)), pos.turn())
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        vec![cells_term(pos, 1.0)]
    }
}

#[inline(always)]
fn cell_difference<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> f64 {
    let [red, blue] = Player::BOTH.map(|player| f64::from(pos.material(player)));
    red - blue
}

fn cells_term<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, weight: f64) -> Term {
    let [red, blue] = Player::BOTH.map(|player| f64::from(pos.material(player)));
    Term { name: "occupied cells", red, blue, weight }
}
