//! The features of Infexion's champion: stacks by power and by who reaches them, and the cells in reach.

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
/// The number of features of a player: stacks of each power in each state, then features of the whole board.
pub const N_FEATURES: usize = N_STATES * MAX_CELL_POWER as usize + 4;

/// The features of a player.
pub type Features = [i32; N_FEATURES];

macro_rules! both {
    ($name:literal) => {
        [concat!($name, ", to move"), concat!($name, ", waiting")]
    };
}

/// The names of all features for people: for the player to move, and for the other.
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
fn features_of(pos: &Infexion, cells: u64, own: Reached, others: Reached) -> Features {
    let (safe, attacked) = (cells & !others.once, cells & others.once);
    let states: [u64; N_STATES] =
        [safe & !own.once, safe & own.once, attacked & own.once, attacked & !own.once];
    let mut features = [0; N_FEATURES];
    let mut idx = 0;
    let mut power = 1;
    while power <= MAX_CELL_POWER {
        let stacks = pos.cells_of_power(power);
        let mut state = 0;
        while state < states.len() {
            features[idx] = (stacks & states[state]).count_ones() as i32;
            idx += 1;
            state += 1;
        }
        power += 1;
    }
    features[idx] = (cells & others.twice).count_ones() as i32;
    features[idx + 1] = own.once.count_ones() as i32;
    features[idx + 2] = own.twice.count_ones() as i32;
    features[idx + 3] = (own.once & !others.once).count_ones() as i32;
    features
}

/// The features of both players, the player to move first.
#[inline(always)]
pub fn features(pos: &Infexion, [mover, other]: [Reached; 2]) -> [Features; 2] {
    let sides = pos.sides();
    [features_of(pos, sides[0], mover, other), features_of(pos, sides[1], other, mover)]
}
