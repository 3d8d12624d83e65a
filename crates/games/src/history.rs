//! The boards on the way from the start of a game to a position that a search looks at.

use crate::{Game, Record};

/// Knows when the repetition rule ends a line of play, and costs nothing where it cannot.
#[derive(Clone, Debug, Default)]
pub struct History {
    boards: Vec<u64>,
    limit: usize,
    /// How often the most frequent board of the game has stood.
    most: usize,
    is_watched: bool,
}

/// Plies between two times of the same board, at least. Each ply adds a stone, and a capture takes two:
/// both colors must lose what they set, so both set two.
const CYCLE: usize = 4;

impl History {
    /// The history of a game that is about to be searched `depth` plies deep.
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

    /// Prepares for a search of another depth.
    pub fn watch(&mut self, depth: u32) {
        self.is_watched = self.can_end_within(depth);
    }

    /// Whether some board can recur often enough within so many plies.
    #[inline(always)]
    pub fn can_end_within(&self, n_plies: u32) -> bool {
        self.limit != 0 && self.limit <= self.most + (n_plies as usize).div_ceil(CYCLE)
    }

    /// False where no board can recur often enough within the depth.
    #[inline(always)]
    pub fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Adds a position that a move led to, unless its board has stood too often: then the game is drawn.
    #[inline(always)]
    pub fn enter(&mut self, pos: &impl Game) -> bool {
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

    /// Takes the last position back.
    #[inline(always)]
    pub fn leave(&mut self) {
        if self.is_watched {
            self.boards.pop();
        }
    }
}
