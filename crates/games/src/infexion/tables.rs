//! The effect of each move on the board, computed at compile time.

use super::text::Direction;
use super::{N_DIRECTIONS, N_MOVES, SIZE};

pub const N_CELLS: usize = 49;
pub const ALL_CELLS: u64 = (1 << N_CELLS) - 1;

/// For each move, the cells that a stack of power 1 to 6 spreads to; for spawns, the cell at power 0.
pub static RAYS: [[u64; 8]; N_MOVES] = rays();

/// For each cell, what a stack of power 0 to 6 reaches in any direction; there is no power 7.
pub static REACHES: [[u64; 8]; N_CELLS] = reaches();

/// Power 7 does not exist: its slot in [`RAYS`] stores the cell that a spread empties.
pub const SOURCE: usize = 7;

/// The cell `n` steps away from another one.
pub const fn step(cell: usize, direction: Direction, n: i32) -> usize {
    let (dr, dq) = direction.vector();
    let size = SIZE as i32;
    let row = (cell as i32 / size + dr as i32 * n).rem_euclid(size);
    let col = (cell as i32 % size + dq as i32 * n).rem_euclid(size);
    (row * size + col) as usize
}

const fn rays() -> [[u64; 8]; N_MOVES] {
    let mut rays = [[0; 8]; N_MOVES];
    let mut cell = 0;
    while cell < N_CELLS {
        rays[cell][0] = 1 << cell;
        let mut direction = 0;
        while direction < N_DIRECTIONS {
            let m = N_CELLS * (1 + direction) + cell;
            rays[m][SOURCE] = 1 << cell;
            let mut power = 1;
            while power < SOURCE {
                let target = step(cell, Direction::ALL[direction], power as i32);
                rays[m][power] = rays[m][power - 1] | 1 << target;
                power += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    rays
}

const fn reaches() -> [[u64; 8]; N_CELLS] {
    let rays = rays();
    let mut reaches = [[0; 8]; N_CELLS];
    let mut cell = 0;
    while cell < N_CELLS {
        let mut power = 1;
        while power < SOURCE {
            let mut direction = 0;
            while direction < N_DIRECTIONS {
                reaches[cell][power] |= rays[N_CELLS * (1 + direction) + cell][power];
                direction += 1;
            }
            power += 1;
        }
        cell += 1;
    }
    reaches
}
