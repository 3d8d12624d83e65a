//! Boards as nets see them: which cells a kernel covers around each cell.

use std::sync::OnceLock;

use yarra_games::cachex::SIZES;
use yarra_games::{infexion, tetress};

/// The kind of board and the kinds of moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    /// Infexion: hexagons on a torus of 7 × 7; stacks of power 1 to 6; spawns and six directions of spreads.
    HexTorus,
    /// Tetress: squares on a torus of 11 × 11; tokens; 19 shapes.
    SquareTorus,
    /// Cachex and Hex: hexagons on a rhombus of any size; stones; cells and the steal.
    Rhombus,
}

/// A step from a cell: rows and columns.
type Step = (i8, i8);

/// The center and the six neighbors of a hexagon, each opposite its mirror image from the center on.
const HEX: [Step; 7] = [(0, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];

impl Geometry {
    /// The geometry of a game by its name; `None` if no net plays it.
    pub fn of(game: &str) -> Option<Geometry> {
        match game {
            "infexion" => Some(Geometry::HexTorus),
            "tetress" => Some(Geometry::SquareTorus),
            "cachex" | "hex" => Some(Geometry::Rhombus),
            _ => None,
        }
    }

    /// The board sizes.
    pub fn sizes(self) -> std::ops::RangeInclusive<u8> {
        match self {
            Geometry::HexTorus => infexion::SIZE..=infexion::SIZE,
            Geometry::SquareTorus => tetress::SIZE..=tetress::SIZE,
            Geometry::Rhombus => SIZES,
        }
    }

    /// The number of codes of what can be on a cell, not counting an empty cell. Beyond a rhombus lie its sides: that of
    /// the player to move, that of the opponent, and corners between them.
    pub fn n_codes(self) -> usize {
        match self {
            Geometry::HexTorus => 2 * usize::from(infexion::MAX_CELL_POWER),
            Geometry::SquareTorus => 2,
            Geometry::Rhombus => 5,
        }
    }

    /// The number of moves that belong to one cell.
    pub fn n_planes(self) -> usize {
        match self {
            Geometry::HexTorus => 7,
            Geometry::SquareTorus => tetress::shapes::N_SHAPES,
            Geometry::Rhombus => 1,
        }
    }

    /// Whether there is a move that belongs to no cell. Its policy index is the number of cells.
    pub fn has_steal(self) -> bool {
        self == Geometry::Rhombus
    }

    /// The cells that the kernels of the blocks cover, as steps from their center.
    pub fn kernel(self) -> Vec<Step> {
        match self {
            Geometry::HexTorus | Geometry::Rhombus => HEX.to_vec(),
            Geometry::SquareTorus => square(1),
        }
    }

    /// The cells that the input layer covers. A lookup is cheap, so it sees further than a block: the whole axes on
    /// which stacks spread, and the diamonds and pieces around a cell.
    pub fn input_kernel(self) -> Vec<Step> {
        match self {
            Geometry::HexTorus => {
                let axis = |&(dr, dq): &Step| [1, 2, 3].map(|n| (n * dr, n * dq));
                std::iter::once((0, 0)).chain(HEX[1..].iter().flat_map(axis)).collect()
            }
            Geometry::SquareTorus => square(2),
            Geometry::Rhombus => {
                let is_near = |&(dr, dq): &Step| (dr + dq).abs() <= 2;
                square(2).into_iter().filter(is_near).collect()
            }
        }
    }

    /// After how many plies the lead to learn is measured; `None` at the end of the game. In Tetress what will be after
    /// many plies can hardly be foretold.
    pub fn lead_after(self) -> Option<usize> {
        (self == Geometry::SquareTorus).then_some(8)
    }

    /// The share of the expected lead in what a search takes for the value; the rest is the expected result. Where results
    /// can hardly be foretold, all values would be near zero, and a search would have nothing to go by.
    pub fn lead_share(self) -> f32 {
        if self == Geometry::SquareTorus { 0.5 } else { 0.0 }
    }

    fn wraps(self) -> bool {
        self != Geometry::Rhombus
    }
}

/// All steps of at most `reach` rows and columns.
fn square(reach: i8) -> Vec<Step> {
    (-reach..=reach).flat_map(|dr| (-reach..=reach).map(move |dc| (dr, dc))).collect()
}

/// What lies at a step from a cell.
enum There {
    Cell(usize),
    /// Beyond the sides that the player to move joins, beyond the opponent's, or beyond both.
    Beyond {
        own: bool,
        other: bool,
    },
}

/// The surroundings of all cells of one board.
#[derive(Debug)]
pub struct Grid {
    /// Rows and columns.
    pub size: usize,
    /// For each step of the kernel and each cell the row of activations there; `n_cells`, which is zero, beyond the
    /// board.
    pub near: Vec<Vec<u16>>,
    /// The same for the opposite step: where a cell was looked at from.
    pub near_back: Vec<Vec<u16>>,
    /// For each cell the steps of the input kernel and the cells from which they lead to it. Three more entries stand for
    /// what lies beyond the board: the sides of the player to move, the opponent's, and corners.
    pub seen_from: Vec<Vec<(u16, u16)>>,
    /// The groups of cells that are pooled together in the trunk: rows and columns, or the whole board.
    pub groups: Vec<Vec<u16>>,
}

impl Grid {
    /// The grid of a board, made once.
    ///
    /// # Panics
    /// If the game is not played at this size.
    pub fn of(geometry: Geometry, size: u8) -> &'static Grid {
        static GRIDS: [OnceLock<Grid>; 16] = [const { OnceLock::new() }; 16];
        assert!(geometry.sizes().contains(&size), "{geometry:?} has no board of size {size}");
        let idx = match geometry {
            Geometry::HexTorus => 0,
            Geometry::SquareTorus => 1,
            Geometry::Rhombus => usize::from(size),
        };
        GRIDS[idx].get_or_init(|| Grid::new(geometry, size.into()))
    }

    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.size * self.size
    }

    fn new(geometry: Geometry, size: usize) -> Grid {
        let n_cells = size * size;
        let there = |cell: usize, (dr, dc): Step| {
            let (row, col) = ((cell / size) as i32 + i32::from(dr), (cell % size) as i32 + i32::from(dc));
            let range = 0..size as i32;
            match (range.contains(&row), range.contains(&col)) {
                (true, true) => There::Cell(row as usize * size + col as usize),
                _ if geometry.wraps() => {
                    let (row, col) = (row.rem_euclid(size as i32), col.rem_euclid(size as i32));
                    There::Cell(row as usize * size + col as usize)
                }
                (on_row, on_col) => There::Beyond { own: !on_row, other: !on_col },
            }
        };
        let rows = |steps: &[Step], sign: i8| {
            let row = |cell, (dr, dc): Step| match there(cell, (sign * dr, sign * dc)) {
                There::Cell(cell) => cell as u16,
                There::Beyond { .. } => n_cells as u16,
            };
            steps.iter().map(|&step| (0..n_cells).map(|cell| row(cell, step)).collect()).collect()
        };
        let mut seen_from = vec![Vec::new(); n_cells + 3];
        for (n, &step) in geometry.input_kernel().iter().enumerate() {
            for cell in 0..n_cells {
                let seen = match there(cell, step) {
                    There::Cell(cell) => cell,
                    There::Beyond { own, other } => {
                        n_cells + if own && other { 2 } else { usize::from(other) }
                    }
                };
                seen_from[seen].push((n as u16, cell as u16));
            }
        }
        let line = |cell: &dyn Fn(usize) -> usize| (0..size).map(|n| cell(n) as u16).collect();
        let groups = match geometry {
            Geometry::SquareTorus => {
                let lines = (0..size).map(|row| line(&|col| row * size + col));
                lines.chain((0..size).map(|col| line(&|row| row * size + col))).collect()
            }
            Geometry::HexTorus | Geometry::Rhombus => vec![(0..n_cells as u16).collect()],
        };
        let kernel = geometry.kernel();
        Grid { size, near: rows(&kernel, 1), near_back: rows(&kernel, -1), seen_from, groups }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_the_cells_of_the_rules() {
        assert_eq!(Geometry::HexTorus.input_kernel().len(), 19);
        assert_eq!(Geometry::Rhombus.input_kernel().len(), 19);
        assert_eq!(Geometry::SquareTorus.input_kernel().len(), 25);
        let directions = infexion::Direction::ALL.map(|direction| direction.vector());
        assert!(HEX[1..].iter().all(|step| directions.contains(step)));
    }

    #[test]
    fn looking_back_is_the_inverse_of_looking() {
        for (geometry, size) in [(Geometry::HexTorus, 7), (Geometry::SquareTorus, 11), (Geometry::Rhombus, 5)]
        {
            let grid = Grid::of(geometry, size);
            for (near, back) in grid.near.iter().zip(&grid.near_back) {
                for (cell, &there) in near.iter().enumerate() {
                    assert!(
                        usize::from(there) == grid.n_cells() || usize::from(back[usize::from(there)]) == cell
                    );
                }
            }
        }
    }

    #[test]
    fn sides_of_a_rhombus_are_told_apart() {
        let grid = Grid::of(Geometry::Rhombus, 5);
        let kernel = Geometry::Rhombus.input_kernel();
        let seen = |cell: u16, step| {
            let n = kernel.iter().position(|&s| s == step).expect("a step of the kernel") as u16;
            grid.seen_from
                .iter()
                .position(|seen_from| seen_from.contains(&(n, cell)))
                .expect("something is seen")
        };
        assert_eq!(seen(2, (-1, 0)), 25);
        assert_eq!(seen(10, (0, -1)), 26);
        assert_eq!(seen(20, (1, -1)), 27);
        assert_eq!(seen(12, (1, -1)), 16);
    }
}
