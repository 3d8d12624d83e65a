//! The inputs of Infexion's net: the stacks, by owner, power and cell.

use std::sync::{Arc, LazyLock};

use yarra_games::infexion::{Infexion, MAX_CELL_POWER};
use yarra_games::{Player, Position};

use super::super::Weights;
use super::N_FEATURES;
use crate::Term;
use crate::net::nnue::{Accumulators, Nnue};
use crate::net::{NetError, NetFile};

const N_CELLS: usize = 49;
/// The inputs of one owner's stacks.
const N_OWNER: u16 = (MAX_CELL_POWER as usize * N_CELLS) as u16;
/// The number of inputs of a view: first a player's own stacks, then those of the other.
pub const N_INPUTS: usize = 2 * N_OWNER as usize;
/// A spread changes the cell it comes from and as many as the highest power.
const MAX_CHANGES: usize = MAX_CELL_POWER as usize + 1;

/// A net and the weights that were trained with it.
#[derive(Clone, Debug)]
pub struct NetEvaluation {
    /// Of the linear evaluation.
    pub weights: Weights<N_FEATURES>,
    /// Beside it.
    pub net: Arc<Nnue>,
}

const BUILT_IN: &[u8] = include_bytes!("../../../../../nets/infexion-nnue.safetensors");

/// The tensor of the weights that were trained with the net.
const NET_COUNTS: &str = "net.counts";

impl NetEvaluation {
    /// Whether a file has a net.
    pub fn is_in(file: &NetFile) -> bool {
        file.tensors.contains_key(NET_COUNTS)
    }

    /// The net that is built in, which belongs to the fitted weights.
    pub fn built_in() -> &'static NetEvaluation {
        static NET: LazyLock<NetEvaluation> = LazyLock::new(|| {
            let file = NetFile::read(BUILT_IN).and_then(|file| NetEvaluation::read(&file));
            file.expect("a test reads the built-in net")
        });
        &NET
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it has no net.
    pub fn read(file: &NetFile) -> Result<NetEvaluation, NetError> {
        Ok(NetEvaluation {
            weights: Weights::read(file, NET_COUNTS)?,
            net: Arc::new(Nnue::read(file, N_INPUTS)?),
        })
    }

    /// Adds the net to a file.
    pub fn write(&self, file: &mut NetFile) {
        self.weights.write(NET_COUNTS, file);
        self.net.write(file);
    }
}

/// What is added to the linear evaluation, with what the search carries for it.
pub trait Extra: Clone + Send + Sync {
    /// What the search carries.
    type State: Clone + PartialEq + std::fmt::Debug;

    /// The state of a position, from scratch.
    fn root(&self, pos: &Infexion) -> Self::State;

    /// The state after a move.
    fn child(&self, state: &Self::State, before: &Infexion, after: &Infexion) -> Self::State;

    /// The state after a null move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value for the player to move, in hundredths.
    fn value(&self, state: &Self::State, pos: &Infexion) -> i32;

    /// The same for people; `None` if nothing is added.
    fn term(&self, state: &Self::State, pos: &Infexion) -> Option<Term>;
}

/// Nothing is added.
#[derive(Clone, Copy, Debug)]
pub struct NoNet;

impl Extra for NoNet {
    type State = ();

    #[inline(always)]
    fn root(&self, _: &Infexion) {}

    #[inline(always)]
    fn child(&self, (): &(), _: &Infexion, _: &Infexion) {}

    #[inline(always)]
    fn passed(&self, (): &()) {}

    #[inline(always)]
    fn value(&self, (): &(), _: &Infexion) -> i32 {
        0
    }

    fn term(&self, (): &(), _: &Infexion) -> Option<Term> {
        None
    }
}

/// The inputs of a position in the view of the player to move, in the order of the cells.
pub fn inputs(pos: &Infexion) -> impl Iterator<Item = u16> {
    let [mover, other] = pos.sides();
    let mut cells = mover | other;
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(input(pos, mover, cell))
    })
}

/// An input in the view of the other player.
#[inline(always)]
pub fn other_view(input: u16) -> u16 {
    if input < N_OWNER { input + N_OWNER } else { input - N_OWNER }
}

/// The input of a stack in the view of the player who has the `own` cells.
#[inline(always)]
fn input(pos: &Infexion, own: u64, cell: usize) -> u16 {
    let owner = if own >> cell & 1 == 1 { 0 } else { N_OWNER };
    owner + (u16::from(pos.power_at(cell)) - 1) * N_CELLS as u16 + cell as u16
}

/// Inputs that have gone or come.
struct Changes {
    list: [u16; MAX_CHANGES],
    n: usize,
}

impl Changes {
    /// The inputs of stacks on some cells, in the view of the player who has the `own` cells.
    #[inline(always)]
    fn of(pos: &Infexion, own: u64, mut cells: u64) -> Changes {
        let mut changes = Changes { list: [0; MAX_CHANGES], n: 0 };
        while cells != 0 && changes.n < MAX_CHANGES {
            changes.list[changes.n] = input(pos, own, cells.trailing_zeros() as usize);
            changes.n += 1;
            cells &= cells - 1;
        }
        changes
    }

    #[inline(always)]
    fn inputs(&self) -> &[u16] {
        &self.list[..self.n]
    }

    #[inline(always)]
    fn turn_view(&mut self) {
        let mut idx = 0;
        while idx < self.n {
            self.list[idx] = other_view(self.list[idx]);
            idx += 1;
        }
    }
}

impl Extra for Arc<Nnue> {
    type State = Accumulators;

    fn root(&self, pos: &Infexion) -> Accumulators {
        let mine = self.sums(inputs(pos).map(usize::from));
        [mine, self.sums(inputs(pos).map(|input| usize::from(other_view(input))))]
    }

    #[inline(always)]
    fn child(&self, state: &Accumulators, before: &Infexion, after: &Infexion) -> Accumulators {
        // In the view of the player to move after the move.
        let [[theirs, own], [new_own, new_theirs]] = [before.sides(), after.sides()];
        let ([b0, b1, b2], [a0, a1, a2]) = (before.planes(), after.planes());
        let changed = (own ^ new_own) | (theirs ^ new_theirs) | (b0 ^ a0) | (b1 ^ a1) | (b2 ^ a2);
        let mut gone = Changes::of(before, own, changed & (own | theirs));
        let mut come = Changes::of(after, new_own, changed & (new_own | new_theirs));
        let mine = self.updated(&state[1], gone.inputs(), come.inputs());
        gone.turn_view();
        come.turn_view();
        [mine, self.updated(&state[0], gone.inputs(), come.inputs())]
    }

    #[inline(always)]
    fn passed(&self, &[mine, others]: &Accumulators) -> Accumulators {
        [others, mine]
    }

    #[inline(always)]
    fn value(&self, state: &Accumulators, pos: &Infexion) -> i32 {
        debug_assert_eq!(*state, self.root(pos), "accumulators at {pos}");
        Nnue::value(self, state)
    }

    fn term(&self, state: &Accumulators, pos: &Infexion) -> Option<Term> {
        let value = f64::from(Extra::value(self, state, pos)) / 100.0;
        let [red, blue] = if pos.turn() == Player::Red { [value, 0.0] } else { [0.0, value] };
        Some(Term { name: "the net", red, blue, weight: 1.0 })
    }
}
