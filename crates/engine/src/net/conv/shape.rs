//! The tensors of a net, and where they lie in its list of parameters.

use super::lanes::{Lanes, N_LANES};
use super::{Geometry, N_SCALARS};

/// The width of the layer between pooling and the value.
pub const N_HIDDEN: usize = 32;

/// What determines all shapes of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetShape {
    /// The board and the kinds of moves.
    pub geometry: Geometry,
    /// Residual blocks of two convolutions.
    pub n_blocks: usize,
    /// Filters of each convolution; a multiple of 16.
    pub n_filters: usize,
}

impl NetShape {
    /// Fails unless nets of this shape exist.
    ///
    /// # Errors
    /// With what was expected.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=40).contains(&self.n_blocks) {
            return Err(format!("expected 1 to 40 blocks, found {}", self.n_blocks));
        }
        if !(N_LANES..=512).contains(&self.n_filters) || !self.n_filters.is_multiple_of(N_LANES) {
            return Err(format!(
                "expected a multiple of {N_LANES} filters up to 512, found {}",
                self.n_filters
            ));
        }
        Ok(())
    }

    /// The number of blocks before cells hear from their line or from the whole board.
    pub fn n_blocks_before_pool(&self) -> usize {
        self.n_blocks.div_ceil(2)
    }

    /// The lanes of a row of filters.
    pub fn n_lanes(&self) -> usize {
        self.n_filters / N_LANES
    }
}

/// The place of a tensor in a list of parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The tensor in such a list.
    #[inline(always)]
    pub fn of(self, params: &[Lanes]) -> &[Lanes] {
        &params[self.start..self.end]
    }

    /// The tensor in such a list, to change it.
    #[inline(always)]
    pub fn of_mut(self, params: &mut [Lanes]) -> &mut [Lanes] {
        &mut params[self.start..self.end]
    }
}

/// A named tensor. Its last dimension is filled up with zeros to whole lanes.
#[derive(Clone, Debug)]
pub struct TensorInfo {
    /// The name in files.
    pub name: String,
    /// The dimensions, as in files.
    pub shape: Vec<usize>,
    /// Where it lies.
    pub span: Span,
    /// The standard deviation of the first weights; 0 for tensors that start at zero.
    pub deviation: f32,
}

/// A layer: its weights and its biases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layer {
    /// By input and output; for convolutions also by step of the kernel.
    pub weights: Span,
    /// By output.
    pub bias: Span,
}

/// The tensors of a net by their roles.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// All tensors in the order of the parameters.
    pub tensors: Vec<TensorInfo>,
    /// The input layer: weights by step of the input kernel and code.
    pub input: Layer,
    /// The weights of the scalars in the input layer.
    pub scalars: Span,
    /// The two convolutions of each block.
    pub blocks: Vec<[Layer; 2]>,
    /// From the mean and maximum of a group of cells to a hidden layer.
    pub pool: Layer,
    /// From there back to each cell of the group.
    pub unpool: Span,
    /// By plane: a policy's weights are a row for each kind of move.
    pub policy: Layer,
    /// From the pooled board to the logit of the steal: one row for means, one for maxima.
    pub steal: Layer,
    /// From the pooled board to the hidden layer of the value.
    pub head: Layer,
    /// From there to the value and the lead: a row each.
    pub outcome: Layer,
    n_params: usize,
}

impl Layout {
    /// The tensors of a shape.
    pub fn new(shape: NetShape) -> Layout {
        let mut layout = Layout::default();
        let (geometry, filters) = (shape.geometry, shape.n_filters);
        let (n_steps, n_input_steps) = (geometry.kernel().len(), geometry.input_kernel().len());
        // For n inputs that are on average half zero, weights of this deviation keep the size of activations.
        let he = |n: usize| (2.0 / n as f32).sqrt();
        let n_codes = geometry.n_codes();
        layout.input.weights =
            layout.add("input.weight", &[n_input_steps, n_codes, filters], he(n_input_steps));
        layout.input.bias = layout.add("input.bias", &[filters], 0.0);
        layout.scalars = layout.add("input.scalars", &[N_SCALARS, filters], he(n_input_steps));
        // The second convolution of a block starts at zero and the first one is scaled down, so that a
        // deep net starts as a shallow one and needs no normalization.
        let damped = he(n_steps * filters) / (shape.n_blocks as f32).sqrt();
        for block in 0..shape.n_blocks {
            let layers = [1, 2].map(|n| {
                let name = |part| format!("block{block}.conv{n}.{part}");
                let deviation = if n == 1 { damped } else { 0.0 };
                let weights = layout.add(&name("weight"), &[n_steps, filters, filters], deviation);
                Layer { weights, bias: layout.add(&name("bias"), &[filters], 0.0) }
            });
            layout.blocks.push(layers);
        }
        layout.pool.weights = layout.add("pool.weight", &[2 * filters, filters], he(2 * filters));
        layout.pool.bias = layout.add("pool.bias", &[filters], 0.0);
        layout.unpool = layout.add("unpool.weight", &[filters, filters], 0.0);
        layout.policy.weights = layout.add("policy.weight", &[geometry.n_planes(), filters], 0.0);
        layout.policy.bias = layout.add("policy.bias", &[geometry.n_planes()], 0.0);
        if geometry.has_steal() {
            layout.steal.weights = layout.add("steal.weight", &[2, filters], 0.0);
            layout.steal.bias = layout.add("steal.bias", &[1], 0.0);
        }
        layout.head.weights = layout.add("head.weight", &[2 * filters, N_HIDDEN], he(2 * filters));
        layout.head.bias = layout.add("head.bias", &[N_HIDDEN], 0.0);
        layout.outcome.weights = layout.add("outcome.weight", &[2, N_HIDDEN], 0.0);
        layout.outcome.bias = layout.add("outcome.bias", &[2], 0.0);
        layout
    }

    /// The number of lanes of all tensors.
    pub fn n_lanes(&self) -> usize {
        self.n_params
    }

    fn add(&mut self, name: &str, shape: &[usize], deviation: f32) -> Span {
        let (&width, rows) = shape.split_last().expect("a tensor has a dimension");
        let start = self.n_params;
        self.n_params += rows.iter().product::<usize>() * width.div_ceil(N_LANES);
        let span = Span { start, end: self.n_params };
        self.tensors.push(TensorInfo { name: name.to_owned(), shape: shape.to_vec(), span, deviation });
        span
    }
}

impl TensorInfo {
    /// The numbers of the tensor in a list of parameters, without the filling.
    pub fn numbers(&self, params: &[Lanes]) -> Vec<f32> {
        let width = self.width();
        let rows = self.span.of(params).chunks_exact(width.div_ceil(N_LANES));
        rows.flat_map(|row| row.iter().flat_map(|lanes| lanes.0).take(width)).collect()
    }

    /// Sets the numbers of the tensor in a list of parameters.
    pub fn set(&self, params: &mut [Lanes], numbers: impl IntoIterator<Item = f32>) {
        let width = self.width();
        let mut numbers = numbers.into_iter();
        for row in self.span.of_mut(params).chunks_exact_mut(width.div_ceil(N_LANES)) {
            for number in row.iter_mut().flat_map(|lanes| &mut lanes.0).take(width) {
                *number = numbers.next().expect("a number for every element");
            }
        }
    }

    fn width(&self) -> usize {
        *self.shape.last().expect("a tensor has a dimension")
    }
}
