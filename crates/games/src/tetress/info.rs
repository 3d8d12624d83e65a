//! The entry of Tetress in the list of games.

use std::time::Duration;

use super::SIZE;
use crate::{Board, Course, CourseLimits, GameInfo};

/// Tetress in the list of games.
pub const INFO: GameInfo = GameInfo {
    name: "tetress",
    about: "tetrominoes on a torus; full lines vanish, a player that cannot move loses",
    notation: "\
A cell is `row-column`, for instance 3-10; row 0 is on top.
  3-3,3-4,4-3,4-4   four empty cells that form a tetromino, in any order; the edges wrap around.
                    One of them must touch a token of yours, except with your first move.",
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
        reports_resources: true,
        move_method: "update",
    }),
};
