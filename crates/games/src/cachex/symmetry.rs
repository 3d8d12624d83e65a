//! The symmetries of the rhombus: a half turn, and a transposition that swaps the colors.
//!
//! Bit 0 of a symmetry's number is the half turn, bit 1 the transposition. Swapping the colors moves the
//! position to the next ply. The first two plies of Cachex have special rules and the last ply ends the game,
//! so the transposition is not a symmetry there.

use super::{Bits, Rhombus};
use crate::{Move, Player, Position};

const HALF_TURN: usize = 1;
const SWAP: usize = 2;

pub fn n_symmetries<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> usize {
    let n_special_plies = if CAPTURES { 2 } else { 0 };
    let is_swappable = n_special_plies <= pos.ply && pos.ply + 1 < pos.turn_limit();
    if is_swappable { 4 } else { 2 }
}

pub fn image<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    symmetry: usize,
) -> Rhombus<B, CAPTURES> {
    let mut image = *pos;
    image.stones = pos.stones.map(|stones| image_cells(pos, symmetry, stones));
    if symmetry & SWAP != 0 {
        image.stones.swap(0, 1);
        image.ply += 1;
    }
    for player in Player::BOTH {
        image.link(player as usize);
    }
    image
}

pub fn image_move<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    symmetry: usize,
    m: Move,
) -> Move {
    if CAPTURES && m == pos.steal_move() {
        return m;
    }
    let cell = image_cells(pos, symmetry, B::cell(pos.bit(m)));
    pos.stone_move(cell.lowest())
}

fn image_cells<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, symmetry: usize, cells: B) -> B {
    let last = (B::STRIDE + 1) * usize::from(pos.size - 1);
    let turned = if symmetry & HALF_TURN != 0 { map(cells, |bit| last - bit) } else { cells };
    if symmetry & SWAP != 0 { transposed(turned) } else { turned }
}

/// The cells with rows and columns swapped.
pub fn transposed<B: Bits>(cells: B) -> B {
    map(cells, |bit| bit % B::STRIDE * B::STRIDE + bit / B::STRIDE)
}

fn map<B: Bits>(mut cells: B, image: impl Fn(usize) -> usize) -> B {
    let mut images = B::NONE;
    while !cells.is_empty() {
        images |= B::cell(image(cells.lowest()));
        cells = cells.without_lowest();
    }
    images
}
