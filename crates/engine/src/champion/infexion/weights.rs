//! The weights of all features, for the player to move and for the other: an attack on the latter can be
//! carried out.

use yarra_games::infexion::MAX_CELL_POWER;

use super::super::weights::Weights;
use super::eval::{N_FEATURES, N_STATES};

/// Set by hand, before any game was played: a point of power is 100, a stack 15 more; less if it is attacked, and least
/// if the attacker is to move.
pub const HAND: Weights<N_FEATURES> = Weights::hundredths(
    by_hand([[15, 100], [15, 100], [10, 90], [5, 80]], [-10, 3, 0, 0]),
    by_hand([[15, 100], [15, 100], [5, 75], [0, 40]], [-10, 3, 0, 0]),
    60,
);

/// For each state the weights of a stack and of a point of its power, then those of the other features.
const fn by_hand(states: [[i32; 2]; N_STATES], others: [i32; 4]) -> [i32; N_FEATURES] {
    let mut weights = [0; N_FEATURES];
    let n_stacks = N_STATES * MAX_CELL_POWER as usize;
    let mut idx = 0;
    while idx < n_stacks {
        let [stack, point] = states[idx % N_STATES];
        weights[idx] = stack + point * (1 + idx / N_STATES) as i32;
        idx += 1;
    }
    while idx < N_FEATURES {
        weights[idx] = others[idx - n_stacks];
        idx += 1;
    }
    weights
}

/// Fitted to games of the champion against itself, as version 0.1 had them.
pub const V0_1: Weights<N_FEATURES> = Weights::hundredths(
    [
        28, 44, 31, -3, 151, 165, 152, 142, 208, 240, 208, 156, 245, 381, 300, 239, 305, 299, 251, 217, 353,
        396, 350, 308, -42, 3, 7, 0,
    ],
    [
        35, 55, 42, -20, 178, 191, 177, 39, 252, 284, 64, -91, 299, 409, 250, -158, 340, 348, -57, -267, 398,
        446, 208, 172, -61, -2, 7, 0,
    ],
    3,
);

/// Fitted to 10 000 more games of 2000 nodes a move, in three rounds from those of version 0.1, in fractions of a
/// hundredth: docs/lab/2026-11-18-learning-champions.md.
pub const FITTED: Weights<N_FEATURES> = Weights {
    moving: [
        3712, 4758, 4145, 2241, 13319, 14426, 13922, 13068, 21184, 21512, 18530, 18620, 28671, 28975, 26418,
        23727, 30444, 29138, 27224, 24452, 37258, 36206, 35747, 34397, -2440, 520, -16, -581,
    ],
    waiting: [
        3233, 4732, 4055, 749, 13284, 14293, 13711, 5112, 21838, 21726, 9504, -374, 27766, 28181, 20055,
        -7027, 28844, 28559, -1516, -15037, 36159, 36056, 18352, 16101, -3707, 364, 206, -598,
    ],
    turn: 973,
};
