//! The boards from the start of a game to a position inside a search, for the repetition rule.

use crate::{Move, Position, Record};

/// Detects repetition draws inside a search, at no cost where the rule cannot apply.
#[derive(Clone, Debug, Default)]
pub struct History {
    boards: Vec<u64>,
    limit: usize,
    /// How often the most frequent board of the game has occurred.
    most: usize,
    is_watched: bool,
}

/// The least number of plies between two occurrences of a board. Each ply adds a stone and a capture removes
/// two, so both colors must place two stones and lose two.
const CYCLE: usize = 4;

impl History {
    /// The history of a game, for a search of `depth` plies.
    pub fn new(record: &Record, depth: u32) -> History {
        let Some(rule) = record.now().repetition() else { return History::default() };
        let boards = record.boards();
        let n_times = |board| boards.iter().filter(|&other| other == board).count();
        let most = boards.iter().map(n_times).max().unwrap_or(0);
        let limit = usize::from(rule.limit);
        let mut history = History { boards: boards.to_vec(), limit, most, is_watched: false };
        history.watch(depth);
        history
    }

    /// How many boards are kept.
    pub fn n_boards(&self) -> usize {
        self.boards.len()
    }

    /// Prepares for a search of a different depth.
    pub fn watch(&mut self, depth: u32) {
        self.is_watched = self.can_end_within(depth);
    }

    /// Whether the rule can end the game within `n_plies` plies.
    #[inline(always)]
    pub fn can_end_within(&self, n_plies: u32) -> bool {
        self.limit != 0 && self.limit <= self.most + (n_plies as usize).div_ceil(CYCLE)
    }

    /// Whether the rule can end the game within the depth of the search.
    #[inline(always)]
    pub fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Adds the position after a move. Returns false if its board has occurred too often: the game is drawn.
    #[inline(always)]
    pub fn enter<P: Position + ?Sized>(&mut self, pos: &P) -> bool {
        if !self.is_watched {
            return true;
        }
        let Some(rule) = pos.repetition() else { return true };
        let n_times = self.boards.iter().filter(|&&board| board == rule.key).count();
        if self.limit <= n_times + 1 {
            return false;
        }
        self.boards.push(rule.key);
        true
    }

    /// Whether some moves from the last position of the game lead to a draw by repetition. They are played for it: ask
    /// [`History::can_end_within`] first.
    pub fn is_drawn_after(&mut self, pos: &dyn Position, moves: &[Move]) -> bool {
        self.watch(moves.len() as u32);
        let mut pos = pos.boxed();
        let n_before = self.boards.len();
        let is_drawn = moves.iter().any(|&m| {
            pos.play(m);
            !self.enter(&*pos)
        });
        self.boards.truncate(n_before);
        is_drawn
    }

    /// Removes the last position.
    #[inline(always)]
    pub fn leave(&mut self) {
        if self.is_watched {
            self.boards.pop();
        }
    }
}
