//! Adam: gradient descent with steps that adapt to each weight.

use yarra_engine::net::{NetError, NetFile};
use yarra_games::cpu::fastest;

/// The running means of the gradients and of their squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    n_steps: u64,
}

/// How weights move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The length of a step.
    pub rate: f32,
    /// The share of a weight that is lost for each unit of the steps' length.
    pub decay: f32,
    /// The largest weight.
    pub bound: f32,
}

const KEPT_MEAN: f32 = 0.9;
const KEPT_SQUARE: f32 = 0.999;
/// Keeps a division by almost nothing from a long step.
const EPSILON: f32 = 1e-8;

impl Adam {
    /// For so many weights.
    pub fn new(n: usize) -> Adam {
        Adam { mean: vec![0.0; n], square: vec![0.0; n], n_steps: 0 }
    }

    /// Moves the weights against the gradient times `share`, and keeps them within the bound.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], share: f32, pace: Pace) {
        let Pace { rate, decay, bound } = pace;
        self.n_steps += 1;
        // The means start at 0: this makes up for it.
        let kept = |kept: f32| 1.0 - kept.powi(self.n_steps.min(100_000) as i32);
        let (mean_share, square_share) = (1.0 / kept(KEPT_MEAN), 1.0 / kept(KEPT_SQUARE));
        let kept_weight = 1.0 - rate * decay;
        let (mean, square) = (&mut self.mean[..], &mut self.square[..]);
        fastest(
            #[inline(always)]
            || {
                let n = weights.len();
                let (gradient, mean, square) = (&gradient[..n], &mut mean[..n], &mut square[..n]);
                for idx in 0..n {
                    let slope = share * gradient[idx];
                    mean[idx] = KEPT_MEAN * mean[idx] + (1.0 - KEPT_MEAN) * slope;
                    square[idx] = KEPT_SQUARE * square[idx] + (1.0 - KEPT_SQUARE) * slope * slope;
                    let root = (square_share * square[idx]).sqrt() + EPSILON;
                    let moved = kept_weight * weights[idx] - rate * mean_share * mean[idx] / root;
                    weights[idx] = moved.clamp(-bound, bound);
                }
            },
        );
    }

    /// Adds the state to a file.
    pub fn write(&self, name: &str, file: &mut NetFile) {
        file.add(&format!("{name}.mean"), &[self.mean.len()], self.mean.clone());
        file.add(&format!("{name}.square"), &[self.square.len()], self.square.clone());
        file.add(&format!("{name}.steps"), &[1], vec![self.n_steps]);
    }

    /// Reads the state of so many weights.
    ///
    /// # Errors
    /// If it is missing.
    pub fn read(name: &str, n: usize, file: &NetFile) -> Result<Adam, NetError> {
        Ok(Adam {
            mean: file.get(&format!("{name}.mean"), &[n])?.to_vec(),
            square: file.get(&format!("{name}.square"), &[n])?.to_vec(),
            n_steps: file.get(&format!("{name}.steps"), &[1])?[0],
        })
    }
}
