//! Training of the net beside the counts, and of the counts with it, by gradient descent with adaptive steps (Adam).

use fastrand::Rng;
use yarra_engine::net::nnue::{FloatNnue, MAX_WEIGHT, N_HIDDEN, Shape};
use yarra_engine::net::{NetError, NetFile};
use yarra_games::cpu::fastest;

use super::adam::{Adam, Pace};
use super::samples::Samples;
use crate::RunError;
use yarra_engine::Stop;

/// A number for each hidden unit.
type Units = [f32; N_HIDDEN];

/// How a net is trained on some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainPlan {
    /// Passes over all samples.
    pub n_epochs: u32,
    /// Samples of a step.
    pub batch: usize,
    /// The length of the first steps.
    pub rate: f32,
    /// The length of the last ones; between them it follows a cosine.
    pub last_rate: f32,
    /// The decay of the net's weights, which keeps it from learning single games by heart.
    pub decay: f32,
    /// Whether the weights of the counts are trained too.
    pub trains_counts: bool,
}

/// The length of the counts' steps against the net's: they start from a fit, and a feature may count dozens of cells.
const COUNTS_RATE: f32 = 0.1;

/// A net under training, with the state of the optimizer.
#[derive(Clone, Debug, PartialEq)]
pub struct Trainer<const N: usize> {
    /// The net.
    pub net: FloatNnue,
    /// The weights of the counts, in the net's unit.
    pub counts: [f32; N],
    moments: Moments,
    shape: Shape,
}

/// The optimizer's state for each part.
#[derive(Clone, Debug, PartialEq)]
struct Moments {
    inputs: Adam,
    bias: Adam,
    output: Adam,
    counts: Adam,
}

/// The sums of the gradients of a batch.
pub struct Gradient<const N: usize> {
    inputs: Vec<Units>,
    bias: Units,
    output: [Units; 2],
    counts: [f32; N],
    /// Of the losses.
    pub loss: f64,
}

impl<const N: usize> Gradient<N> {
    fn new(n_inputs: usize) -> Gradient<N> {
        Gradient {
            inputs: vec![[0.0; N_HIDDEN]; n_inputs],
            bias: [0.0; N_HIDDEN],
            output: [[0.0; N_HIDDEN]; 2],
            counts: [0.0; N],
            loss: 0.0,
        }
    }

    fn clear(&mut self) {
        self.inputs.fill([0.0; N_HIDDEN]);
        (self.bias, self.output, self.counts) = ([0.0; N_HIDDEN], [[0.0; N_HIDDEN]; 2], [0.0; N]);
        self.loss = 0.0;
    }
}

impl<const N: usize> Trainer<N> {
    /// A random net that says almost nothing yet, beside some counts.
    pub fn new(shape: Shape, counts: [f32; N], rng: &mut Rng) -> Trainer<N> {
        let n_inputs = shape.n_inputs;
        let mut around = |middle: f32, spread: f32| -> Units {
            std::array::from_fn(|_| middle + spread * (2.0 * rng.f32() - 1.0))
        };
        let net = FloatNnue {
            inputs: (0..n_inputs).map(|_| around(0.0, 0.15)).collect(),
            bias: around(0.25, 0.1),
            output: [around(0.0, 0.02), around(0.0, 0.02)],
        };
        Trainer {
            moments: Moments {
                inputs: Adam::new(n_inputs * N_HIDDEN),
                bias: Adam::new(N_HIDDEN),
                output: Adam::new(2 * N_HIDDEN),
                counts: Adam::new(N),
            },
            net,
            counts,
            shape,
        }
    }

