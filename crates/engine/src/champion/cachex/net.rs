//! The inputs of Cachex's nets: the stones, by owner and cell. Each size of board has a net of its own.

use std::any::Any;
use std::sync::OnceLock;

use yarra_games::cachex::{Bits, Cachex, Rhombus};
use yarra_games::{Player, Position, RhombusWork};

use super::super::net::{Changes, InputList, NetEvaluation, NnueGame};
use super::N_FEATURES;
use crate::net::NetFile;
use crate::net::nnue::Shape;

/// In each view first a player's own stones, then those of the other. Blue's view is transposed, so that every view
/// joins the same sides.
pub fn shape(size: u8) -> Shape {
    let n_cells = usize::from(size) * usize::from(size);
    Shape { n_inputs: 2 * n_cells, max_present: n_cells, unit: 235 }
}

/// The nets that are built in. On a board of 11 one gained nothing over the fitted weights.
const BUILT_IN: [(u8, &[u8]); 3] = [
    (7, include_bytes!("../../../../../nets/cachex-7-nnue.safetensors")),
    (8, include_bytes!("../../../../../nets/cachex-8-nnue.safetensors")),
    (9, include_bytes!("../../../../../nets/cachex-9-nnue.safetensors")),
];

/// The net that is built in for a size, which belongs to the fitted weights.
pub fn built_in(size: u8) -> Option<&'static NetEvaluation<N_FEATURES>> {
    static NETS: [OnceLock<NetEvaluation<N_FEATURES>>; BUILT_IN.len()] =
        [const { OnceLock::new() }; BUILT_IN.len()];
    let idx = BUILT_IN.iter().position(|&(its_size, _)| its_size == size)?;
    Some(NETS[idx].get_or_init(|| {
        let file = NetFile::read(BUILT_IN[idx].1).and_then(|file| NetEvaluation::read(&file, shape(size)));
        file.expect("a test reads the built-in nets")
    }))
}

/// Runs `work` with the concrete type of a board on which nets play; `None` for all others. A list of its own, because
/// every type here is one more search to compile.
pub fn with_board<W: RhombusWork>(pos: &dyn Position, work: W) -> Option<W::Output> {
    let pos = pos as &dyn Any;
    if let Some(pos) = pos.downcast_ref::<Cachex<u64>>() {
        return Some(work.run(pos));
    }
    pos.downcast_ref::<Cachex<u128>>().map(|pos| work.run(pos))
}

/// An input in the view of the other player.
#[inline(always)]
pub fn other_view(size: u8, input: u16) -> u16 {
    let size = u16::from(size);
    let (owner, cell) = (input / (size * size), input % (size * size));
    (1 - owner) * size * size + cell % size * size + cell / size
}

/// The input of a player's stone in the view of one player.
#[inline(always)]
fn input<B: Bits>(size: u8, view: Player, owner: Player, bit: usize) -> u16 {
    let size = usize::from(size);
    let (row, col) = (bit / B::STRIDE, bit % B::STRIDE);
    let cell = if view == Player::Red { size * row + col } else { size * col + row };
    (if owner == view { cell } else { size * size + cell }) as u16
}

/// Adds the inputs of a player's stones in the view of one player.
#[inline(always)]
fn add<B: Bits>(size: u8, view: Player, owner: Player, mut stones: B, list: &mut InputList) {
    while !stones.is_empty() {
        list.push(input::<B>(size, view, owner, stones.lowest()));
        stones = stones.without_lowest();
    }
}

impl<B: Bits, const CAPTURES: bool> NnueGame for Rhombus<B, CAPTURES> {
    fn inputs(&self) -> [Vec<u16>; 2] {
        [self.turn(), self.turn().opponent()].map(|view| {
            let mut inputs = Vec::new();
            for owner in [view, view.opponent()] {
                let stones = self.stones(owner);
                let n_stones = stones.count();
                inputs.extend((0..n_stones).map(|n| input::<B>(self.size(), view, owner, stones.nth(n))));
            }
            inputs
        })
    }

    /// After a steal both players' stones differ.
    #[inline(always)]
    fn changes(before: &Self, after: &Self) -> Changes {
        let view = after.turn();
        let mut changes = Changes { gone: InputList::EMPTY, come: InputList::EMPTY };
        for owner in [view, view.opponent()] {
            let (old, new) = (before.stones(owner), after.stones(owner));
            add(after.size(), view, owner, old & !new, &mut changes.gone);
            add(after.size(), view, owner, new & !old, &mut changes.come);
        }
        changes
    }

    #[inline(always)]
    fn other_view(&self, input: u16) -> u16 {
        other_view(self.size(), input)
    }
}
