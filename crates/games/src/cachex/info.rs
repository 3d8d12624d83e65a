//! The entries of Cachex and Hex in the list of games.

use std::time::Duration;

use super::SIZES;
use crate::{Board, Course, CourseLimits, GameInfo};

/// Cachex in the list of games.
pub const CACHEX: GameInfo = GameInfo {
    name: "cachex",
    about: "connect your two sides of a rhombus; diamonds capture, the first move can be stolen",
    rules: "\
Goal: connect your two sides of the board with a chain of your stones. Red
joins bottom and top, blue joins left and right. Red moves first.
  A move puts a stone on an empty cell, but the first one not in the center.
  Steal: as its first move, blue may take over red's stone, mirrored.
  Capture: two neighbors and the two cells beside both form a diamond. If your
    move completes one with your stones on two opposite corners and your
    opponent's on the other two, the opponent's two stones are removed.
  The seventh occurrence of a board is a draw, and so is the 343rd move.",
    notation: "\
A cell is `r-q`, for instance 3-4; row 0 is at the bottom, columns lean to the
right.
  3-4       a stone on an empty cell
  steal     as blue's first move: take over red's stone, mirrored",
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
        memory_is_shared: true,
        reports_resources: false,
        move_method: "turn",
    }),
};

/// Hex in the list of games. The course never taught it, so it uses Cachex's limits.
pub const HEX: GameInfo = GameInfo {
    name: "hex",
    about: "connect your two sides of a rhombus",
    rules: "\
Goal: connect your two sides of the board with a chain of your stones. Red
joins bottom and top, blue joins left and right. Red moves first.
  A move puts a stone on an empty cell. Stones are never moved or removed.
  There are no draws: only your own chain can stop your opponent's.",
    notation: "\
A cell is `r-q`, for instance 3-4; row 0 is at the bottom, columns lean to the
right.
  3-4       a stone on an empty cell",
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
