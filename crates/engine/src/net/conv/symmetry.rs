//! Symmetries of what a net sees, taken from the games' own.

use yarra_games::infexion::{self, Infexion};
use yarra_games::tetress::shapes::{PLACEMENTS, offset};
use yarra_games::tetress::{self, Tetress};
use yarra_games::{Game, Move};

use super::{Geometry, NetInput};

/// A symmetry of a board that maps each position to one with the same value, seen by the same player.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry {
    geometry: Geometry,
    size: u8,
    number: usize,
}

impl Symmetry {
    /// The number of symmetries, including the identity, which is number 0.
    pub fn count(geometry: Geometry) -> usize {
        match geometry {
            Geometry::HexTorus => infexion_start().n_symmetries(),
            Geometry::SquareTorus => tetress_start().n_symmetries(),
            // The transposition that swaps the colors is gone: nets see the board from the mover's sides.
            Geometry::Rhombus => 2,
        }
    }

    /// A symmetry of a board by its number.
    pub fn new(geometry: Geometry, size: u8, number: usize) -> Symmetry {
        Symmetry { geometry, size, number }
    }

    /// A symmetry of a board, uniformly at random.
    pub fn random(geometry: Geometry, size: u8, rng: &mut fastrand::Rng) -> Symmetry {
        Symmetry { geometry, size, number: rng.usize(..Symmetry::count(geometry)) }
    }

    /// The image of a position.
    pub fn apply(self, input: &NetInput, image: &mut NetInput) {
        image.size = input.size;
        image.scalars = input.scalars;
        image.cells.clear();
        image.cells.resize(input.cells.len(), 0);
        for (cell, &code) in input.cells.iter().enumerate() {
            if code != 0 {
                image.cells[self.cell(cell)] = code;
            }
        }
    }

    /// The image of a policy index.
    pub fn index(self, idx: u16) -> u16 {
        match self.geometry {
            Geometry::HexTorus => infexion_start().image_move(self.number, Move(idx)).0,
            Geometry::SquareTorus => tetress_start().image_move(self.number, Move(idx)).0,
            Geometry::Rhombus => {
                let is_stone = usize::from(idx) < usize::from(self.size).pow(2);
                if is_stone { self.cell(idx.into()) as u16 } else { idx }
            }
        }
    }

    fn cell(self, cell: usize) -> usize {
        match self.geometry {
            Geometry::HexTorus => self.index(cell as u16).into(),
            Geometry::SquareTorus => {
                // Two squares of tokens that have only this cell in common.
                let image = |cell: usize| PLACEMENTS[usize::from(self.index(cell as u16))];
                (image(cell) & image(offset(cell, (-1, -1)))).trailing_zeros() as usize
            }
            Geometry::Rhombus if self.number == 0 => cell,
            Geometry::Rhombus => usize::from(self.size).pow(2) - 1 - cell,
        }
    }
}

fn infexion_start() -> Infexion {
    Infexion::start(infexion::SIZE).expect("the size of Infexion")
}

fn tetress_start() -> Tetress {
    Tetress::start(tetress::SIZE).expect("the size of Tetress")
}
