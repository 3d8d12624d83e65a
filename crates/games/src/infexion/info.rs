//! The entry of Infexion in the list of games.

use std::time::Duration;

use super::{MAX_CELL_POWER, SIZE};
use crate::{Board, Course, CourseLimits, GameInfo};

/// Infexion in the list of games.
pub const INFO: GameInfo = GameInfo {
    name: "infexion",
    about: "stacks spread over a hexagonal torus and capture the cells they reach",
    notation: "\
A cell is `r-q`, for instance 3-4; the labels on the edges are r and q.
  3-4           spawn: a new stack on an empty cell, while the total power is below 49
  3-4ur         spread your stack in a direction: u d ur dr ul dl (up, down, up right …)",
    sizes: SIZE..=SIZE,
    default_size: SIZE,
    board: Board::Diamond,
    max_power: MAX_CELL_POWER,
    material: "power",
    // Each player then has two stacks.
    opening_plies: 4,
    limits: |_| CourseLimits {
        time: Duration::from_secs(180),
        megabytes: 250,
        call: Duration::from_secs(60),
    },
    course: Some(Course {
        reports_last_move: false,
        imports_are_free: false,
        reports_resources: true,
        move_method: "turn",
    }),
};
