//! Infexion's champion: principal variation search with an evaluation by stacks and the cells they reach.

mod eval;
pub mod net;
mod weights;

use std::sync::Arc;

use yarra_games::infexion::{Infexion, MAX_CELL_POWER};
use yarra_games::{Game, Move, Position};

pub use self::eval::{Features, N_FEATURES, NAMES, Reached, features};
use self::net::SHAPE;
pub use self::weights::{FITTED, HAND, V0_1};
use super::Weights;
use super::net::{Evaluation, Extra, NetEvaluation, NoNet};
use super::source::{NET, WEIGHTS};
use crate::eval::{Evaluator, MoveSource};
use crate::net::nnue::Nnue;
use crate::options::{TABLE, THREADS};
use crate::pvs::options::{FUTILITY, HISTORY, KILLERS, LMP, LMR, NULL, QUIESCENCE};
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
    &[THREADS, TABLE, KILLERS, HISTORY, QUIESCENCE, LMR, LMP, NULL, FUTILITY, WEIGHTS, NET.with("on")];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Infexion>("champion", pos)?;
    let built_in = [FITTED, HAND, V0_1];
    let net = || Some(net::built_in());
    let evaluation = Evaluation::choose(settings, Infexion::NAME, SHAPE, built_in, net)?;
    Ok(champion(PvsOptions::read(settings), evaluation))
}

/// Makes champions with this evaluation.
pub fn champion(options: PvsOptions, evaluation: Evaluation<N_FEATURES>) -> Factory {
    match evaluation {
        Evaluation::Counts(weights) => {
            factory(move |_| Pvs::<Infexion, _>::new(Reach::new(weights), options))
        }
        Evaluation::Net(NetEvaluation { weights, net }) => {
            factory(move |_| Pvs::<Infexion, _>::new(Reach::with_net(weights, net.clone()), options))
        }
    }
}

/// Evaluates by reach: a stack is attacked if the opponent's stacks can spread to it, and defended if the player's own
/// can.
#[derive(Clone, Debug)]
pub struct Reach<X = NoNet> {
    weights: Weights<N_FEATURES>,
    extra: X,
}

impl Reach {
    /// With some weights alone.
    pub fn new(weights: Weights<N_FEATURES>) -> Reach {
        Reach { weights, extra: NoNet }
    }
}

impl Reach<Arc<Nnue>> {
    /// With some weights and a net beside them.
    pub fn with_net(weights: Weights<N_FEATURES>, net: Arc<Nnue>) -> Reach<Arc<Nnue>> {
        Reach { weights, extra: net }
    }
}

impl Default for Reach {
    fn default() -> Reach {
        Reach::new(FITTED)
    }
}

/// What the search carries down the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachState<S> {
    /// The cells that each player reaches, the player to move first.
    pub reached: [Reached; 2],
    /// Of the net, if there is one.
    extra: S,
}

impl<S> ReachState<S> {
    #[inline(always)]
    fn new(pos: &Infexion, extra: S) -> ReachState<S> {
        let sides = pos.sides();
        ReachState { reached: [Reached::by(pos, sides[0]), Reached::by(pos, sides[1])], extra }
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

impl<X: Extra<Infexion>> Evaluator<Infexion> for Reach<X> {
    type State = ReachState<X::State>;

    #[inline(always)]
    fn root(&self, pos: &Infexion) -> Self::State {
        ReachState::new(pos, self.extra.root(pos))
    }

    #[inline(always)]
    fn child(&self, state: &Self::State, before: &Infexion, _: Move, after: &Infexion) -> Self::State {
        ReachState::new(after, self.extra.child(&state.extra, before, after))
    }

    #[inline(always)]
    fn value(&self, state: &Self::State, pos: &Infexion) -> Score {
        Score(self.weights.value(&features(pos, state.reached)) + self.extra.value(&state.extra, pos))
    }

    fn terms(&self, pos: &Infexion) -> Vec<Term> {
        let state = self.root(pos);
        let mut terms = self.weights.terms(&NAMES, pos.turn(), &features(pos, state.reached));
        terms.extend(self.extra.term(&state.extra, pos));
        terms
    }
}

impl<X: Extra<Infexion>> MoveSource<Infexion> for Reach<X> {
    #[inline(always)]
    fn captures(&self, _: &Self::State, pos: &Infexion, moves: &mut ScoredMoves) {
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
    fn quiets(&self, state: &mut Self::State, pos: &Infexion, moves: &mut ScoredMoves) {
        let [own, others] = [state.reached[0].once, state.reached[1].once];
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
    fn gain(&self, _: &Self::State, pos: &Infexion, m: Move) -> i32 {
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
    fn null_child(&self, state: &Self::State, _: &Infexion, _: &Infexion) -> Self::State {
        let [own, others] = state.reached;
        ReachState { reached: [others, own], extra: self.extra.passed(&state.extra) }
    }
}
