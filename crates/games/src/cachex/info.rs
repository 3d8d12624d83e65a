//! The entries of Cachex and Hex in the list of games.

use std::time::Duration;

use super::SIZES;
use crate::{Board, Course, CourseLimits, GameInfo};

/// Cachex in the list of games.
pub const CACHEX: GameInfo = GameInfo {
    name: "cachex",
    about: "connect your two sides of a rhombus; diamonds capture, the first move can be stolen",
    notation: "\
A cell is `r-q`, for instance 3-4; row 0 is at the bottom, columns lean to the right.
  3-4           a stone on an empty cell; red's first must not be in the center
  steal         as blue's first move: take over red's stone, mirrored
Red joins bottom and top, blue joins left and right.",
    sizes: SIZES,
    default_size: 9,
    board: Board::Rhombus,
    max_power: 1,
    material: "stones",
    // More random stones tend to decide the game.
    opening_plies: 2,
    limits,
    course: Some(Course {
        reports_last_move: true,
        imports_are_free: true,
        reports_resources: false,
        move_method: "turn",
    }),
};

/// Hex in the list of games. The course never taught it, so it uses Cachex's limits.
pub const HEX: GameInfo = GameInfo {
    name: "hex",
    about: "connect your two sides of a rhombus",
    notation: "\
A cell is `r-q`, for instance 3-4; row 0 is at the bottom, columns lean to the right.
  3-4           a stone on an empty cell
Red joins bottom and top, blue joins left and right.",
    sizes: SIZES,
    default_size: 11,
    board: Board::Rhombus,
    max_power: 1,
    material: "stones",
    opening_plies: 2,
    limits,
    course: None,
};

/// One second per cell.
fn limits(size: u8) -> CourseLimits {
    let n_cells = u64::from(size) * u64::from(size);
    CourseLimits {
        time: Duration::from_secs(n_cells),
        megabytes: 100,
        call: Duration::from_secs(n_cells + 10),
    }
}
