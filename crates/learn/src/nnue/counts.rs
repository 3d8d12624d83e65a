//! The weights of linear evaluations, fitted to the scores of searches and the results of games.

use yarra_games::cpu::fastest;

use crate::regression::solve;

/// Samples as rows of features, each with its target: 1 for a win of the player to move.
#[derive(Clone, Debug)]
pub struct Rows<T, const N: usize> {
    /// A value for each weight.
    pub values: Vec<[T; N]>,
    /// From 0 to 1.
    pub targets: Vec<f32>,
}

impl<T, const N: usize> Default for Rows<T, N> {
    fn default() -> Rows<T, N> {
        Rows { values: Vec::new(), targets: Vec::new() }
    }
}

/// The steps of Newton's method: the loss is convex, and the last ones change nothing that matters.
const N_STEPS: usize = 8;
/// Sums of so many rows are in single precision.
const BLOCK: usize = 512;

impl<T: Copy + Into<f32>, const N: usize> Rows<T, N> {
    /// Adds a sample.
    pub fn push(&mut self, values: [T; N], target: f32) {
        self.values.push(values);
        self.targets.push(target);
    }

    /// The mean cross-entropy of the predictions of some weights.
    pub fn loss(&self, weights: &[f32; N]) -> f64 {
        let loss = |row: &[T; N], &target: &f32| {
            let x = f64::from(dot(&floats(row), weights));
            // -t ln p - (1 - t) ln (1 - p), without a logarithm of 0.
            x.max(0.0) - x * f64::from(target) + (-x.abs()).exp().ln_1p()
        };
        let sum: f64 = self.values.iter().zip(&self.targets).map(|(row, target)| loss(row, target)).sum();
        sum / self.targets.len().max(1) as f64
    }

    /// The weights with the least loss, with a pull towards the old ones for what few samples show. They are never worse
    /// than the old ones on these samples.
    pub fn fit(&self, old: &[f32; N], pull: f64) -> [f32; N] {
        let mut weights = *old;
        let mut loss = self.loss(old);
        for _ in 0..N_STEPS {
            let step = solve(self.equations(&weights, old, pull));
            let mut next = weights;
            next.iter_mut().zip(step).for_each(|(weight, step)| *weight += step as f32);
            let next_loss = self.loss(&next);
            if next_loss.is_nan() || loss <= next_loss {
                break;
            }
            (weights, loss) = (next, next_loss);
        }
        weights
    }

    /// The equations of a Newton step: in each row the curvature, and the slope at the end.
    fn equations(&self, weights: &[f32; N], old: &[f32; N], pull: f64) -> Vec<Vec<f64>> {
        let n_rows = self.targets.len().max(1) as f64;
        let mut sums = [[0.0; N]; N];
        let mut slopes = [0.0; N];
        for (rows, targets) in self.values.chunks(BLOCK).zip(self.targets.chunks(BLOCK)) {
            let (block, slope) = fastest(
                #[inline(always)]
                || block_sums(rows, targets, weights),
            );
            for i in 0..N {
                slopes[i] += f64::from(slope[i]);
                for j in 0..N {
                    sums[i][j] += f64::from(block[i][j]);
                }
            }
        }
        let equation = |i: usize| {
            let mut row: Vec<f64> = sums[i].iter().map(|sum| sum / n_rows).collect();
            // A little more, so that a feature that never occurs leaves the equations solvable.
            row[i] += pull + 1e-9;
            row.push(slopes[i] / n_rows - pull * f64::from(weights[i] - old[i]));
            row
        };
        (0..N).map(equation).collect()
    }
}

#[inline(always)]
fn block_sums<T: Copy + Into<f32>, const N: usize>(
    rows: &[[T; N]],
    targets: &[f32],
    weights: &[f32; N],
) -> ([[f32; N]; N], [f32; N]) {
    let mut curvature = [[0.0; N]; N];
    let mut slope = [0.0; N];
    for (row, target) in rows.iter().zip(targets) {
        let row = floats(row);
        let p = 1.0 / (1.0 + (-dot(&row, weights)).exp());
        let (error, share) = (target - p, p * (1.0 - p));
        for i in 0..N {
            slope[i] += error * row[i];
            // Most features are absent from a position.
            if row[i] != 0.0 {
                let factor = share * row[i];
                for j in 0..N {
                    curvature[i][j] += factor * row[j];
                }
            }
        }
    }
    (curvature, slope)
}

#[inline(always)]
fn floats<T: Copy + Into<f32>, const N: usize>(row: &[T; N]) -> [f32; N] {
    let mut floats = [0.0; N];
    for i in 0..N {
        floats[i] = row[i].into();
    }
    floats
}

/// In eight lanes, so that it is vector instructions and the same sum on any CPU.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut lanes = [0.0; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let mut sum = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum += a * b;
    }
    for lane in lanes {
        sum += lane;
    }
    sum
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::regression::sigmoid;

    fn rows(weights: [f32; 3], n: usize) -> Rows<i8, 3> {
        let mut rng = Rng::with_seed(5);
        let mut rows = Rows::default();
        for _ in 0..n {
            let row = [rng.i8(-5..=5), rng.i8(0..=20), 1];
            rows.push(row, sigmoid(f64::from(dot(&floats(&row), &weights))) as f32);
        }
        rows
    }

    #[test]
    fn a_fit_finds_the_weights_behind_the_targets() {
        let weights = [0.7, -0.05, 0.3];
        let fitted = rows(weights, 3000).fit(&[0.0; 3], 0.0);
        assert!(
            fitted.iter().zip(weights).all(|(found, sought)| (found - sought).abs() < 1e-3),
            "{fitted:?}"
        );
    }

    #[test]
    fn a_fit_is_never_worse_than_the_old_weights_on_its_samples() {
        let rows = rows([0.7, -0.05, 0.3], 500);
        for old in [[0.7, -0.05, 0.3], [3.0, 2.0, -4.0], [0.0; 3], [1e6, 0.0, 0.0]] {
            for pull in [0.0, 1e-3, 10.0] {
                let fitted = rows.fit(&old, pull);
                assert!(rows.loss(&fitted) <= rows.loss(&old), "{old:?} {pull} {fitted:?}");
            }
        }
    }

    #[test]
    fn a_strong_pull_keeps_the_old_weights() {
        let fitted = rows([0.7, -0.05, 0.3], 500).fit(&[0.6, 0.0, 0.0], 1e6);
        assert!(
            fitted.iter().zip([0.6, 0.0, 0.0]).all(|(found, old)| (found - old).abs() < 1e-2),
            "{fitted:?}"
        );
    }
}
