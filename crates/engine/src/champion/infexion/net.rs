//! The inputs of Infexion's net: the stacks, by owner, power and cell.

use std::sync::LazyLock;

use yarra_games::infexion::{Infexion, MAX_CELL_POWER};

use super::super::net::{Changes, InputList, NetEvaluation, NnueGame};
use super::N_FEATURES;
use crate::net::NetFile;
use crate::net::nnue::Shape;

const N_CELLS: usize = 49;
/// The inputs of one owner's stacks.
const N_OWNER: u16 = (MAX_CELL_POWER as usize * N_CELLS) as u16;
/// In each view first a player's own stacks, then those of the other.
pub const SHAPE: Shape = Shape { n_inputs: 2 * N_OWNER as usize, max_present: N_CELLS, unit: 400 };

const BUILT_IN: &[u8] = include_bytes!("../../../../../nets/infexion-nnue.safetensors");

/// The net that is built in, which belongs to the fitted weights.
pub fn built_in() -> &'static NetEvaluation<N_FEATURES> {
    static NET: LazyLock<NetEvaluation<N_FEATURES>> = LazyLock::new(|| {
        let file = NetFile::read(BUILT_IN).and_then(|file| NetEvaluation::read(&file, SHAPE));
        file.expect("a test reads the built-in net")
    });
    &NET
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

/// The inputs of stacks on some cells, in the view of the player who has the `own` cells.
#[inline(always)]
fn list(pos: &Infexion, own: u64, mut cells: u64) -> InputList {
    let mut list = InputList::EMPTY;
    // With the bound in the condition there is one check for each cell.
    while cells != 0 && !list.is_full() {
        list.push(input(pos, own, cells.trailing_zeros() as usize));
        cells &= cells - 1;
    }
    list
}

impl NnueGame for Infexion {
    fn inputs(&self) -> [Vec<u16>; 2] {
        let [mover, other] = self.sides();
        let is_taken = |cell: &usize| (mover | other) >> cell & 1 == 1;
        let mine: Vec<u16> = (0..N_CELLS).filter(is_taken).map(|cell| input(self, mover, cell)).collect();
        let others = mine.iter().map(|&input| other_view(input)).collect();
        [mine, others]
    }

    #[inline(always)]
    fn changes(before: &Infexion, after: &Infexion) -> Changes {
        let [[theirs, own], [new_own, new_theirs]] = [before.sides(), after.sides()];
        let ([b0, b1, b2], [a0, a1, a2]) = (before.planes(), after.planes());
        let changed = (own ^ new_own) | (theirs ^ new_theirs) | (b0 ^ a0) | (b1 ^ a1) | (b2 ^ a2);
        let gone = list(before, own, changed & (own | theirs));
        let come = list(after, new_own, changed & (new_own | new_theirs));
        Changes { gone, come }
    }

    #[inline(always)]
    fn other_view(&self, input: u16) -> u16 {
        other_view(input)
    }
}
