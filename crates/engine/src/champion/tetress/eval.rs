//! How a position of Tetress looks: who can still place pieces, where, and how many tokens count at the end.

use yarra_games::tetress::grid::{grow, n_placements, neighbors};
use yarra_games::tetress::{TURN_LIMIT, Tetress};
use yarra_games::{Player, Position};

use crate::{Score, Term};

/// How many features a player has.
pub const N_FEATURES: usize = 6;

/// The names of the features: of the player to move, and of the one who waits.
pub const NAMES: [[&str; 2]; N_FEATURES] = [
    ["mobility (logarithm), to move", "mobility (logarithm), waiting"],
    ["mobility, to move", "mobility, waiting"],
    ["tokens, to move", "tokens, waiting"],
    ["cells to fill, to move", "cells to fill, waiting"],
    ["cells to fill alone, to move", "cells to fill alone, waiting"],
    ["cells beside tokens, to move", "cells beside tokens, waiting"],
];

/// How much of each feature a player has.
pub type Counts = [i32; N_FEATURES];

/// Worths are set at these plies; between two of them they change evenly.
pub const N_KNOTS: usize = 4;
const PLIES_BETWEEN_KNOTS: usize = TURN_LIMIT as usize / (N_KNOTS - 1);

/// What one more of each feature is worth in hundredths, to the player to move and to the one who waits, at
/// plies 0, 50, 100 and 150.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// By feature, role and knot.
    pub features: [[[f32; N_KNOTS]; 2]; N_FEATURES],
    /// What the turn is worth.
    pub turn: [f32; N_KNOTS],
}

const fn alike(worth: [f32; N_KNOTS]) -> [[f32; N_KNOTS]; 2] {
    [worth, worth]
}

impl Weights {
    /// Set by hand, before any game was played.
    pub const HAND: Weights = Weights {
        features: [
            alike([1.0, 1.0, 1.0, 1.0]),
            alike([0.0; N_KNOTS]),
            alike([6.0, 8.0, 13.0, 21.0]),
            alike([0.0; N_KNOTS]),
            alike([5.0, 5.0, 5.0, 5.0]),
            alike([0.0; N_KNOTS]),
        ],
        turn: [0.0; N_KNOTS],
    };
}

/// How much of the knots a ply has.
pub fn knots_at(ply: u16) -> [f32; N_KNOTS] {
    let at = f32::from(ply.min(TURN_LIMIT)) / PLIES_BETWEEN_KNOTS as f32;
    std::array::from_fn(|knot| (1.0 - (at - knot as f32).abs()).max(0.0))
}

/// Logarithms of mobilities in hundredths, one added so that there is one of none.
static LOGS: [i16; N_LOGS] = logs();
/// All placements, and none.
const N_LOGS: usize = 2300;

/// By the recurrence of the area below 1/x, since constants know no logarithm.
const fn logs() -> [i16; N_LOGS] {
    let mut logs = [0; N_LOGS];
    let mut sum = 0.0;
    let mut n = 1;
    while n < N_LOGS {
        // ln((n + 1) / n) = 2 artanh(1 / (2n + 1)).
        let x = 1.0 / (2.0 * n as f64 + 1.0);
        let square = x * x;
        let series = 1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
        sum += 2.0 * x * series;
        logs[n] = (100.0 * sum + 0.5) as i16;
        n += 1;
    }
    logs
}

/// What one look at a position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How many moves the player to move has.
    pub n_moves: u32,
    /// The counts of the player to move and of the one who waits.
    pub counts: [Counts; 2],
}

impl Sight {
    /// Looks at a position.
    #[inline(always)]
    pub fn of(pos: &Tetress) -> Sight {
        let [mover, other] = pos.sides();
        let empty = pos.empty();
        let anywhere = n_placements(empty);
        // The one who waits is asked what he could do at his next turn.
        let touched = [
            if pos.ply() < 2 { empty } else { neighbors(mover) & empty },
            if pos.ply() < 1 { empty } else { neighbors(other) & empty },
        ];
        let n_moves =
            [anywhere - n_placements(empty & !touched[0]), anywhere - n_placements(empty & !touched[1])];
        let cover = [cover(touched[0], empty), cover(touched[1], empty)];
        Sight {
            n_moves: n_moves[0],
            counts: [
                counts(mover, n_moves[0], touched[0], cover[0], cover[1]),
                counts(other, n_moves[1], touched[1], cover[1], cover[0]),
            ],
        }
    }
}

/// The cells that a piece can fill which begins on a touched cell: any four connected cells are a piece.
#[inline(always)]
fn cover(touched: u128, empty: u128) -> u128 {
    let cells = grow(touched) & empty;
    let cells = grow(cells) & empty;
    grow(cells) & empty
}

#[inline(always)]
fn counts(tokens: u128, n_moves: u32, touched: u128, cover: u128, others: u128) -> Counts {
    [
        LOGS[n_moves as usize].into(),
        n_moves as i32,
        tokens.count_ones() as i32,
        cover.count_ones() as i32,
        (cover & !others).count_ones() as i32,
        touched.count_ones() as i32,
    ]
}

/// The weights of each ply as whole numbers, ready for use.
#[derive(Clone, Debug)]
pub struct Evaluation {
    by_ply: Vec<PlyWeights>,
}

/// Parts of a hundredth in which weights are counted.
const FINE: f32 = 256.0;

#[derive(Clone, Copy, Debug, Default)]
struct PlyWeights {
    features: [[i32; N_FEATURES]; 2],
    turn: i32,
}

impl Evaluation {
    /// An evaluation with some weights.
    pub fn new(weights: &Weights) -> Evaluation {
        let at_ply = |ply| {
            let knots = knots_at(ply);
            let worth = |of: &[f32; N_KNOTS]| {
                let sum: f32 = of.iter().zip(knots).map(|(worth, share)| worth * share).sum();
                (sum * FINE).round() as i32
            };
            let role = |role: usize| std::array::from_fn(|idx| worth(&weights.features[idx][role]));
            PlyWeights { features: [role(0), role(1)], turn: worth(&weights.turn) }
        };
        Evaluation { by_ply: (0..=TURN_LIMIT).map(at_ply).collect() }
    }

    /// What a position that looks like this at a ply is worth to the player to move.
    #[inline(always)]
    pub fn value(&self, sight: &Sight, ply: u16) -> Score {
        let weights = &self.by_ply[usize::from(ply)];
        let mut sum = weights.turn;
        let mut idx = 0;
        while idx < N_FEATURES {
            sum += weights.features[0][idx] * sight.counts[0][idx];
            sum -= weights.features[1][idx] * sight.counts[1][idx];
            idx += 1;
        }
        Score(sum / FINE as i32)
    }

    /// The evaluation for people, term by term in red's view.
    pub fn terms(&self, pos: &Tetress) -> Vec<Term> {
        let sight = Sight::of(pos);
        let weights = &self.by_ply[usize::from(pos.ply())];
        let both = [pos.turn(), pos.turn().opponent()];
        let term = |name, player, count: i32, weight: i32| {
            let count_of = |color| if color == player { f64::from(count) } else { 0.0 };
            let [red, blue] = Player::BOTH.map(count_of);
            Term { name, red, blue, weight: f64::from(weight) / f64::from(100.0 * FINE) }
        };
        let of_feature = |idx: usize| {
            [0, 1].map(|role| {
                term(NAMES[idx][role], both[role], sight.counts[role][idx], weights.features[role][idx])
            })
        };
        let terms = (0..N_FEATURES).flat_map(of_feature);
        terms.chain([term("the turn", pos.turn(), 1, weights.turn)]).collect()
    }
}