    /// Trains on samples and returns their mean loss in the last pass, while training.
    ///
    /// # Errors
    /// If the flag is raised.
    pub fn train(
        &mut self,
        samples: &Samples<N>,
        plan: TrainPlan,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Result<f64, RunError> {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut gradient = Gradient::new(self.net.inputs.len());
        let n_batches = samples.len().div_ceil(plan.batch);
        let n_steps = (n_batches * plan.n_epochs as usize).max(1);
        let (mut loss, mut step) = (0.0, 0);
        for _ in 0..plan.n_epochs {
            rng.shuffle(&mut order);
            loss = 0.0;
            for batch in order.chunks(plan.batch) {
                if stop.is_raised() {
                    return Err(RunError::Stopped);
                }
                gradient.clear();
                self.add_gradient(samples, batch, rng, &mut gradient);
                loss += gradient.loss;
                let progress = step as f32 / n_steps as f32;
                let cosine = 0.5 + 0.5 * (std::f32::consts::PI * progress).cos();
                let rate = plan.last_rate + (plan.rate - plan.last_rate) * cosine;
                self.step(&gradient, rate, 1.0 / batch.len() as f32, plan);
                step += 1;
            }
        }
        Ok(loss / samples.len().max(1) as f64)
    }

    /// Adds the gradients of some samples, each under a random symmetry.
    pub fn add_gradient(
        &self,
        samples: &Samples<N>,
        batch: &[u32],
        rng: &mut Rng,
        gradient: &mut Gradient<N>,
    ) {
        fastest(
            #[inline(always)]
            || {
                for &idx in batch {
                    self.add_sample(samples, idx as usize, rng, gradient);
                }
            },
        );
    }

    #[inline(always)]
    fn add_sample(&self, samples: &Samples<N>, idx: usize, rng: &mut Rng, gradient: &mut Gradient<N>) {
        let views = samples.views(idx, rng);
        let (row, target) = (&samples.counts.values[idx], samples.counts.targets[idx]);
        let mut sum = 0.0;
        for (value, weight) in row.iter().zip(&self.counts) {
            sum += f32::from(*value) * weight;
        }
        let hidden = [self.hidden(views.inputs(0)), self.hidden(views.inputs(1))];
        sum += output(&hidden[0], &self.net.output[0]) + output(&hidden[1], &self.net.output[1]);
        let error = sigmoid(sum) - target;
        gradient.loss += f64::from(cross_entropy(sum, target));
        for (slope, value) in gradient.counts.iter_mut().zip(row) {
            *slope += error * f32::from(*value);
        }
        for (view, sums) in hidden.iter().enumerate() {
            let mut slopes = [0.0; N_HIDDEN];
            let (weights, output) = (&self.net.output[view], &mut gradient.output[view]);
            for unit in 0..N_HIDDEN {
                let clamped = sums[unit].clamp(0.0, 1.0);
                output[unit] += error * clamped * clamped;
                let slope = error * weights[unit] * 2.0 * clamped;
                slopes[unit] = if sums[unit] < 1.0 { slope } else { 0.0 };
                gradient.bias[unit] += slopes[unit];
            }
            for &input in views.inputs(view) {
                let row = &mut gradient.inputs[usize::from(input)];
                for unit in 0..N_HIDDEN {
                    row[unit] += slopes[unit];
                }
            }
        }
    }

    /// The sums of the hidden units, before they are clamped and squared.
    #[inline(always)]
    #[expect(clippy::manual_memcpy, reason = "copies of slices are calls")]
    fn hidden(&self, inputs: &[u16]) -> Units {
        /// Four vector registers, which stay in place through all inputs.
        const LANES: usize = 32;
        let mut sums = self.net.bias;
        for first in [0, LANES] {
            let mut lanes = [0.0; LANES];
            for lane in 0..LANES {
                lanes[lane] = sums[first + lane];
            }
            for &input in inputs {
                let weights = &self.net.inputs[input as usize];
                for lane in 0..LANES {
                    lanes[lane] += weights[first + lane];
                }
            }
            for lane in 0..LANES {
                sums[first + lane] = lanes[lane];
            }
        }
        sums
    }

    fn step(&mut self, gradient: &Gradient<N>, rate: f32, share: f32, plan: TrainPlan) {
        let Moments { inputs, bias, output, counts } = &mut self.moments;
        let net = &mut self.net;
        let pace = |bound| Pace { rate, decay: plan.decay, bound };
        let hidden = pace(self.shape.max_weight());
        inputs.step(net.inputs.as_flattened_mut(), gradient.inputs.as_flattened(), share, hidden);
        bias.step(&mut net.bias, &gradient.bias, share, hidden);
        output.step(net.output.as_flattened_mut(), gradient.output.as_flattened(), share, pace(MAX_WEIGHT));
        if plan.trains_counts {
            // Without a bound: one would cap what a stack can be worth.
            let pace = Pace { rate: COUNTS_RATE * rate, decay: 0.0, bound: f32::MAX };
            counts.step(&mut self.counts, &gradient.counts, share, pace);
        }
    }

    /// The mean loss of samples, without symmetries.
    pub fn loss(&self, samples: &Samples<N>) -> f64 {
        let loss = |idx| f64::from(cross_entropy(self.output(samples, idx), samples.counts.targets[idx]));
        (0..samples.len()).map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// The root of the mean square by which the chances differ from the search's.
    pub fn rms(&self, samples: &Samples<N>) -> f64 {
        let square = |idx| f64::from(sigmoid(self.output(samples, idx)) - samples.opinions[idx]).powi(2);
        ((0..samples.len()).map(square).sum::<f64>() / samples.len().max(1) as f64).sqrt()
    }

    /// The evaluation of a sample; 1 is the unit of the shape.
    pub fn output(&self, samples: &Samples<N>, idx: usize) -> f32 {
        fastest(
            #[inline(always)]
            || {
                let views = samples.plain_views(idx);
                let mut sum = 0.0;
                for (value, weight) in samples.counts.values[idx].iter().zip(&self.counts) {
                    sum += f32::from(*value) * weight;
                }
                for view in 0..2 {
                    sum += output(&self.hidden(views.inputs(view)), &self.net.output[view]);
                }
                sum
            },
        )
    }

    /// Adds everything to a file, for [`read`](Trainer::read).
    pub fn write(&self, file: &mut NetFile) {
        self.net.write(file);
        file.add("float.counts", &[N], self.counts.to_vec());
        let Moments { inputs, bias, output, counts } = &self.moments;
        for (name, moments) in [("inputs", inputs), ("bias", bias), ("output", output), ("counts", counts)] {
            moments.write(&format!("adam.{name}"), file);
        }
    }

    /// Reads what [`write`](Trainer::write) wrote.
    ///
    /// # Errors
    /// If something is missing.
    pub fn read(file: &NetFile, shape: Shape) -> Result<Trainer<N>, NetError> {
        let n_inputs = shape.n_inputs;
        let moments = |name: &str, n| Adam::read(&format!("adam.{name}"), n, file);
        let counts: &[f32] = file.get("float.counts", &[N])?;
        Ok(Trainer {
            net: FloatNnue::read(file, n_inputs)?,
            counts: counts.try_into().expect("the shape was checked"),
            moments: Moments {
                inputs: moments("inputs", n_inputs * N_HIDDEN)?,
                bias: moments("bias", N_HIDDEN)?,
                output: moments("output", 2 * N_HIDDEN)?,
                counts: moments("counts", N)?,
            },
            shape,
        })
    }
}

/// In eight lanes, so that it is vector instructions and the same sum on any CPU.
#[inline(always)]
fn output(hidden: &Units, weights: &Units) -> f32 {
    const LANES: usize = 8;
    let mut lanes = [0.0; LANES];
    let mut first = 0;
    while first < N_HIDDEN {
        for lane in 0..LANES {
            let clamped = hidden[first + lane].clamp(0.0, 1.0);
            lanes[lane] += weights[first + lane] * clamped * clamped;
        }
        first += LANES;
    }
    let mut sum = 0.0;
    for lane in lanes {
        sum += lane;
    }
    sum
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// -t ln p - (1 - t) ln (1 - p) for p = sigmoid(x), without a logarithm of 0.
#[inline(always)]
fn cross_entropy(x: f32, target: f32) -> f32 {
    x.max(0.0) - x * target + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
#[path = "train_tests.rs"]
mod tests;
