//! The heuristic of report 001: who protects and who attacks whom, and the power that is safe.

use yarra_engine::eval::{self, Judge};
use yarra_engine::{Score, Term};
use yarra_games::infexion::{Direction, Infexion, SIZE};
use yarra_games::{Player, Position};

const N_CELLS: usize = SIZE as usize * SIZE as usize;
/// A line of the torus is a ring of seven cells: three steps one way or the other lead to all of them,
/// so a stack of power 3 reaches as much as one of power 6.
const MAX_DISTANCE: usize = 3;

/// For each cell those that lie exactly one, two and three steps away in some direction.
static RINGS: [[u64; MAX_DISTANCE]; N_CELLS] = rings();

const fn rings() -> [[u64; MAX_DISTANCE]; N_CELLS] {
    let size = SIZE as i32;
    let mut rings = [[0; MAX_DISTANCE]; N_CELLS];
    let mut cell = 0;
    while cell < N_CELLS {
        let mut direction = 0;
        while direction < Direction::ALL.len() {
            let (dr, dq) = Direction::ALL[direction].vector();
            let mut n = 0;
            while n < MAX_DISTANCE {
                let n_steps = n as i32 + 1;
                let row = (cell as i32 / size + dr as i32 * n_steps).rem_euclid(size);
                let col = (cell as i32 % size + dq as i32 * n_steps).rem_euclid(size);
                rings[cell][n] |= 1 << (row * size + col);
                n += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    rings
}

/// The cells beside a cell.
pub fn neighbors(cell: usize) -> u64 {
    RINGS[cell][0]
}

/// Heuristic: X · diff(defenders) + Y · diff(attackers) + diff(total power - PSOTIP).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heuristic {
    /// X, in hundredths.
    pub defenders: i32,
    /// Y, in hundredths.
    pub attackers: i32,
    /// How many more defenders than attackers protect a token sufficiently. The pseudocode says one; the
    /// section on attackers would be content with as many as there are attackers, which is 0.
    pub sufficient: i32,
}

impl Default for Heuristic {
    /// The values that the report settled on.
    fn default() -> Heuristic {
        Heuristic { defenders: 50, attackers: 50, sufficient: 1 }
    }
}

/// The four components, for red and blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// Component 1: the total power.
    pub power: [u32; 2],
    /// Component 2: pairs of own tokens of which the first can spread to the second.
    pub defenders: [u32; 2],
    /// Component 3: pairs of an own token and an enemy's that it can spread to.
    pub attackers: [u32; 2],
    /// Component 4: the power of the tokens that are insufficiently protected (PSOTIP).
    pub unprotected: [u32; 2],
}

impl Heuristic {
    /// Calculation of the Heuristic Pseudocode, turned around: instead of asking each token whom it
    /// reaches, asks each whom it is reached by. Both see the same pairs, for every direction has its
    /// opposite; but this way a token's protection is known at once.
    #[inline(always)]
    pub fn components(&self, pos: &Infexion) -> Components {
        let [p0, p1, p2] = pos.planes();
        let at_least = [p0 | p1 | p2, p1 | p2, p2 | p1 & p0];
        let sides = Player::BOTH.map(|player| pos.cells_of(player));
        let mut all = Components::default();
        for (own, other) in [(0, 1), (1, 0)] {
            let mut unprotected = 0;
            let mut tokens = sides[own];
            while tokens != 0 {
                let rings = &RINGS[tokens.trailing_zeros() as usize];
                let reached_by = rings[0] & at_least[0] | rings[1] & at_least[1] | rings[2] & at_least[2];
                let n_defenders = (reached_by & sides[own]).count_ones();
                let n_attackers = (reached_by & sides[other]).count_ones();
                all.defenders[own] += n_defenders;
                all.attackers[other] += n_attackers;
                let token = tokens & tokens.wrapping_neg();
                if (n_defenders as i32 - n_attackers as i32) < self.sufficient {
                    unprotected |= token;
                }
                tokens ^= token;
            }
            all.power[own] = pos.power_on(sides[own]);
            all.unprotected[own] = pos.power_on(unprotected);
        }
        all
    }
}

impl Judge<Infexion> for Heuristic {
    /// Combining All 4 Components: The Entire Heuristic.
    #[inline(always)]
    fn value(&self, pos: &Infexion) -> Score {
        let all = self.components(pos);
        let diff = |[red, blue]: [u32; 2]| red as i32 - blue as i32;
        let situation = self.defenders * diff(all.defenders) + self.attackers * diff(all.attackers);
        let effective_power = 100 * (diff(all.power) - diff(all.unprotected));
        eval::for_turn(Score(situation + effective_power).clamped(), pos.turn())
    }

    fn terms(&self, pos: &Infexion) -> Vec<Term> {
        let all = self.components(pos);
        let term = |name, [red, blue]: [u32; 2], hundredths: i32| Term {
            name,
            red: red.into(),
            blue: blue.into(),
            weight: f64::from(hundredths) / 100.0,
        };
        vec![
            term("power", all.power, 100),
            term("defenders", all.defenders, self.defenders),
            term("attackers", all.attackers, self.attackers),
            term("insufficiently protected power", all.unprotected, -100),
        ]
    }
}
