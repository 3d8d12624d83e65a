//! The readings of the report's network, and where its parameters are.

use super::planes::{N_CELLS, N_PLANES};

/// Channels of both convolutions.
pub const N_CHANNELS: usize = 20;
/// Outputs of the shared dense layer.
pub const N_HIDDEN: usize = 100;
/// Outputs of the policy head, one for each move in the numbering of the game.
pub const N_MOVES: usize = 7 * N_CELLS;
/// Cells under a kernel of 3 × 3.
pub const TAPS: usize = 9;

const SIDE: usize = 7;

/// Which reading of the report a net is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// What the kernels see beyond the edge of the board.
    pub padding: Padding,
    /// What comes out of the policy head.
    pub policy: Policy,
    /// Whose result the value is.
    pub view: View,
}

/// What the kernels see beyond the edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// Nothing: the board shrinks from 7 × 7 to 5 × 5 to 3 × 3 cells, although it has no edge.
    Valid,
    /// The opposite side, as in the game.
    Torus,
}

/// What comes out of the policy head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A number between 0 and 1 for each move, on its own.
    Sigmoid,
    /// Shares that sum to 1.
    Softmax,
}

/// Whose result the value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Red's, although the planes do not tell who red is.
    Red,
    /// That of the player to move.
    Mover,
}

/// How parameters are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// All from the normal distribution of variance 1.
    Normal,
    /// Weights with a variance of 2 over the number of inputs, biases 0.
    He,
}

impl Padding {
    /// The sides of the boards between the layers: before, between and after the convolutions.
    fn sides(self) -> [usize; 3] {
        match self {
            Padding::Valid => [SIDE, SIDE - 2, SIDE - 4],
            Padding::Torus => [SIDE; 3],
        }
    }

    /// For each output cell of both convolutions, the input cells under its kernel, row by row.
    pub fn taps(self) -> [Vec<[u8; TAPS]>; 2] {
        let [before, between, after] = self.sides();
        let taps = |from: usize, to: usize, cell: usize| {
            std::array::from_fn(|tap| {
                let along = |at: usize, step: usize| match self {
                    Padding::Valid => at + step,
                    Padding::Torus => (at + step + from - 1) % from,
                };
                (along(cell / to, tap / 3) * from + along(cell % to, tap % 3)) as u8
            })
        };
        let layer = |from: usize, to: usize| (0..to * to).map(|cell| taps(from, to, cell)).collect();
        [layer(before, between), layer(between, after)]
    }
}

impl Design {
    /// The names and shapes of all tensors, in the order of the parameters. Weights have their inputs first and their
    /// outputs last; there is a bias for each channel of each cell.
    pub fn tensors(self) -> [(&'static str, Vec<usize>); 10] {
        let [_, between, after] = self.padding.sides();
        [
            ("conv1.weight", vec![3, 3, N_PLANES, N_CHANNELS]),
            ("conv1.bias", vec![between, between, N_CHANNELS]),
            ("conv2.weight", vec![3, 3, N_CHANNELS, N_CHANNELS]),
            ("conv2.bias", vec![after, after, N_CHANNELS]),
            ("dense.weight", vec![after * after * N_CHANNELS, N_HIDDEN]),
            ("dense.bias", vec![N_HIDDEN]),
            ("policy.weight", vec![N_HIDDEN, N_MOVES]),
            ("policy.bias", vec![N_MOVES]),
            ("value.weight", vec![N_HIDDEN, 1]),
            ("value.bias", vec![1]),
        ]
    }

    /// How many parameters there are: 59 644 with valid padding.
    pub fn n_params(self) -> usize {
        self.sizes().iter().sum()
    }

    #[inline(always)]
    fn sizes(self) -> [usize; 10] {
        let [_, between, after] = self.padding.sides();
        let (bias1, bias2) = (between * between * N_CHANNELS, after * after * N_CHANNELS);
        [
            TAPS * N_PLANES * N_CHANNELS,
            bias1,
            TAPS * N_CHANNELS * N_CHANNELS,
            bias2,
            bias2 * N_HIDDEN,
            N_HIDDEN,
            N_HIDDEN * N_MOVES,
            N_MOVES,
            N_HIDDEN,
            1,
        ]
    }

    /// The parameters of each tensor.
    #[inline(always)]
    pub fn split(self, params: &[f32]) -> [&[f32]; 10] {
        let mut rest = params;
        let mut parts = [&[][..]; 10];
        for (part, size) in parts.iter_mut().zip(self.sizes()) {
            (*part, rest) = rest.split_at(size);
        }
        parts
    }

    /// The parameters of each tensor, to change them.
    #[inline(always)]
    pub fn split_mut(self, params: &mut [f32]) -> [&mut [f32]; 10] {
        let mut rest = params;
        self.sizes().map(|size| rest.split_off_mut(..size).expect("as many parameters as the design has"))
    }
}

impl Init {
    /// Parameters for a net.
    pub fn draw(self, design: Design, rng: &mut fastrand::Rng) -> Vec<f32> {
        let mut params = Vec::with_capacity(design.n_params());
        for (name, shape) in design.tensors() {
            let (n_params, n_outputs) = (shape.iter().product::<usize>(), shape[shape.len() - 1]);
            let deviation = match self {
                Init::Normal => 1.0,
                Init::He if name.ends_with(".bias") => 0.0,
                Init::He => (2.0 * n_outputs as f64 / n_params as f64).sqrt(),
            };
            params.extend((0..n_params).map(|_| (deviation * normal(rng)) as f32));
        }
        params
    }
}

/// A number from the normal distribution, by Marsaglia's polar method.
fn normal(rng: &mut fastrand::Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.f64() - 1.0, 2.0 * rng.f64() - 1.0);
        let square = x * x + y * y;
        if 0.0 < square && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}
