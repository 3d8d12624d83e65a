//! What a search by depth cost, in the terms of an analysis by hand: the shape of its tree and the space on its path.

use yarra_games::Move;

/// The tree of a search by depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Nodes at the depth limit or at an end of the game.
    pub leaves: u64,
    /// Nodes whose moves were searched. The root counts once for each depth.
    pub internal: u64,
    /// The moves of all internal nodes together, those that are never searched because of a cutoff included.
    pub moves: u64,
}

impl Shape {
    /// The branching factor: the moves of an internal node, on average.
    pub fn branching(&self) -> Option<f64> {
        (0 < self.internal).then(|| self.moves as f64 / self.internal as f64)
    }
}

/// The most that a search by depth held at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// Moves in the lists along one path.
    pub moves: usize,
    /// Boards along one path.
    pub boards: usize,
    /// Bytes of a board.
    pub board_bytes: usize,
    /// Boards of the game and the path that are kept for the repetition rule.
    pub history: usize,
    /// Bytes of tables and caches.
    pub tables: usize,
}

impl Space {
    /// Bytes of a move in a list.
    pub const MOVE_BYTES: usize = size_of::<Move>();
    /// Bytes of a board that is kept for the repetition rule.
    pub const HISTORY_BYTES: usize = size_of::<u64>();

    /// Bytes in all.
    pub fn total(&self) -> usize {
        self.moves * Space::MOVE_BYTES
            + self.boards * self.board_bytes
            + self.history * Space::HISTORY_BYTES
            + self.tables
    }
}
