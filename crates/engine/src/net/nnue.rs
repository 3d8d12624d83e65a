//! A small net beside a linear evaluation, efficiently updated: sparse inputs, one hidden layer seen by both players,
//! one output.
//!
//! Each player has a view of the board with inputs of its own, and both views have the same weights. The sums of the
//! weights of all present inputs, one for each hidden unit, are the accumulators; a move changes a few inputs, so the
//! accumulators after it follow from those before it. The output is the sum over both views of weight times
//! clamp(sum, 0, 1)².
//!
//! Weights are whole numbers. All sums are exact, so that every CPU finds the same value.

use super::{NetError, NetFile};

/// The number of hidden units.
pub const N_HIDDEN: usize = 64;
/// What stands for 1 in the accumulators.
pub const ONE: i16 = 255;
/// What stands for 1 in the weights of the output.
pub const ONE_OUT: i16 = 64;
/// The bound of all weights as floats. With it no product of the output exceeds 16 bits.
pub const MAX_WEIGHT: f32 = 1.98;

/// What a game's positions need of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The inputs of a view.
    pub n_inputs: usize,
    /// How many of them can be present at once.
    pub max_present: usize,
    /// An output of 1 in hundredths.
    pub unit: i32,
}

impl Shape {
    /// The bound of the weights of inputs and biases as floats. With it no sum exceeds 16 bits.
    pub fn max_weight(&self) -> f32 {
        const MAX_SUM: f32 = 32_500.0 / ONE as f32;
        (MAX_SUM / (self.max_present + 1) as f32).min(MAX_WEIGHT)
    }
}

/// A number for each hidden unit, aligned to cache lines.
#[repr(align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums(pub [i16; N_HIDDEN]);

/// The sums of both views, that of the player to move first.
pub type Accumulators = [Sums; 2];

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Nnue {
    shape: Shape,
    inputs: Vec<Sums>,
    bias: Sums,
    /// For the view of the player to move and for the other.
    output: [Sums; 2],
}

/// The weights as floats, as training has them.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNnue {
    /// By input.
    pub inputs: Vec<[f32; N_HIDDEN]>,
    /// Of the hidden units.
    pub bias: [f32; N_HIDDEN],
    /// For the view of the player to move and for the other.
    pub output: [[f32; N_HIDDEN]; 2],
}

/// Lanes that are added together: a vector register.
const LANES: usize = 16;

impl Nnue {
    /// The weights as whole numbers.
    pub fn quantized(net: &FloatNnue, shape: Shape) -> Nnue {
        let whole = |weights: &[f32; N_HIDDEN], bound: f32, one: i16| {
            let round = |weight: f32| (weight.clamp(-bound, bound) * f32::from(one)).round() as i16;
            Sums(weights.map(round))
        };
        let hidden = |weights| whole(weights, shape.max_weight(), ONE);
        Nnue {
            shape,
            inputs: net.inputs.iter().map(hidden).collect(),
            bias: hidden(&net.bias),
            output: [0, 1].map(|view| whole(&net.output[view], MAX_WEIGHT, ONE_OUT)),
        }
    }

    /// The accumulator of a view by its inputs.
    pub fn sums(&self, inputs: impl IntoIterator<Item = usize>) -> Sums {
        let mut sums = self.bias;
        for input in inputs {
            for (sum, weight) in sums.0.iter_mut().zip(self.inputs[input].0) {
                *sum += weight;
            }
        }
        sums
    }

