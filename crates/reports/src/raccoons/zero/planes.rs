//! The board as the net sees it.

use yarra_games::infexion::Infexion;

/// Cells of the board.
pub const N_CELLS: usize = 49;
/// Numbers for each cell.
pub const N_PLANES: usize = 14;

const SIGNED: u8 = 0;
const EMPTY: u8 = 1;
const OWN: u8 = 2;
const OTHERS: u8 = 3;
/// The planes of power 1; two more follow for each power up to 5.
const BY_POWER: u8 = 4;
const LARGEST_WITH_PLANES: u8 = 5;

/// The 14 planes of a position, of which at most three are not zero on a cell.
///
/// The report says "a board state". The planes are those of the team's program, "own" meaning the player to move:
/// 0. the power, negative for the opponent's stacks;
/// 1. 1 for an empty cell;
/// 2. the power of own stacks, and 3. that of the opponent's;
/// 4. to 13. for each power p from 1 to 5: p for own stacks of that power, then -p for the opponent's.
///
/// Power 6 has no planes of its own, as in the program.
#[derive(Clone, Debug)]
pub struct Planes {
    /// The planes that are not zero on each cell, with their values; only the first `n_entries` count.
    entries: [[(u8, f32); 3]; N_CELLS],
    n_entries: [u8; N_CELLS],
}

impl Planes {
    /// The planes of a position.
    #[inline(always)]
    pub fn of(pos: &Infexion) -> Planes {
        let mut planes = Planes { entries: [[(EMPTY, 1.0); 3]; N_CELLS], n_entries: [1; N_CELLS] };
        for (is_own, mut cells) in [true, false].into_iter().zip(pos.sides()) {
            let (sign, powers) = if is_own { (1.0, OWN) } else { (-1.0, OTHERS) };
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let power = pos.power_at(cell);
                let (value, has_plane) = (f32::from(power), power <= LARGEST_WITH_PLANES);
                let by_power = BY_POWER + 2 * (power - 1) + u8::from(!is_own);
                planes.entries[cell] = [(SIGNED, sign * value), (powers, value), (by_power, sign * value)];
                planes.n_entries[cell] = if has_plane { 3 } else { 2 };
            }
        }
        planes
    }

    /// The planes that are not zero on a cell, with their values.
    #[inline(always)]
    pub fn on(&self, cell: usize) -> &[(u8, f32)] {
        &self.entries[cell][..usize::from(self.n_entries[cell])]
    }

    /// The planes with every cell moved elsewhere; `image` must be a permutation.
    pub fn moved(&self, image: impl Fn(usize) -> usize) -> Planes {
        let mut moved = self.clone();
        for cell in 0..N_CELLS {
            moved.entries[image(cell)] = self.entries[cell];
            moved.n_entries[image(cell)] = self.n_entries[cell];
        }
        moved
    }

    /// All values, those of a cell side by side.
    pub fn dense(&self) -> [[f32; N_PLANES]; N_CELLS] {
        let mut dense = [[0.0; N_PLANES]; N_CELLS];
        for (cell, values) in dense.iter_mut().enumerate() {
            for &(plane, value) in self.on(cell) {
                values[usize::from(plane)] = value;
            }
        }
        dense
    }
}
