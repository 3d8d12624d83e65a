//! The gradient of the loss of one example, by hand.

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
        self.hidden.clear();
        for idx in 0..N_HIDDEN {
            let x = out.hidden[idx];
            d_value[idx] = x * value;
            scale(&self.logits, x, &mut d_policy[idx * N_MOVES..][..N_MOVES]);
            let up = value_weights[idx] * value + dot(&policy[idx * N_MOVES..][..N_MOVES], &self.logits);
            self.hidden.push(up * x * (1.0 - x));
        }

        d_bias3.copy_from_slice(&self.hidden);
        self.conv2.clear();
        for (idx, &x) in out.conv2.iter().enumerate() {
            scale(&self.hidden, x, &mut d_dense[idx * N_HIDDEN..][..N_HIDDEN]);
            let up = dot(&dense[idx * N_HIDDEN..][..N_HIDDEN], &self.hidden);
            self.conv2.push(up * (1.0 - x * x));
        }

        d_bias2.copy_from_slice(&self.conv2);
        self.conv1.clear();
        self.conv1.resize(out.conv1.len(), 0.0);
        for (taps, up) in taps2.iter().zip(self.conv2.chunks_exact(N_CHANNELS)) {
            let up: &[f32; N_CHANNELS] = up.try_into().expect("the channels of a cell");
            for (tap, &cell) in taps.iter().enumerate() {
                let cell = usize::from(cell) * N_CHANNELS;
                for from in 0..N_CHANNELS {
                    let row = (tap * N_CHANNELS + from) * N_CHANNELS;
                    add_scaled(up, out.conv1[cell + from], &mut d_conv2[row..][..N_CHANNELS]);
                    self.conv1[cell + from] += dot(&conv2[row..][..N_CHANNELS], up);
                }
            }
        }

        for (up, &x) in self.conv1.iter_mut().zip(&out.conv1) {
            *up *= 1.0 - x * x;
        }
        d_bias1.copy_from_slice(&self.conv1);
        for (taps, up) in taps1.iter().zip(self.conv1.chunks_exact(N_CHANNELS)) {
            let up: &[f32; N_CHANNELS] = up.try_into().expect("the channels of a cell");
            for (tap, &cell) in taps.iter().enumerate() {
                for &(plane, x) in planes.on(usize::from(cell)) {
                    let row = (tap * N_PLANES + usize::from(plane)) * N_CHANNELS;
                    add_scaled(up, x, &mut d_conv1[row..][..N_CHANNELS]);
                }
            }
        }
    }
}

#[inline(always)]
fn scale(from: &[f32], x: f32, to: &mut [f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = x * from;
    }
}

#[inline(always)]
fn add_scaled(from: &[f32; N_CHANNELS], x: f32, to: &mut [f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += x * from;
    }
}

/// The sum of products, in eight sums that can be computed side by side on any CPU.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0_f32; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)) + rest
}

const _: () = assert!(TAPS == 9);
