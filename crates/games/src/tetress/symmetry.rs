//! The 121 shifts, 4 rotations and 2 reflections of the square torus.
//!
//! Symmetry number = 8 · shift + 4 · reflection + rotation: rows and columns are swapped, then the board is
//! rotated by multiples of 90°, then shifted by the coordinates of cell number `shift`.

use super::SIZE;
use super::grid::N_CELLS;
use super::shapes::{N_SHAPES, SHAPES, offset};
use crate::Move;

pub const N_SYMMETRIES: usize = N_CELLS * N_TURNS;
const N_TURNS: usize = 8;

const fn turned((mut row, mut col): (i8, i8), turn: usize) -> (i8, i8) {
    if 4 <= turn {
        (row, col) = (col, row);
    }
    let mut n = turn % 4;
    while 0 < n {
        (row, col) = (col, -row);
        n -= 1;
    }
    (row, col)
}

/// A rotated or reflected shape: its number, and the offset of its origin from the old one.
#[derive(Clone, Copy)]
struct TurnedShape {
    shape: usize,
    origin: (i8, i8),
}

const TURNED_SHAPES: [[TurnedShape; N_SHAPES]; N_TURNS] = turned_shapes();

const fn turned_shapes() -> [[TurnedShape; N_SHAPES]; N_TURNS] {
    let mut images = [[TurnedShape { shape: 0, origin: (0, 0) }; N_SHAPES]; N_TURNS];
    let mut turn = 0;
    while turn < N_TURNS {
        let mut shape = 0;
        while shape < N_SHAPES {
            images[turn][shape] = turned_shape(shape, turn);
            shape += 1;
        }
        turn += 1;
    }
    images
}

const fn turned_shape(shape: usize, turn: usize) -> TurnedShape {
    let mut image = 0;
    while image < N_SHAPES {
        let mut n = 0;
        while n < 4 {
            let origin = turned(SHAPES[shape][n], turn);
            if covers(image, origin, shape, turn) {
                return TurnedShape { shape: image, origin };
            }
            n += 1;
        }
        image += 1;
    }
    panic!("every tetromino turns into a tetromino")
}

/// Whether each turned cell of `shape` is a cell of `image` placed at `origin`.
const fn covers(image: usize, origin: (i8, i8), shape: usize, turn: usize) -> bool {
    let mut n_covered = 0;
    let mut n = 0;
    while n < 16 {
        let cell = turned(SHAPES[shape][n / 4], turn);
        let (row, col) = SHAPES[image][n % 4];
        if cell.0 == origin.0 + row && cell.1 == origin.1 + col {
            n_covered += 1;
        }
        n += 1;
    }
    n_covered == 4
}

fn image_cell(cell: usize, symmetry: usize) -> usize {
    let size = usize::from(SIZE);
    let (shift, turn) = (symmetry / N_TURNS, symmetry % N_TURNS);
    offset(shift, turned(((cell / size) as i8, (cell % size) as i8), turn))
}

pub fn image(mut cells: u128, symmetry: usize) -> u128 {
    let mut image = 0;
    while cells != 0 {
        image |= 1 << image_cell(cells.trailing_zeros() as usize, symmetry);
        cells &= cells - 1;
    }
    image
}

pub fn image_move(m: Move, symmetry: usize) -> Move {
    let (shape, cell) = (usize::from(m.0) / N_CELLS, usize::from(m.0) % N_CELLS);
    let TurnedShape { shape, origin } = TURNED_SHAPES[symmetry % N_TURNS][shape];
    let cell = offset(image_cell(cell, symmetry), origin);
    Move((N_CELLS * shape + cell) as u16)
}
