//! The entry of Tetress in the list of games.

use std::time::Duration;

use super::SIZE;
use crate::{Board, Course, CourseLimits, GameInfo};

/// Tetress in the list of games.
pub const INFO: GameInfo = GameInfo {
    name: "tetress",
    about: "tetrominoes on a torus; full lines vanish, a player that cannot move loses",
    rules: "\
Goal: leave your opponent without a move. Red moves first.
  A move puts a piece of four tokens, joined by their sides, on empty cells.
  One of them must be beside a token of yours, except with your first move.
  A row or column that is then full is cleared: all its tokens vanish, yours
  and your opponent's.
  There are no edges: what leaves the board comes in on the opposite side.
  After 150 moves the player with more tokens wins.",
    notation: "\
A cell is `row-column`, for instance 3-10; row 0 is on top.
  3-3 3-4 4-3 4-4    the four cells of a piece, in any order",
    sizes: SIZE..=SIZE,
    default_size: SIZE,
    board: Board::Square,
    max_power: 1,
    material: "tokens",
    opening_plies: 2,
    limits: |_| CourseLimits {
        time: Duration::from_secs(180),
        megabytes: 250,
        call: Duration::from_secs(180),
    },
    course: Some(Course {
        reports_last_move: false,
        imports_are_free: false,
        memory_is_shared: false,
        reports_resources: true,
        move_method: "update",
    }),
};
