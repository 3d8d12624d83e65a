//! Infexion's champion: principal variation search with an evaluation by stacks and the cells they reach.

mod eval;
mod weights;

use yarra_games::infexion::{Infexion, MAX_CELL_POWER};
use yarra_games::{Move, Position};

pub use self::eval::{Features, N_FEATURES, NAMES, Reached, features};
pub use self::weights::{FITTED, HAND};
use super::Weights;
use crate::eval::{Evaluator, MoveSource};
use crate::options::{TABLE, THREADS};
use crate::pvs::options::{
    FUTILITY, HISTORY, KILLERS, LMP, LMR, NULL, QUIESCENCE, WEIGHTS, are_weights_fitted,
};
use crate::pvs::{Pvs, PvsOptions};
use crate::search::ScoredMoves;
use crate::spec::{Factory, expect_game, factory};
use crate::{AgentInfo, OptionInfo, Score, Settings, SpecError, Term};

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "principal variation search on stacks and reach, 1 s per move if no limit is given",
    source: "",
    differs: &[],
    options: OPTIONS,
    prepare,
}];

/// What can be chosen.
pub const OPTIONS: &[OptionInfo] =
    &[THREADS, TABLE, KILLERS, HISTORY, QUIESCENCE, LMR, LMP, NULL, FUTILITY, WEIGHTS];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Infexion>("champion", pos)?;
    let weights = if are_weights_fitted(settings) { FITTED } else { HAND };
    let options = PvsOptions::read(settings);
    Ok(factory(move |_| Pvs::<Infexion, _>::new(Reach(weights), options)))
}

/// Evaluates by reach: a stack is attacked if the opponent's stacks can spread to it, and defended if the player's own
/// can.
#[derive(Clone, Copy, Debug)]
pub struct Reach(Weights<N_FEATURES>);

impl Reach {
    /// With some weights.
    pub fn new(weights: Weights<N_FEATURES>) -> Reach {
        Reach(weights)
    }
}

impl Default for Reach {
    fn default() -> Reach {
        Reach(FITTED)
    }
}

const N_CELLS: u16 = 49;

/// The rough value of a stack of each power, in hundredths; one above the highest vanishes.
const WORTH: [i32; MAX_CELL_POWER as usize + 2] = [0, 40, 155, 230, 345, 340, 335, 0];

/// What a spread gains, with no regard to which stacks are attacked.
#[inline(always)]
fn swing(pos: &Infexion, m: Move, others: u64) -> i32 {
    let mut sum = -WORTH[usize::from(pos.power_at(usize::from(m.0 % N_CELLS)))];
    let mut cells = pos.reach(m);
    while cells != 0 {
        let cell = cells.trailing_zeros() as usize;
        let power = usize::from(pos.power_at(cell));
        let before = WORTH[power];
        sum += WORTH[power + 1] + if others >> cell & 1 == 1 { before } else { -before };
        cells &= cells - 1;
    }
    sum
}

impl Evaluator<Infexion> for Reach {
    /// The cells that each player reaches, the player to move first.
    type State = [Reached; 2];

    #[inline(always)]
    fn root(&self, pos: &Infexion) -> [Reached; 2] {
        let sides = pos.sides();
        [Reached::by(pos, sides[0]), Reached::by(pos, sides[1])]
    }

    #[inline(always)]
    fn value(&self, state: &[Reached; 2], pos: &Infexion) -> Score {
        Score(self.0.value(&features(pos, *state)))
    }

    fn terms(&self, pos: &Infexion) -> Vec<Term> {
        self.0.terms(&NAMES, pos.turn(), &features(pos, self.root(pos)))
    }
}

impl MoveSource<Infexion> for Reach {
    #[inline(always)]
    fn captures(&self, _: &[Reached; 2], pos: &Infexion, moves: &mut ScoredMoves) {
        let [mut stacks, others] = pos.sides();
        while stacks != 0 {
            let cell = stacks.trailing_zeros() as u16;
            stacks &= stacks - 1;
            if pos.reach_from(cell.into()) & others == 0 {
                continue;
            }
            let mut m = cell + N_CELLS;
            while m < 7 * N_CELLS {
                if pos.reach(Move(m)) & others != 0 {
                    moves.push(Move(m), swing(pos, Move(m), others));
                }
                m += N_CELLS;
            }
        }
    }

    #[inline(always)]
    fn quiets(&self, state: &mut [Reached; 2], pos: &Infexion, moves: &mut ScoredMoves) {
        let [own, others] = [state[0].once, state[1].once];
        let mut spawns = pos.spawns();
        while spawns != 0 {
            let cell = spawns & spawns.wrapping_neg();
            let is_attacked = cell & others != 0;
            let is_defended = cell & own != 0;
            let score = match (is_attacked, is_defended) {
                (false, false) => 1000,
                (false, true) => 1500,
                (true, true) => 0,
                (true, false) => -2000,
            };
            moves.push(Move(spawns.trailing_zeros() as u16), score);
            spawns ^= cell;
        }
        let [mut stacks, enemies] = pos.sides();
        while stacks != 0 {
            let cell = stacks.trailing_zeros() as u16;
            let is_attacked = others >> cell & 1 == 1;
            stacks &= stacks - 1;
            let mut m = cell + N_CELLS;
            while m < 7 * N_CELLS {
                let reach = pos.reach(Move(m));
                if reach & enemies == 0 {
                    let n_safe = (reach & !others).count_ones() as i32;
                    let n_unsafe = (reach & others).count_ones() as i32;
                    let score = if is_attacked { 500 * n_safe - 200 } else { -1000 } - 300 * n_unsafe;
                    moves.push(Move(m), score);
                }
                m += N_CELLS;
            }
        }
    }

    /// A captured stack changes sides; one of full power vanishes, together with the token that reached it.
    #[inline(always)]
    fn gain(&self, _: &[Reached; 2], pos: &Infexion, m: Move) -> i32 {
        let reach = pos.reach(m);
        let [own, others] = pos.sides();
        let taken = reach & others;
        if taken == 0 {
            return 0;
        }
        let full = reach & pos.cells_of_power(MAX_CELL_POWER);
        let power = 2 * pos.power_on(taken & !full) as i32;
        let vanishing = 5 * (full & others).count_ones() as i32 - 7 * (full & own).count_ones() as i32;
        100 * (power + vanishing)
    }

    #[inline(always)]
    fn is_legal(&self, pos: &Infexion, m: Move) -> bool {
        pos.is_legal(m)
    }

    /// While there is room to spawn, a move is never worse than none.
    #[inline(always)]
    fn null_move(&self, pos: &Infexion) -> Option<Infexion> {
        (2 <= pos.ply() && pos.spawns() != 0).then(|| pos.passed())
    }

    #[inline(always)]
    fn null_child(&self, &[own, others]: &[Reached; 2], _: &Infexion, _: &Infexion) -> [Reached; 2] {
        [others, own]
    }
}
