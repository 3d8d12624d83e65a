//! The evaluation of report 002: tokens minus the lines at risk.

use yarra_engine::eval::{self, Judge};
use yarra_engine::{Score, Settings, Term};
use yarra_games::tetress::{SIZE, Tetress};
use yarra_games::{Outcome, Player, Position};

/// Heuristic Function: h(s) = rt - bt - (rl - bl).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// A row or column is at risk from this many own tokens on.
    pub risk: u32,
    /// What a won game is worth, in units.
    pub win: i32,
}

impl Default for Evaluation {
    /// The values of the report.
    fn default() -> Evaluation {
        Evaluation { risk: 6, win: 999 }
    }
}

impl Evaluation {
    /// The values that settings give.
    pub fn read(settings: &Settings) -> Evaluation {
        Evaluation { risk: settings.get("risk"), win: settings.get("win") }
    }

    /// Heuristic Function, rl and bl: how many rows and columns hold `risk` tokens or more of red and of
    /// blue.
    ///
    /// A row is counted at once. Columns are added up side by side, blue's beside red's: four words hold
    /// the four bits of all 22 sums, and each row is added to them with its carries.
    #[inline(always)]
    pub fn lines_at_risk(&self, pos: &Tetress) -> [u32; 2] {
        const N_COLS: u32 = SIZE as u32;
        const ROW: u32 = (1 << N_COLS) - 1;
        let sides = Player::BOTH.map(|player| pos.cells_of(player));
        let mut n_lines = [0; 2];
        let mut sums = [0; 4];
        for row in 0..u32::from(SIZE) {
            let rows = sides.map(|cells| (cells >> (N_COLS * row)) as u32 & ROW);
            n_lines[0] += u32::from(self.risk <= rows[0].count_ones());
            n_lines[1] += u32::from(self.risk <= rows[1].count_ones());
            let mut carry = rows[0] | rows[1] << N_COLS;
            for sum in &mut sums {
                let next_carry = *sum & carry;
                *sum ^= carry;
                carry = next_carry;
            }
        }
        // The comparison of all sums with the risk, from the lowest bit up.
        let mut at_risk = u32::MAX;
        for (bit, sum) in sums.into_iter().enumerate() {
            at_risk = if self.risk >> bit & 1 == 1 { at_risk & sum } else { at_risk | sum };
        }
        n_lines[0] += (at_risk & ROW).count_ones();
        n_lines[1] += (at_risk >> N_COLS & ROW).count_ones();
        n_lines
    }
}

impl Judge<Tetress> for Evaluation {
    /// Heuristic Function.
    #[inline(always)]
    fn value(&self, pos: &Tetress) -> Score {
        let [red, blue] = Player::BOTH.map(|player| pos.cells_of(player).count_ones() as i32);
        let [red_lines, blue_lines] = self.lines_at_risk(pos).map(|n| n as i32);
        eval::for_turn(Score(100 * (red - blue - (red_lines - blue_lines))), pos.turn())
    }

    fn terms(&self, pos: &Tetress) -> Vec<Term> {
        let [red, blue] = Player::BOTH.map(|player| f64::from(pos.cells_of(player).count_ones()));
        let [red_lines, blue_lines] = self.lines_at_risk(pos).map(f64::from);
        vec![
            Term { name: "tokens", red, blue, weight: 1.0 },
            Term { name: "lines at risk", red: red_lines, blue: blue_lines, weight: -1.0 },
        ]
    }

    /// Value for Terminal States: the same for every win, however far away.
    fn ended(&self, pos: &Tetress, outcome: Outcome, _: u32) -> Score {
        let win = Score::from_units(self.win.into());
        match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == pos.turn() => win,
            Some(_) => -win,
        }
    }
}
