//! The entry of Infexion in the list of games.

use std::time::Duration;

use super::{MAX_CELL_POWER, SIZE};
use crate::{Board, Course, CourseLimits, GameInfo};

/// Infexion in the list of games.
pub const INFO: GameInfo = GameInfo {
    name: "infexion",
    about: "stacks spread over a hexagonal torus and capture the cells they reach",
    rules: "\
Goal: capture all of your opponent's power. Red moves first.
  A stack has a color and a power from 1 to 6: r3 is a red stack of power 3.
  Spawn: put a new stack of power 1 on an empty cell, while the total power of
    the board is below 49.
  Spread: take one of your stacks and drop one token on each of the next cells
    in a straight line, as many as the stack had power. Each of these cells
    gains 1 power and becomes yours, even if it was your opponent's. A cell
    that would reach 7 becomes empty.
  There are no edges: what leaves the board comes in on the opposite side.
  After 343 moves a lead of at least 2 power wins; otherwise it is a draw.",
    notation: "\
A cell is `r-q`, for instance 3-4. The labels show r, which counts to the upper
right, and q, which counts to the lower right.
  3-4       spawn on an empty cell
  3-4 ur    spread your stack in a direction, one of u d ur dr ul dl: up, down,
            up right, down right, up left, down left",
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
        memory_is_shared: false,
        reports_resources: true,
        move_method: "turn",
    }),
};
