//! The gradient of the loss of one example, by hand.

#![expect(
    clippy::needless_range_loop,
    reason = "iterators over several slices are not always compiled for the detected CPU"
)]

use yarra_games::cpu::fastest;
use yarra_reports::raccoons::zero::design::{N_CHANNELS, N_HIDDEN, N_MOVES, TAPS};
use yarra_reports::raccoons::zero::{Activations, N_PLANES, Net, Planes, Policy};

use super::examples::Example;
use super::options::Loss;

/// The parts of a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Of the value, (z - v)².
    pub value: f64,
    /// Of the policy, -π · log p.
    pub policy: f64,
}

/// Buffers for passes through a net in both directions.
#[derive(Debug, Default)]
pub struct Backward {
    out: Activations,
    /// The gradient of each parameter, after [`Backward::run`].
    pub gradient: Vec<f32>,
    logits: Vec<f32>,
    hidden: Vec<f32>,
    conv2: Vec<f32>,
    conv1: Vec<f32>,
}

impl Backward {
    /// Computes the gradient of an example's loss without the term of the parameters' squares, and returns the loss.
    pub fn run(&mut self, net: &Net, example: &Example, loss: Loss) -> Losses {
        net.run(&example.planes, &mut self.out);
        let outputs = net.policy(&self.out.logits);
        let (value_scale, policy_scale) = match loss {
            Loss::Report => (1.0, 1.0),
            Loss::Code => (0.5, 1.0 / N_MOVES as f32),
        };
        let error = example.result - self.out.value;
        let slope = 1.0 - self.out.value * self.out.value;
        let value = -2.0 * value_scale * error * slope;
        self.logits.clear();
        match net.design.policy {
            // Each output on its own: it is only ever pushed up, by the moves that were visited.
            Policy::Sigmoid => self.logits.resize(N_MOVES, 0.0),
            Policy::Softmax => self.logits.extend(outputs.iter().map(|p| policy_scale * p)),
        }
        let mut losses = Losses { value: f64::from(error * error), policy: 0.0 };
        for &(m, share) in &example.policy {
            let m = usize::from(m.0);
            let pull = if net.design.policy == Policy::Sigmoid { share * (1.0 - outputs[m]) } else { share };
            self.logits[m] -= policy_scale * pull;
            losses.policy -= f64::from(share) * f64::from(outputs[m].max(f32::MIN_POSITIVE)).ln();
        }
        fastest(
            #[inline(always)]
            || self.backward(net, &example.planes, value),
        );
        losses
    }

    /// From the gradients of the logits and of the value before its tanh to those of all parameters.
    #[inline(always)]
    fn backward(&mut self, net: &Net, planes: &Planes, value: f32) {
        self.gradient.clear();
        self.gradient.resize(net.params.len(), 0.0);
        let [_, _, conv2, _, dense, _, policy, _, value_weights, _] = net.design.split(&net.params);
        let [d_conv1, d_bias1, d_conv2, d_bias2, d_dense, d_bias3, d_policy, d_bias4, d_value, d_bias5] =
            net.design.split_mut(&mut self.gradient);
        let [taps1, taps2] = &net.taps;
        let out = &self.out;

        d_bias5[0] = value;
        d_bias4.copy_from_slice(&self.logits);
        let logits: &[f32; N_MOVES] = part(&self.logits, 0);
        self.hidden.clear();
        for idx in 0..N_HIDDEN {
            let x = out.hidden[idx];
            d_value[idx] = x * value;
            scale::<N_MOVES>(logits, x, part_mut(d_policy, idx));
            let up = value_weights[idx] * value + dot::<N_MOVES>(part(policy, idx), logits);
            self.hidden.push(up * x * (1.0 - x));
        }

        d_bias3.copy_from_slice(&self.hidden);
        let hidden: &[f32; N_HIDDEN] = part(&self.hidden, 0);
        self.conv2.clear();
        for idx in 0..out.conv2.len() {
            let x = out.conv2[idx];
            scale::<N_HIDDEN>(hidden, x, part_mut(d_dense, idx));
            self.conv2.push(dot::<N_HIDDEN>(part(dense, idx), hidden) * (1.0 - x * x));
        }

        d_bias2.copy_from_slice(&self.conv2);
        convolution_weights(taps2, &out.conv1, &self.conv2, d_conv2);
        self.conv1.clear();
        self.conv1.resize(out.conv1.len(), 0.0);
        convolution_inputs(taps2, conv2, &self.conv2, &mut self.conv1);

        for idx in 0..self.conv1.len() {
            self.conv1[idx] *= 1.0 - out.conv1[idx] * out.conv1[idx];
        }
        d_bias1.copy_from_slice(&self.conv1);
        for cell in 0..taps1.len() {
            let up: &[f32; N_CHANNELS] = part(&self.conv1, cell);
            for tap in 0..TAPS {
                for &(plane, x) in planes.on(usize::from(taps1[cell][tap])) {
                    let sums = part_mut::<N_CHANNELS>(d_conv1, tap * N_PLANES + usize::from(plane));
                    for channel in 0..N_CHANNELS {
                        sums[channel] += x * up[channel];
                    }
                }
            }
        }
    }
}

