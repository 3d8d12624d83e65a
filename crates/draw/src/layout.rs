//! The positions of a board's cells in the plane.

use yarra_games::{Board, Cell, Player, Position};

/// The distance from a hexagon's center to its corners.
pub const RADIUS: f64 = 24.0;
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// The layout of a game's cells in a picture.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The shape of the board.
    pub board: Board,
    /// The last row and column.
    last: u8,
    max_power: u8,
}

impl Layout {
    /// The layout of a position's board.
    pub fn of(pos: &dyn Position) -> Layout {
        Layout { board: pos.info().board, last: pos.size() - 1, max_power: pos.info().max_power }
    }

    /// Whether stacks have different powers that must be labeled.
    pub fn shows_power(self) -> bool {
        1 < self.max_power
    }

    /// The center of a cell.
    pub fn center(self, cell: &Cell) -> (f64, f64) {
        self.center_of(f64::from(cell.row), f64::from(cell.col))
    }

    /// The center of a cell that may be beyond the edge.
    pub fn center_of(self, row: f64, col: f64) -> (f64, f64) {
        match self.board {
            Board::Diamond => (1.5 * RADIUS * (row + col), SQRT_3 / 2.0 * RADIUS * (col - row)),
            Board::Rhombus => (SQRT_3 * RADIUS * (col + row / 2.0), -1.5 * RADIUS * row),
            Board::Square => (1.5 * RADIUS * col, 1.5 * RADIUS * row),
        }
    }

    /// The corners of a cell around its center, as `(angle in degrees, distance)`.
    pub fn corners(self) -> Vec<(f64, f64)> {
        match self.board {
            Board::Diamond => (0..6).map(|n| (60.0 * f64::from(n), RADIUS)).collect(),
            Board::Rhombus => (0..6).map(|n| (60.0 * f64::from(n) + 30.0, RADIUS)).collect(),
            Board::Square => {
                (0..4).map(|n| (90.0 * f64::from(n) + 45.0, 0.75 * RADIUS * 2_f64.sqrt())).collect()
            }
        }
    }

    /// The player whose side of a rhombus a cell belongs to; `None` for corners, which belong to both.
    pub fn side(self, cell: &Cell) -> Option<Player> {
        if self.board != Board::Rhombus {
            return None;
        }
        let is_edge = |coordinate: u8| coordinate == 0 || coordinate == self.last;
        match (is_edge(cell.row), is_edge(cell.col)) {
            (true, false) => Some(Player::Red),
            (false, true) => Some(Player::Blue),
            _ => None,
        }
    }
}
