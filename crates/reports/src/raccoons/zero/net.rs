//! The network of report 004, Agent 1, 1 (The Neural Network).

#![expect(
    clippy::needless_range_loop,
    reason = "iterators over several slices are not always compiled for the detected CPU"
)]

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
        for cell in 0..taps1.len() {
            sparse_cell(planes, &taps1[cell], conv1, &mut out.conv1[cell * N_CHANNELS..][..N_CHANNELS]);
        }
        tanh_all(&mut out.conv1);
        out.conv2.clear();
        out.conv2.extend_from_slice(bias2);
        convolve(&out.conv1, taps2, conv2, &mut out.conv2);
        tanh_all(&mut out.conv2);
        out.hidden.clear();
        out.hidden.extend_from_slice(bias3);
        multiply::<N_HIDDEN>(&out.conv2, dense, &mut out.hidden);
        sigmoid_all(&mut out.hidden);
        out.logits.clear();
        out.logits.extend_from_slice(bias4);
        multiply::<N_MOVES>(&out.hidden, policy, &mut out.logits);
        let mut sum = bias5[0];
        for idx in 0..N_HIDDEN {
            sum += out.hidden[idx] * value[idx];
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
    for tap in 0..TAPS {
        for &(plane, x) in planes.on(usize::from(taps[tap])) {
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
    let n_blocks = taps.len() / BLOCK;
    for block in 0..n_blocks {
        let cell = block * BLOCK;
        let out = &mut out[cell * N_CHANNELS..][..BLOCK * N_CHANNELS];
        convolve_cells::<BLOCK>(input, &taps[cell..][..BLOCK], weights, out);
    }
    for cell in n_blocks * BLOCK..taps.len() {
        let out = &mut out[cell * N_CHANNELS..][..N_CHANNELS];
        convolve_cells::<1>(input, &taps[cell..][..1], weights, out);
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
fn multiply<const N: usize>(input: &[f32], weights: &[f32], out: &mut [f32]) {
    let out: &mut [f32; N] = out.try_into().expect("the outputs of the layer");
    for idx in 0..input.len() / 4 {
        let x: &[f32; 4] = input[4 * idx..][..4].try_into().expect("four inputs");
        let rows = &weights[4 * idx * N..][..4 * N];
        for to in 0..N {
            let sum = (out[to] + x[0] * rows[to]) + x[1] * rows[N + to];
            out[to] = (sum + x[2] * rows[2 * N + to]) + x[3] * rows[3 * N + to];
        }
    }
}

#[inline(always)]
fn tanh_all(numbers: &mut [f32]) {
    for idx in 0..numbers.len() {
        numbers[idx] = tanh(numbers[idx]);
    }
}

#[inline(always)]
fn sigmoid_all(numbers: &mut [f32]) {
    for idx in 0..numbers.len() {
        numbers[idx] = sigmoid(numbers[idx]);
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
