//! The network of report 004, Agent 1, 1 (The Neural Network).

use yarra_games::cpu::fastest;

use super::design::{Design, N_CHANNELS, N_HIDDEN, N_MOVES, Policy, TAPS};
use super::math::{exp, sigmoid, tanh};
use super::planes::{N_PLANES, Planes};

/// Two convolutions and a dense layer, then a dense layer for each head. All parameters are one list, in the order of
/// [`Design::tensors`].
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// Which of the readings of the report it is.
    pub design: Design,
    /// All parameters.
    pub params: Vec<f32>,
    /// For each output cell of both convolutions, the input cells under its kernel.
    pub taps: [Vec<[u8; TAPS]>; 2],
}

/// What a pass through the net computes, layer by layer.
#[derive(Clone, Debug, Default)]
pub struct Activations {
    /// After the first convolution, the channels of a cell side by side.
    pub conv1: Vec<f32>,
    /// After the second one.
    pub conv2: Vec<f32>,
    /// After the shared dense layer.
    pub hidden: Vec<f32>,
    /// The policy head before its sigmoid or softmax.
    pub logits: Vec<f32>,
    /// The value head, from -1 to 1.
    pub value: f32,
}

impl Net {
    /// A net from its parameters.
    ///
    /// # Panics
    /// If their number is not that of the design.
    pub fn new(design: Design, params: Vec<f32>) -> Net {
        assert_eq!(params.len(), design.n_params(), "parameters of {design:?}");
        Net { design, params, taps: design.padding.taps() }
    }

    /// A net whose parameters are drawn at random.
    pub fn random(design: Design, init: super::Init, rng: &mut fastrand::Rng) -> Net {
        Net::new(design, init.draw(design, rng))
    }

    /// Runs the net on a board.
    pub fn run(&self, planes: &Planes, out: &mut Activations) {
        fastest(
            #[inline(always)]
            || self.forward(planes, out),
        );
    }

    #[inline(always)]
    fn forward(&self, planes: &Planes, out: &mut Activations) {
        let [conv1, bias1, conv2, bias2, dense, bias3, policy, bias4, value, bias5] =
            self.design.split(&self.params);
        let [taps1, taps2] = &self.taps;
        out.conv1.clear();
        out.conv1.extend_from_slice(bias1);
        for (cell, taps) in taps1.iter().enumerate() {
            sparse_cell(planes, taps, conv1, &mut out.conv1[cell * N_CHANNELS..][..N_CHANNELS]);
        }
        out.conv1.iter_mut().for_each(
            #[inline(always)]
            |x| *x = tanh(*x),
        );
        out.conv2.clear();
        out.conv2.extend_from_slice(bias2);
        convolve(&out.conv1, taps2, conv2, &mut out.conv2);
        out.conv2.iter_mut().for_each(
            #[inline(always)]
            |x| *x = tanh(*x),
        );
        out.hidden.clear();
        out.hidden.extend_from_slice(bias3);
        multiply(&out.conv2, dense, &mut out.hidden);
        out.hidden.iter_mut().for_each(
            #[inline(always)]
            |x| *x = sigmoid(*x),
        );
        out.logits.clear();
        out.logits.extend_from_slice(bias4);
        multiply(&out.hidden, policy, &mut out.logits);
        let mut sum = bias5[0];
        for (x, w) in out.hidden.iter().zip(value) {
            sum += x * w;
        }
        out.value = tanh(sum);
    }

    /// The outputs of the policy head.
    pub fn policy(&self, logits: &[f32]) -> Vec<f32> {
        match self.design.policy {
            Policy::Sigmoid => logits.iter().map(|&x| sigmoid(x)).collect(),
            Policy::Softmax => softmax(logits),
        }
    }
}

/// One cell of the first convolution: few of its inputs are not zero.
#[inline(always)]
fn sparse_cell(planes: &Planes, taps: &[u8; TAPS], weights: &[f32], out: &mut [f32]) {
    let mut sums: [f32; N_CHANNELS] = out.try_into().expect("the channels of a cell");
    for (tap, &cell) in taps.iter().enumerate() {
        for &(plane, x) in planes.on(usize::from(cell)) {
            let row = &weights[(tap * N_PLANES + usize::from(plane)) * N_CHANNELS..][..N_CHANNELS];
            for channel in 0..N_CHANNELS {
                sums[channel] += x * row[channel];
            }
        }
    }
    out.copy_from_slice(&sums);
}

/// Output cells that share a pass over the weights.
const BLOCK: usize = 3;

/// The second convolution, added to `out`.
#[inline(always)]
fn convolve(input: &[f32], taps: &[[u8; TAPS]], weights: &[f32], out: &mut [f32]) {
    let n_blocked = taps.len() / BLOCK * BLOCK;
    let (blocked, rest) = out.split_at_mut(n_blocked * N_CHANNELS);
    for (taps, out) in taps.chunks_exact(BLOCK).zip(blocked.chunks_exact_mut(BLOCK * N_CHANNELS)) {
        convolve_cells::<BLOCK>(input, taps, weights, out);
    }
    for (taps, out) in taps[n_blocked..].chunks_exact(1).zip(rest.chunks_exact_mut(N_CHANNELS)) {
        convolve_cells::<1>(input, taps, weights, out);
    }
}

#[inline(always)]
fn convolve_cells<const N: usize>(input: &[f32], taps: &[[u8; TAPS]], weights: &[f32], out: &mut [f32]) {
    let mut sums = [[0.0_f32; N_CHANNELS]; N];
    for n in 0..N {
        sums[n].copy_from_slice(&out[n * N_CHANNELS..][..N_CHANNELS]);
    }
    for tap in 0..TAPS {
        for from in 0..N_CHANNELS {
            let row: &[f32; N_CHANNELS] = weights[(tap * N_CHANNELS + from) * N_CHANNELS..][..N_CHANNELS]
                .try_into()
                .expect("the weights of one input");
            for n in 0..N {
                let x = input[usize::from(taps[n][tap]) * N_CHANNELS + from];
                for channel in 0..N_CHANNELS {
                    sums[n][channel] += x * row[channel];
                }
            }
        }
    }
    for n in 0..N {
        out[n * N_CHANNELS..][..N_CHANNELS].copy_from_slice(&sums[n]);
    }
}

/// A dense layer, added to `out`: four inputs in one pass over the outputs, each output summed in the order of inputs.
#[inline(always)]
fn multiply(input: &[f32], weights: &[f32], out: &mut [f32]) {
    let n = out.len();
    for (idx, x) in input.chunks_exact(4).enumerate() {
        let rows = &weights[idx * 4 * n..][..4 * n];
        let (r0, rows) = rows.split_at(n);
        let (r1, rows) = rows.split_at(n);
        let (r2, r3) = rows.split_at(n);
        for ((((out, w0), w1), w2), w3) in out.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
            *out = (((*out + x[0] * w0) + x[1] * w1) + x[2] * w2) + x[3] * w3;
        }
    }
}

/// Numbers that sum to 1, in the ratio of the exponentials.
#[inline(always)]
pub fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut shares: Vec<f32> = logits
        .iter()
        .map(
            #[inline(always)]
            |x| exp(x - most),
        )
        .collect();
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

const _: () = assert!(N_HIDDEN.is_multiple_of(4) && N_CHANNELS.is_multiple_of(4) && N_MOVES == 343);
