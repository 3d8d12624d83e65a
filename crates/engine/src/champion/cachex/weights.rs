//! The weights of Cachex's champion.

use super::super::weights::Weights;
use super::eval::N_FEATURES;

/// Set by hand, by about thirty short matches on boards of 7 and 9.
pub const HAND: Weights<N_FEATURES> =
    Weights::hundredths([-100, 30, 60, 20, -10, 10, 10], [-100, 30, 40, 20, -10, 10, 10], 50);

/// Fitted to games of the champion against itself on boards of 7, 9 and 11, as version 0.1 had them.
pub const V0_1: Weights<N_FEATURES> =
    Weights::hundredths([-115, 15, 88, 34, -20, -2, 4], [-121, 16, 65, 37, -27, -1, 3], 30);

/// Fitted to 2700 more games of 4000 nodes a move, in three rounds from those of version 0.1, in fractions of a hundredth:
/// docs/lab/2026-11-18-learning-champions.md.
pub const FITTED: Weights<N_FEATURES> = Weights {
    moving: [-5343, 1283, 5301, 2746, -1407, 162, 539],
    waiting: [-5658, 1307, 4104, 2876, -1920, 202, 514],
    turn: 1440,
};
