//! Logistic regression: the weights that best predict the results of games.

/// A position's features and its target: 1 for a win of the player to move.
pub struct Sample {
    /// One for each weight.
    pub values: Vec<f64>,
    /// From 0 to 1.
    pub target: f64,
}

/// The logistic function: the chance to win of a weighted sum.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The prediction of some weights for a sample.
pub fn predict(sample: &Sample, weights: &[f64]) -> f64 {
    sigmoid(sample.values.iter().zip(weights).map(|(value, weight)| value * weight).sum())
}

/// The mean cross-entropy of the predictions.
pub fn loss(samples: &[Sample], weights: &[f64]) -> f64 {
    let of = |sample: &Sample| {
        let p = predict(sample, weights).clamp(1e-9, 1.0 - 1e-9);
        -sample.target * p.ln() - (1.0 - sample.target) * (1.0 - p).ln()
    };
    samples.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// The steps of [`fit_many`].
pub const N_STEPS: u64 = 1500;

/// Fits many weights by gradient descent with adaptive steps (Adam), starting from a prior. Regularization toward the
/// prior keeps correlated features from drifting apart. `note` is called after each step.
pub fn fit_many(samples: &[Sample], prior: &[f64], pull: f64, mut note: impl FnMut()) -> Vec<f64> {
    let mut weights = prior.to_vec();
    let (mut mean, mut square) = (vec![0.0; prior.len()], vec![0.0; prior.len()]);
    for step in 1..=N_STEPS {
        let mut gradient = vec![0.0; prior.len()];
        for sample in samples {
            let error = predict(sample, &weights) - sample.target;
            for (sum, value) in gradient.iter_mut().zip(&sample.values) {
                *sum += error * value / samples.len() as f64;
            }
        }
        let rate = 0.02 / (1.0 + step as f64 / 500.0);
        for idx in 0..prior.len() {
            let slope = gradient[idx] + pull * (weights[idx] - prior[idx]);
            mean[idx] = 0.9 * mean[idx] + 0.1 * slope;
            square[idx] = 0.99 * square[idx] + 0.01 * slope * slope;
            weights[idx] -= rate * mean[idx] / (f64::sqrt(square[idx]) + 1e-8);
        }
        note();
    }
    weights
}

/// Fits a few weights to full precision by Newton's method: each step solves `curvature * step = slope`. There must
/// be samples.
pub fn fit_few(samples: &[Sample]) -> Vec<f64> {
    let n = samples[0].values.len();
    let mut weights = vec![0.0; n];
    for _ in 0..50 {
        // The last column is the slope. A small initial curvature keeps the system solvable.
        let mut rows: Vec<Vec<f64>> =
            (0..n).map(|i| (0..=n).map(|j| f64::from(i == j) * 1e-6).collect()).collect();
        for sample in samples {
            let (values, p) = (&sample.values, predict(sample, &weights));
            for i in 0..n {
                for j in 0..n {
                    rows[i][j] += p * (1.0 - p) * values[i] * values[j];
                }
                rows[i][n] += (sample.target - p) * values[i];
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(rows)) {
            *weight += step;
        }
    }
    weights
}

/// Solves linear equations by Gaussian elimination. The last number of each row is the right-hand side.
pub(crate) fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for i in 0..n {
        let pivot = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / pivot[i];
            for (value, other) in row.iter_mut().zip(&pivot) {
                *value -= factor * other;
            }
        }
    }
    rows.iter().enumerate().map(|(i, row)| row[n] / row[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One feature that is on or off: of 10 samples with it 8 are wins, of 10 without it 5.
    fn samples() -> Vec<Sample> {
        let sample = |n: usize| Sample {
            values: vec![f64::from(u8::from(n < 10)), 1.0],
            target: f64::from(u8::from(n < 8 || (10..15).contains(&n))),
        };
        (0..20).map(sample).collect()
    }

    #[test]
    fn both_methods_find_the_odds() {
        // The odds with the feature are 4 : 1, without it even.
        for weights in [fit_few(&samples()), fit_many(&samples(), &[0.0; 2], 0.0, || ())] {
            assert!((weights[0] - 4_f64.ln()).abs() < 0.01 && weights[1].abs() < 0.01, "{weights:?}");
        }
    }

    #[test]
    fn strong_regularization_keeps_the_prior() {
        let weights = fit_many(&samples(), &[0.5, -0.5], 1e3, || ());
        assert!((weights[0] - 0.5).abs() < 0.01 && (weights[1] + 0.5).abs() < 0.01, "{weights:?}");
    }

    #[test]
    fn fitted_weights_predict_better_than_none() {
        assert!(loss(&samples(), &fit_few(&samples())) < loss(&samples(), &[0.0, 0.0]));
    }
}
