//! The solved boards of 3 × 3 and 4 × 4 cells.
//!
//! The complete 3 × 3 table is computed on first use. For 4 × 4, `data/solved/cachex-4.bin` stores the positions that an
//! 11-ply search cannot resolve: draws, and those whose end is [`FAR`] plies away or more. All others are searched,
//! which is fast because every far position is known.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::retrograde::{self, Board, DRAW, Next, Rules};

/// The table of the 4 × 4 board has no ends nearer than this many plies.
pub const FAR: u8 = 12;

static FAR_BOARDS: &[u8] = include_bytes!("../../../../../data/solved/cachex-4.bin");

/// The solution of one size.
pub struct Solved {
    rules: Rules,
    known: Known,
}

enum Known {
    /// The result of every board, by its index.
    All(Vec<u8>),
    /// The indexes of far boards in ascending order, and their results.
    Far(Vec<u64>, Vec<u8>),
}

impl Solved {
    /// The solution of a size, if it is solved.
    pub fn of_size(size: u8) -> Option<&'static Solved> {
        static THREE: OnceLock<Solved> = OnceLock::new();
        static FOUR: OnceLock<Solved> = OnceLock::new();
        match size {
            3 => Some(THREE.get_or_init(|| {
                let rules = Rules::new(3);
                let known = Known::All(retrograde::solve(&rules));
                Solved { rules, known }
            })),
            4 => Some(FOUR.get_or_init(|| {
                let (boards, ends) = unpack(FAR_BOARDS);
                Solved { rules: Rules::new(4), known: Known::Far(boards, ends) }
            })),
            _ => None,
        }
    }

    /// The result of a board: plies to a win of the player to move (odd) or to a loss (even), or [`DRAW`].
    pub fn end(&self, board: Board) -> u8 {
        self.end_after(board, &mut Seen::new())
    }

    /// The same, with what was found for other boards: those after the moves of one position lead to the same ones.
    pub fn end_after(&self, board: Board, seen: &mut Seen) -> u8 {
        match &self.known {
            Known::All(ends) => ends[self.rules.index(board)],
            Known::Far(..) => match self.far_end(board) {
                Some(end) => end,
                None => (1..FAR).find(|&n_plies| self.ends_within(board, n_plies, seen)).unwrap_or(DRAW),
            },
        }
    }

    /// The rules of this size.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether neither player can force a win.
    pub fn is_draw(&self, board: Board) -> bool {
        match &self.known {
            Known::All(ends) => ends[self.rules.index(board)] == DRAW,
            Known::Far(..) => self.far_end(board) == Some(DRAW),
        }
    }

    fn far_end(&self, board: Board) -> Option<u8> {
        let Known::Far(boards, ends) = &self.known else { return None };
        let idx = boards.binary_search(&(self.rules.canonical_index(board) as u64)).ok()?;
        Some(ends[idx])
    }

    /// Whether the player to move wins within an odd number of plies, or loses within an even one.
    fn ends_within(&self, board: Board, n_plies: u8, seen: &mut Seen) -> bool {
        let is_remembered = 3 <= n_plies;
        let key = (self.rules.index(board) as u32, n_plies);
        if is_remembered {
            if let Some(&known) = seen.get(&key) {
                return known;
            }
            // A far end is not within reach. Nearer to the leaves, to search is faster than to look that up.
            if self.far_end(board).is_some() {
                seen.insert(key, false);
                return false;
            }
        }
        let is_win = n_plies % 2 == 1;
        let mut cells = self.rules.empty(board);
        let mut result = !is_win;
        while cells != 0 {
            let next = self.rules.play(board, cells.trailing_zeros() as usize);
            cells &= cells - 1;
            let follows = match next {
                Next::Won => is_win,
                // A loss for one player is a win for the other, one ply sooner.
                Next::Board(next) => 1 < n_plies && self.ends_within(next, n_plies - 1, seen),
            };
            if follows == is_win {
                result = is_win;
                break;
            }
        }
        if is_remembered {
            seen.insert(key, result);
        }
        result
    }
}

/// Whether a board, by its index, was found to end within a number of plies.
pub type Seen = HashMap<(u32, u8), bool>;

/// Packs boards in ascending order: for each the difference to the one before, seven bits a byte with the last byte
/// marked, then its result.
pub fn pack(boards: &[(u64, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = 0;
    for &(board, end) in boards {
        let mut step = board - before;
        before = board;
        while 0x7f < step {
            bytes.push(step as u8 & 0x7f);
            step >>= 7;
        }
        bytes.push(step as u8 | 0x80);
        bytes.push(end);
    }
    bytes
}

/// Unpacks boards and their results.
pub fn unpack(bytes: &[u8]) -> (Vec<u64>, Vec<u8>) {
    let (mut boards, mut ends) = (Vec::new(), Vec::new());
    let mut bytes = bytes.iter();
    let (mut board, mut step, mut shift) = (0, 0, 0);
    while let Some(&byte) = bytes.next() {
        step |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 != 0 {
            board += step;
            (step, shift) = (0, 0);
            boards.push(board);
            ends.push(*bytes.next().unwrap_or(&DRAW));
        }
    }
    (boards, ends)
}
