//! The list of scored moves.

use yarra_games::Move;

/// Moves with their scores. The lists of all nodes on the current line lie one behind the other.
#[derive(Clone, Debug, Default)]
pub struct ScoredMoves(Vec<i64>);

/// How many moves are compared at once.
const N_LANES: usize = 8;

impl ScoredMoves {
    /// Adds a move with a score.
    #[inline(always)]
    pub fn push(&mut self, m: Move, score: i32) {
        // The move breaks ties, so that the order does not depend on the order of insertion.
        self.0.push(i64::from(score) << 16 | i64::from(u16::MAX - m.0));
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A move and its score.
    #[inline(always)]
    pub fn get(&self, idx: usize) -> (Move, i32) {
        let packed = self.0[idx];
        (Move(u16::MAX - packed as u16), (packed >> 16) as i32)
    }

    /// Adds to the score of a move.
    #[inline(always)]
    pub fn add(&mut self, idx: usize, score: i32) {
        self.0[idx] += i64::from(score) << 16;
    }

    /// The best move from an index on, which is swapped to that index.
    #[inline(always)]
    pub fn take_best(&mut self, idx: usize) -> Option<(Move, i32)> {
        let rest = self.0.get_mut(idx..)?;
        // First the maximum, then its place: both loops vectorize and neither has a branch that depends on a score.
        // Plain loops, because iterator adapters are not always inlined and would then be compiled for the oldest
        // CPU: that cost a fifth of a search's nodes per second.
        let (chunks, tail) = rest.as_chunks::<N_LANES>();
        let mut greatest = [i64::MIN; N_LANES];
        for chunk in chunks {
            let mut lane = 0;
            while lane < N_LANES {
                greatest[lane] = chunk[lane].max(greatest[lane]);
                lane += 1;
            }
        }
        let mut most = i64::MIN;
        for &packed in &greatest {
            most = most.max(packed);
        }
        for &packed in tail {
            most = most.max(packed);
        }
        let mut best = 0;
        while best < rest.len() && rest[best] != most {
            best += 1;
        }
        if best == rest.len() {
            return None;
        }
        rest.swap(0, best);
        Some(self.get(idx))
    }

    /// Removes all moves from an index on.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}
