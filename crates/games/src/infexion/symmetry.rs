//! The 49 shifts, 6 rotations and 2 reflections of the hexagonal torus.
//!
//! Symmetry number = 12 · shift + 6 · reflection + rotation: the board is reflected (rows and columns are
//! swapped), then rotated by multiples of 60°, then shifted by the coordinates of cell number `shift`.

use super::tables::N_CELLS;
use super::text::Direction;
use super::{Action, N_DIRECTIONS, SIZE};
use crate::Move;

pub const N_SYMMETRIES: usize = N_CELLS * N_TURNS;
const N_TURNS: usize = 2 * N_DIRECTIONS;

/// The image of each cell under reflection and rotation alone.
const TURNED: [[(u8, u8); N_CELLS]; N_TURNS] = turned();

const fn turned() -> [[(u8, u8); N_CELLS]; N_TURNS] {
    let size = SIZE as i32;
    let mut images = [[(0, 0); N_CELLS]; N_TURNS];
    let mut turn = 0;
    while turn < N_TURNS {
        let mut cell = 0;
        while cell < N_CELLS {
            let (mut row, mut col) = (cell as i32 / size, cell as i32 % size);
            if N_DIRECTIONS <= turn {
                (row, col) = (col, row);
            }
            let mut n = turn % N_DIRECTIONS;
            while 0 < n {
                (row, col) = (-col, row + col);
                n -= 1;
            }
            images[turn][cell] = (row.rem_euclid(size) as u8, col.rem_euclid(size) as u8);
            cell += 1;
        }
        turn += 1;
    }
    images
}

fn image_cell(cell: usize, symmetry: usize) -> usize {
    let (shift, turn) = ((symmetry / N_TURNS) as u8, symmetry % N_TURNS);
    let (row, col) = TURNED[turn][cell];
    let (row, col) = ((row + shift / SIZE) % SIZE, (col + shift % SIZE) % SIZE);
    usize::from(row * SIZE + col)
}

pub fn image(mut cells: u64, symmetry: usize) -> u64 {
    let mut image = 0;
    while cells != 0 {
        image |= 1 << image_cell(cells.trailing_zeros() as usize, symmetry);
        cells &= cells - 1;
    }
    image
}

pub fn image_move(m: Move, symmetry: usize) -> Move {
    let turn = symmetry % N_TURNS;
    let action = Action::from(m);
    let cell = image_cell(action.cell(), symmetry);
    let image = match action {
        Action::Spawn { .. } => Action::Spawn { cell },
        Action::Spread { direction, .. } => {
            let direction = direction as usize;
            let reflected = if turn < N_DIRECTIONS { direction } else { N_DIRECTIONS - 1 - direction };
            let direction = Direction::ALL[(reflected + turn) % N_DIRECTIONS];
            Action::Spread { cell, direction }
        }
    };
    image.into()
}
