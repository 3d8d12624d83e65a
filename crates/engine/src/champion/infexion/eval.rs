//! What Infexion's champion counts: stacks by power and by who reaches them, and the cells in reach.

use yarra_games::infexion::{Infexion, MAX_CELL_POWER};

/// The cells that the stacks of one player reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// By at least one stack.
    pub once: u64,
    /// By at least two.
    pub twice: u64,
}

impl Reached {
    #[inline(always)]
    pub(super) fn by(pos: &Infexion, mut stacks: u64) -> Reached {
        let (mut once, mut twice) = (0, 0);
        while stacks != 0 {
            let reach = pos.reach_from(stacks.trailing_zeros() as usize);
            twice |= once & reach;
            once |= reach;
            stacks &= stacks - 1;
        }
        Reached { once, twice }
    }
}

/// A stack is alone, defended, attacked but defended, or attacked.
pub(super) const N_STATES: usize = 4;
/// How many counts a player has: stacks of each power in each state, then what is counted of all.
pub const N_FEATURES: usize = N_STATES * MAX_CELL_POWER as usize + 4;

/// How much of each feature a player has.
pub type Counts = [i32; N_FEATURES];

macro_rules! both {
    ($name:literal) => {
        [concat!($name, ", to move"), concat!($name, ", waiting")]
    };
}

/// The names of all features for people: of the player to move, and of the one who waits.
pub const NAMES: [[&str; 2]; N_FEATURES] = [
    both!("stacks of 1, alone"),
    both!("stacks of 1, defended"),
    both!("stacks of 1, attacked but defended"),
    both!("stacks of 1, attacked"),
    both!("stacks of 2, alone"),
    both!("stacks of 2, defended"),
    both!("stacks of 2, attacked but defended"),
    both!("stacks of 2, attacked"),
    both!("stacks of 3, alone"),
    both!("stacks of 3, defended"),
    both!("stacks of 3, attacked but defended"),
    both!("stacks of 3, attacked"),
    both!("stacks of 4, alone"),
    both!("stacks of 4, defended"),
    both!("stacks of 4, attacked but defended"),
    both!("stacks of 4, attacked"),
    both!("stacks of 5, alone"),
    both!("stacks of 5, defended"),
    both!("stacks of 5, attacked but defended"),
    both!("stacks of 5, attacked"),
    both!("stacks of 6, alone"),
    both!("stacks of 6, defended"),
    both!("stacks of 6, attacked but defended"),
    both!("stacks of 6, attacked"),
    both!("twice attacked stacks"),
    both!("cells in reach"),
    both!("cells in reach twice"),
    both!("cells in reach alone"),
];

#[inline(always)]
fn count(pos: &Infexion, cells: u64, own: Reached, others: Reached) -> Counts {
    let (safe, attacked) = (cells & !others.once, cells & others.once);
    let states: [u64; N_STATES] =
        [safe & !own.once, safe & own.once, attacked & own.once, attacked & !own.once];
    let mut counts = [0; N_FEATURES];
    let mut idx = 0;
    let mut power = 1;
    while power <= MAX_CELL_POWER {
        let stacks = pos.cells_of_power(power);
        let mut state = 0;
        while state < states.len() {
            counts[idx] = (stacks & states[state]).count_ones() as i32;
            idx += 1;
            state += 1;
        }
        power += 1;
    }
    counts[idx] = (cells & others.twice).count_ones() as i32;
    counts[idx + 1] = own.once.count_ones() as i32;
    counts[idx + 2] = own.twice.count_ones() as i32;
    counts[idx + 3] = (own.once & !others.once).count_ones() as i32;
    counts
}

/// The counts of the player to move and of the one who waits.
#[inline(always)]
pub fn counts(pos: &Infexion, [mover, other]: [Reached; 2]) -> [Counts; 2] {
    let sides = pos.sides();
    [count(pos, sides[0], mover, other), count(pos, sides[1], other, mover)]
}
