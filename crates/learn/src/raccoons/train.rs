//! A pass over the examples.

use yarra_games::cpu::fastest;
use yarra_reports::raccoons::zero::Net;

use super::examples::{Example, chosen, images};
use super::gradient::{Backward, Losses};
use super::options::{Loss, Optimizer, Options};
use crate::{Round, RunError};

/// The decay of Adam's moments, and what keeps its division from zero: the values of its paper.
const DECAY: [f64; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// Samples from one look at the flag to the next.
const N_BETWEEN_CHECKS: usize = 500;

/// Takes steps.
pub struct Stepper {
    optimizer: Optimizer,
    rate: f32,
    loss: Loss,
    l2: f32,
    moments: [Vec<f32>; 2],
    n_steps: i32,
}

impl Stepper {
    /// Without any step yet: every training begins anew.
    pub fn new(options: &Options, n_params: usize) -> Stepper {
        let Options { optimizer, rate, loss, l2, .. } = *options;
        Stepper { optimizer, rate, loss, l2, moments: [vec![0.0; n_params], vec![0.0; n_params]], n_steps: 0 }
    }

    /// A step against the gradient.
    pub fn step(&mut self, params: &mut [f32], gradient: &mut [f32]) {
        fastest(
            #[inline(always)]
            || self.go(params, gradient),
        );
    }

    #[inline(always)]
    fn go(&mut self, params: &mut [f32], gradient: &mut [f32]) {
        self.n_steps = self.n_steps.saturating_add(1);
        // The program multiplies where the formula adds.
        let (factor, decay) = match self.loss {
            Loss::Report => (1.0, 2.0 * self.l2),
            Loss::Code => (1.0 + 2.0 * self.l2, 0.0),
        };
        let n = params.len();
        let (params, gradient) = (&mut params[..n], &mut gradient[..n]);
        for idx in 0..n {
            let sum = factor * gradient[idx] + decay * params[idx];
            // Its square must not be too small either.
            gradient[idx] = if sum.abs() < 1e-15 { 0.0 } else { sum };
        }
        let rate = self.rate;
        let Optimizer::Adam { is_forgetful } = self.optimizer else {
            for idx in 0..n {
                params[idx] -= rate * gradient[idx];
            }
            return;
        };
        // Report 004, Agent 1, 1, II (Adam): bias-corrected moments.
        let [first, second] = DECAY.map(|decay| decay as f32);
        let [unbias1, unbias2] = DECAY.map(|decay| (1.0 / (1.0 - decay.powi(self.n_steps))) as f32);
        let (keep1, keep2) = if is_forgetful { (0.0, 0.0) } else { (first, second) };
        let [moments1, moments2] = &mut self.moments;
        let (moments1, moments2) = (&mut moments1[..n], &mut moments2[..n]);
        for idx in 0..n {
            let g = gradient[idx];
            let m = normal_or_zero(keep1 * moments1[idx] + (1.0 - first) * g);
            let v = normal_or_zero(keep2 * moments2[idx] + (1.0 - second) * (g * g));
            params[idx] -= rate * (m * unbias1) / ((v * unbias2).sqrt() + EPSILON);
            (moments1[idx], moments2[idx]) = (m, v);
        }
    }
}

/// Zero instead of numbers so small that processors take a hundred times as long for them. They would change no step.
#[inline(always)]
fn normal_or_zero(x: f32) -> f32 {
    if x.abs() < 1e-30 { 0.0 } else { x }
}

/// Report 004, Agent 1, 1: trains a net on all examples once, one at a time. Returns the mean losses.
///
/// # Errors
/// If the flag is raised.
pub fn train(
    net: &mut Net,
    examples: &[Example],
    options: &Options,
    rng: &mut fastrand::Rng,
    round: &Round<'_>,
) -> Result<Losses, RunError> {
    let images = images(options.symmetry);
    let mut samples: Vec<(u32, u16)> = Vec::new();
    for idx in 0..examples.len() {
        let chosen = chosen(options.symmetry, images.len(), rng);
        samples.extend(chosen.into_iter().map(|image| (idx as u32, image as u16)));
    }
    if options.is_shuffled {
        rng.shuffle(&mut samples);
    }
    let mut stepper = Stepper::new(options, net.params.len());
    let mut backward = Backward::default();
    let mut sum = Losses::default();
    for (n, &(example, image)) in samples.iter().enumerate() {
        if n.is_multiple_of(N_BETWEEN_CHECKS) {
            if round.stop.is_raised() {
                return Err(RunError::Stopped);
            }
            round.note("training", n as f64 / samples.len() as f64);
        }
        let example = examples[example as usize].image(&images[usize::from(image)]);
        let losses = backward.run(net, &example, options.loss);
        stepper.step(&mut net.params, &mut backward.gradient);
        sum.value += losses.value;
        sum.policy += losses.policy;
    }
    let n_samples = samples.len().max(1) as f64;
    Ok(Losses { value: sum.value / n_samples, policy: sum.policy / n_samples })
}