/// The part with number `idx` of numbers that come in parts of `N`.
#[inline(always)]
fn part<const N: usize>(numbers: &[f32], idx: usize) -> &[f32; N] {
    numbers[idx * N..][..N].try_into().expect("a whole part")
}

#[inline(always)]
fn part_mut<const N: usize>(numbers: &mut [f32], idx: usize) -> &mut [f32; N] {
    (&mut numbers[idx * N..][..N]).try_into().expect("a whole part")
}

/// The gradient of the second convolution's weights: `up` is that of its outputs before their tanh.
#[inline(always)]
fn convolution_weights(taps: &[[u8; TAPS]], input: &[f32], up: &[f32], gradient: &mut [f32]) {
    for row in 0..TAPS * N_CHANNELS {
        let (tap, from) = (row / N_CHANNELS, row % N_CHANNELS);
        let mut sums = [0.0_f32; N_CHANNELS];
        for cell in 0..taps.len() {
            let x = input[usize::from(taps[cell][tap]) * N_CHANNELS + from];
            let up: &[f32; N_CHANNELS] = part(up, cell);
            for channel in 0..N_CHANNELS {
                sums[channel] += x * up[channel];
            }
        }
        *part_mut(gradient, row) = sums;
    }
}

/// The gradient of the second convolution's inputs, added to `gradient`.
#[inline(always)]
fn convolution_inputs(taps: &[[u8; TAPS]], weights: &[f32], up: &[f32], gradient: &mut [f32]) {
    for tap in 0..TAPS {
        let mut turned = [[0.0_f32; N_CHANNELS]; N_CHANNELS];
        for from in 0..N_CHANNELS {
            let weights: &[f32; N_CHANNELS] = part(weights, tap * N_CHANNELS + from);
            for to in 0..N_CHANNELS {
                turned[to][from] = weights[to];
            }
        }
        for cell in 0..taps.len() {
            let up: &[f32; N_CHANNELS] = part(up, cell);
            let gradient = part_mut::<N_CHANNELS>(gradient, usize::from(taps[cell][tap]));
            let mut sums = *gradient;
            for to in 0..N_CHANNELS {
                for from in 0..N_CHANNELS {
                    sums[from] += up[to] * turned[to][from];
                }
            }
            *gradient = sums;
        }
    }
}

#[inline(always)]
fn scale<const N: usize>(from: &[f32; N], x: f32, to: &mut [f32; N]) {
    for idx in 0..N {
        to[idx] = x * from[idx];
    }
}

/// The sum of products, in eight sums that can be computed side by side on any CPU.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0_f32; LANES];
    for chunk in 0..N / LANES {
        for lane in 0..LANES {
            sums[lane] += a[chunk * LANES + lane] * b[chunk * LANES + lane];
        }
    }
    let mut rest = 0.0;
    for idx in N / LANES * LANES..N {
        rest += a[idx] * b[idx];
    }
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)) + rest
}
