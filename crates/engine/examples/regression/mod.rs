//! Logistic regression: which weights would have foretold best how games went.

use std::io::{self, Write};

/// Says now and then how many games have been played.
pub fn tell_progress(n_played: u64, n_games: u64) {
    if n_played.is_multiple_of(50) {
        // Nobody need read it.
        let _ = writeln!(io::stderr(), "{n_played} of {n_games} games");
    }
}

/// What a position showed, and how it went from there: 1 for a win of the player to move.
pub struct Sample<const N: usize> {
    /// How much of everything that has a weight.
    pub values: [f64; N],
    /// What should have been foretold.
    pub target: f64,
}

/// The chance to win that a sum of weights stands for.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// How far off some weights are on average.
pub fn loss<const N: usize>(samples: &[Sample<N>], weights: &[f64; N]) -> f64 {
    let of = |sample: &Sample<N>| {
        let p = sigmoid(dot(&sample.values, weights)).clamp(1e-9, 1.0 - 1e-9);
        -sample.target * p.ln() - (1.0 - sample.target) * (1.0 - p).ln()
    };
    samples.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// The best weights, by gradients whose steps are as long as each weight's own past asks for. A pull to what
/// was believed before keeps features that say the same from running apart.
pub fn fit<const N: usize>(samples: &[Sample<N>], before: &[f64; N], pull: f64) -> [f64; N] {
    let mut weights = *before;
    let (mut mean, mut square) = ([0.0; N], [0.0; N]);
    for step in 1..=1500 {
        let mut gradient = [0.0; N];
        for sample in samples {
            let error = sigmoid(dot(&sample.values, &weights)) - sample.target;
            for (sum, value) in gradient.iter_mut().zip(&sample.values) {
                *sum += error * value / samples.len() as f64;
            }
        }
        let rate = 0.02 / (1.0 + f64::from(step) / 500.0);
        for idx in 0..N {
            let slope = gradient[idx] + pull * (weights[idx] - before[idx]);
            mean[idx] = 0.9 * mean[idx] + 0.1 * slope;
            square[idx] = 0.99 * square[idx] + 0.01 * slope * slope;
            weights[idx] -= rate * mean[idx] / (f64::sqrt(square[idx]) + 1e-8);
        }
    }
    weights
}