    /// The accumulator of a view after some inputs have gone and others have come.
    #[inline(always)]
    #[expect(
        clippy::manual_memcpy,
        reason = "copies of slices are calls: 0.42 instead of 0.86 of the nodes a second"
    )]
    pub fn updated(&self, sums: &Sums, gone: &[u16], come: &[u16]) -> Sums {
        let mut updated = Sums([0; N_HIDDEN]);
        let mut first = 0;
        // A register at a time, through all inputs: loops over whole rows would store and load it for each.
        while first < N_HIDDEN {
            let mut lanes = [0; LANES];
            for lane in 0..LANES {
                lanes[lane] = sums.0[first + lane];
            }
            for &input in gone {
                let weights = &self.inputs[input as usize].0;
                for lane in 0..LANES {
                    lanes[lane] -= weights[first + lane];
                }
            }
            for &input in come {
                let weights = &self.inputs[input as usize].0;
                for lane in 0..LANES {
                    lanes[lane] += weights[first + lane];
                }
            }
            for lane in 0..LANES {
                updated.0[first + lane] = lanes[lane];
            }
            first += LANES;
        }
        updated
    }

    /// The output for the player to move, in hundredths.
    #[inline(always)]
    pub fn value(&self, accumulators: &Accumulators) -> i32 {
        let mut sum = 0;
        let mut view = 0;
        while view < 2 {
            let (sums, weights) = (&accumulators[view].0, &self.output[view].0);
            for idx in 0..N_HIDDEN {
                let clamped = sums[idx].clamp(0, ONE);
                // Fits in 16 bits, and the sum of all 128 squares in 32.
                sum += i32::from(clamped * weights[idx]) * i32::from(clamped);
            }
            view += 1;
        }
        const ONE_SUM: i64 = ONE as i64 * ONE as i64 * ONE_OUT as i64;
        (i64::from(sum) * i64::from(self.shape.unit) / ONE_SUM) as i32
    }

    /// Reads the tensors of a file.
    ///
    /// # Errors
    /// If they are missing, or weights exceed the bounds.
    pub fn read(file: &NetFile, shape: Shape) -> Result<Nnue, NetError> {
        let sums = |words: &[i16]| Sums(words.try_into().expect("the shape was checked"));
        let found = file.tensors.get("inputs").and_then(|tensor| tensor.shape.first().copied());
        if let Some(found) = found.filter(|&found| found != shape.n_inputs) {
            let expected = shape.n_inputs;
            let error = format!("expected a net of {expected} inputs for this board, found one of {found}");
            return Err(NetError::new(error));
        }
        let inputs: &[i16] = file.get("inputs", &[shape.n_inputs, N_HIDDEN])?;
        let bias = file.get("bias", &[N_HIDDEN])?;
        let output: &[i16] = file.get("output", &[2, N_HIDDEN])?;
        for (weights, bound, one) in [
            (inputs, shape.max_weight(), ONE),
            (bias, shape.max_weight(), ONE),
            (output, MAX_WEIGHT, ONE_OUT),
        ] {
            let most = (bound * f32::from(one)).round() as i16;
            if !weights.iter().all(|weight| (-most..=most).contains(weight)) {
                return Err(NetError::new(format!("expected weights of at most {bound:.2}")));
            }
        }
        let (mine, others) = output.split_at(N_HIDDEN);
        Ok(Nnue {
            shape,
            inputs: inputs.chunks(N_HIDDEN).map(sums).collect(),
            bias: sums(bias),
            output: [sums(mine), sums(others)],
        })
    }

    /// Adds the tensors to a file.
    pub fn write(&self, file: &mut NetFile) {
        let words = |rows: &[Sums]| rows.iter().flat_map(|row| row.0).collect::<Vec<i16>>();
        file.add("inputs", &[self.inputs.len(), N_HIDDEN], words(&self.inputs));
        file.add("bias", &[N_HIDDEN], words(&[self.bias]));
        file.add("output", &[2, N_HIDDEN], words(&self.output));
    }
}

impl FloatNnue {
    /// The output by the inputs of both views, that of the player to move first; 1 is the shape's unit.
    pub fn value(&self, views: [&[u16]; 2]) -> f32 {
        let of_view = |inputs: &[u16], weights: &[f32; N_HIDDEN]| {
            let mut sums = self.bias;
            for &input in inputs {
                sums.iter_mut().zip(self.inputs[usize::from(input)]).for_each(|(sum, weight)| *sum += weight);
            }
            sums.iter().zip(weights).map(|(sum, weight)| weight * sum.clamp(0.0, 1.0).powi(2)).sum::<f32>()
        };
        of_view(views[0], &self.output[0]) + of_view(views[1], &self.output[1])
    }

    /// Reads the master copy of a file.
    ///
    /// # Errors
    /// If the tensors are missing.
    pub fn read(file: &NetFile, n_inputs: usize) -> Result<FloatNnue, NetError> {
        let row = |words: &[f32]| -> [f32; N_HIDDEN] { words.try_into().expect("the shape was checked") };
        let inputs: &[f32] = file.get("float.inputs", &[n_inputs, N_HIDDEN])?;
        let bias = row(file.get("float.bias", &[N_HIDDEN])?);
        let output: &[f32] = file.get("float.output", &[2, N_HIDDEN])?;
        let (mine, others) = output.split_at(N_HIDDEN);
        Ok(FloatNnue {
            inputs: inputs.chunks(N_HIDDEN).map(row).collect(),
            bias,
            output: [row(mine), row(others)],
        })
    }

    /// Adds the master copy to a file.
    pub fn write(&self, file: &mut NetFile) {
        file.add("float.inputs", &[self.inputs.len(), N_HIDDEN], self.inputs.as_flattened().to_vec());
        file.add("float.bias", &[N_HIDDEN], self.bias.to_vec());
        file.add("float.output", &[2, N_HIDDEN], self.output.as_flattened().to_vec());
    }
}
