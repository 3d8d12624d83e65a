//! The gradients of one sample, layer by layer from the outputs back to the input.

use yarra_engine::net::conv::kernels::{Conv, conv};
use yarra_engine::net::conv::lanes::{add_row, add_scaled_row};
use yarra_engine::net::conv::shape::{Layer, N_HIDDEN, Span};
use yarra_engine::net::conv::{ConvNet, Grid, Lanes, N_LANES, NetInput, Trace};
use yarra_games::cpu::{FloatCpu, FloatWork, fastest_float};

use super::gradients::{KernelGradient, add_pool_gradient, add_rows, cut, dense_backward};

/// The gradients of a loss by the outputs of a net, before the tanh of the value and the lead.
#[derive(Clone, Debug, Default)]
pub struct OutputGradient {
    /// By the logits of the legal moves.
    pub logits: Vec<f32>,
    /// By the value.
    pub value: f32,
    /// By the lead.
    pub lead: f32,
}

/// The kernels of a net with inputs and outputs swapped, at the same places as its parameters.
pub fn transposed(net: &ConvNet) -> Vec<Lanes> {
    let mut transposed = vec![Lanes::ZERO; net.params.len()];
    let n_filters = net.shape().n_filters;
    for layer in net.layout().blocks.iter().flatten() {
        let n_lanes = net.shape().n_lanes();
        let old = layer.weights.of(&net.params).chunks_exact(n_filters * n_lanes);
        let new = layer.weights.of_mut(&mut transposed).chunks_exact_mut(n_filters * n_lanes);
        for (old, new) in old.zip(new) {
            for input in 0..n_filters {
                for output in 0..n_filters {
                    let weight = old[input * n_lanes + output / N_LANES].0[output % N_LANES];
                    new[output * n_lanes + input / N_LANES].0[input % N_LANES] = weight;
                }
            }
        }
    }
    transposed
}

/// The memory of a backward pass: gradients of activations, which need not be kept.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// By the activations at the point reached.
    after: Vec<Lanes>,
    /// By the activations within a block.
    hidden: Vec<Lanes>,
    /// By the activations before it.
    before: Vec<Lanes>,
    kernel: KernelGradient,
}

/// A sample that was evaluated, and what its gradients need.
pub struct Backward<'a> {
    /// The net.
    pub net: &'a ConvNet,
    /// Its kernels, [`transposed`].
    pub transposed: &'a [Lanes],
    /// The position.
    pub input: &'a NetInput,
    /// The policy indices of the legal moves.
    pub indices: &'a [u16],
    /// The evaluation.
    pub trace: &'a Trace,
    /// The gradients of the loss by the outputs.
    pub output: &'a OutputGradient,
}

impl Backward<'_> {
    /// Adds the gradients of all parameters to `gradient`, which has the places of the parameters.
    pub fn add_to(&self, gradient: &mut [Lanes], scratch: &mut Scratch) {
        fastest_float(Work { pass: self, gradient, scratch });
    }
}

struct Work<'a> {
    pass: &'a Backward<'a>,
    gradient: &'a mut [Lanes],
    scratch: &'a mut Scratch,
}

impl FloatWork for Work<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: FloatCpu>(self) {
        let Work { pass, gradient, scratch } = self;
        let net = pass.net;
        let (shape, trace) = (net.shape(), pass.trace);
        let grid = Grid::of(shape.geometry, pass.input.size);
        // The row after the last cell stays zero: nothing flows beyond the board.
        let len = (grid.n_cells() + 1) * shape.n_lanes();
        for rows in [&mut scratch.after, &mut scratch.hidden, &mut scratch.before] {
            rows.clear();
            rows.resize(len, Lanes::ZERO);
        }
        pass.heads::<C>(grid, gradient, &mut scratch.after);
        for n in (0..=shape.n_blocks).rev() {
            if n < shape.n_blocks {
                pass.block::<C>(n, grid, gradient, scratch);
            }
            if n == shape.n_blocks_before_pool() {
                pass.mix::<C>(trace.before_pool(n), grid, gradient, scratch);
            }
        }
        pass.look::<C>(grid, gradient, &mut scratch.after);
    }
}

impl Backward<'_> {
    /// From the outputs to the activations behind the last block.
    #[inline(always)]
    fn heads<C: FloatCpu>(&self, grid: &Grid, gradient: &mut [Lanes], after: &mut [Lanes]) {
        let (net, trace, output) = (self.net, self.trace, self.output);
        let (layout, params) = (net.layout(), &net.params[..]);
        let (n_lanes, n_cells) = (net.shape().n_lanes(), grid.n_cells());
        let [pooled, hidden] = &trace.head;
        let mut d_hidden = [Lanes::ZERO; N_HIDDEN / N_LANES];
        let n_hidden = d_hidden.len();
        for (n, d) in [output.value, output.lead].into_iter().enumerate() {
            let weights = &layout.outcome.weights.of(params)[n * n_hidden..][..n_hidden];
            let d_weights = &mut layout.outcome.weights.of_mut(gradient)[n * n_hidden..][..n_hidden];
            add_scaled_row::<C>(&mut d_hidden, d, weights);
            add_scaled_row::<C>(d_weights, d, hidden);
            layout.outcome.bias.of_mut(gradient)[0].0[n] += d;
        }
        cut(&mut d_hidden, hidden);
        add_rows(&d_hidden, layout.head.bias.of_mut(gradient));
        let mut d_pooled = vec![Lanes::ZERO; 2 * n_lanes];
        let head = layout.head.weights;
        dense_backward::<C>(pooled, head.of(params), &d_hidden, head.of_mut(gradient), &mut d_pooled);
        let last = trace.last(net);
        for (&idx, &d) in self.indices.iter().zip(&output.logits) {
            let (plane, cell) = (usize::from(idx) / n_cells, usize::from(idx) % n_cells);
            let (layer, inputs, d_inputs, row) = if plane == net.shape().geometry.n_planes() {
                (layout.steal, &pooled[..], &mut d_pooled[..], 0)
            } else {
                let cells = cell * n_lanes..(cell + 1) * n_lanes;
                (layout.policy, &last[cells.clone()], &mut after[cells], plane)
            };
            let first = row * n_lanes;
            add_scaled_row::<C>(d_inputs, d, &layer.weights.of(params)[first..]);
            add_scaled_row::<C>(&mut layer.weights.of_mut(gradient)[first..][..inputs.len()], d, inputs);
            layer.bias.of_mut(gradient)[row / N_LANES].0[row % N_LANES] += d;
        }
        add_pool_gradient(last, 0..n_cells, pooled, &d_pooled, after);
    }

    /// From behind a block to before it.
    #[inline(always)]
    fn block<C: FloatCpu>(&self, n: usize, grid: &Grid, gradient: &mut [Lanes], scratch: &mut Scratch) {
        let [first, second] = &self.net.layout().blocks[n];
        let [hidden, after] = &self.trace.blocks[n];
        let Scratch { after: d_after, hidden: d_hidden, before: d_before, kernel } = scratch;
        cut(d_after, after);
        self.kernel::<C>(second, grid, hidden, d_after, gradient, kernel);
        self.convolve_back::<C>(second.weights, grid, d_after, None, d_hidden);
        cut(d_hidden, hidden);
        self.kernel::<C>(first, grid, self.trace.before_block(self.net, n), d_hidden, gradient, kernel);
        self.convolve_back::<C>(first.weights, grid, d_hidden, Some(d_after), d_before);
        std::mem::swap(d_after, d_before);
    }

    /// The gradients of a convolution's own parameters.
    #[inline(always)]
    fn kernel<C: FloatCpu>(
        &self,
        layer: &Layer,
        grid: &Grid,
        input: &[Lanes],
        output: &[Lanes],
        gradient: &mut [Lanes],
        kernel: &mut KernelGradient,
    ) {
        let n_lanes = self.net.shape().n_lanes();
        add_rows(output, layer.bias.of_mut(gradient));
        let weights = layer.weights.of_mut(gradient);
        kernel.add_to::<C>(&grid.near_back, input, output, n_lanes, weights);
    }

    /// The gradient of a convolution's input: a convolution with the opposite steps.
    #[inline(always)]
    fn convolve_back<C: FloatCpu>(
        &self,
        weights: Span,
        grid: &Grid,
        output: &[Lanes],
        residual: Option<&[Lanes]>,
        input: &mut [Lanes],
    ) {
        let n_lanes = self.net.shape().n_lanes();
        let weights = weights.of(self.transposed);
        let kernel = Conv { near: &grid.near_back, weights, n_in: n_lanes, n_out: n_lanes };
        conv::<C>(
            kernel,
            output,
            #[inline(always)]
            |cell, lane, mut sum| {
                if let Some(residual) = residual {
                    sum.add(&residual[cell * n_lanes + lane]);
                }
                input[cell * n_lanes + lane] = sum;
            },
        );
    }

    /// From behind the layer that tells cells about their groups to before it.
    #[inline(always)]
    fn mix<C: FloatCpu>(&self, rows: &[Lanes], grid: &Grid, gradient: &mut [Lanes], scratch: &mut Scratch) {
        let (layout, params) = (self.net.layout(), &self.net.params[..]);
        let n_lanes = self.net.shape().n_lanes();
        let Scratch { after, before, .. } = scratch;
        cut(after, &self.trace.pooled);
        before.copy_from_slice(after);
        let mut d_message = vec![Lanes::ZERO; n_lanes];
        let mut d_hidden = vec![Lanes::ZERO; n_lanes];
        let mut d_pooled = vec![Lanes::ZERO; 2 * n_lanes];
        for (cells, [pooled, hidden]) in grid.groups.iter().zip(&self.trace.pool) {
            d_message.fill(Lanes::ZERO);
            for &cell in cells {
                add_rows(&after[usize::from(cell) * n_lanes..][..n_lanes], &mut d_message);
            }
            let (unpool, pool) = (layout.unpool, layout.pool);
            dense_backward::<C>(
                hidden,
                unpool.of(params),
                &d_message,
                unpool.of_mut(gradient),
                &mut d_hidden,
            );
            cut(&mut d_hidden, hidden);
            add_rows(&d_hidden, pool.bias.of_mut(gradient));
            let weights = pool.weights;
            dense_backward::<C>(
                pooled,
                weights.of(params),
                &d_hidden,
                weights.of_mut(gradient),
                &mut d_pooled,
            );
            add_pool_gradient(rows, cells.iter().map(|&cell| cell.into()), pooled, &d_pooled, before);
        }
        std::mem::swap(after, before);
    }

    /// The gradients of the input layer.
    #[inline(always)]
    fn look<C: FloatCpu>(&self, grid: &Grid, gradient: &mut [Lanes], after: &mut [Lanes]) {
        let (layout, n_lanes) = (self.net.layout(), self.net.shape().n_lanes());
        let n_codes = self.net.shape().geometry.n_codes();
        cut(after, &self.trace.input);
        let mut sums = vec![Lanes::ZERO; n_lanes];
        add_rows(after, &mut sums);
        add_rows(&sums, layout.input.bias.of_mut(gradient));
        for (&scalar, row) in
            self.input.scalars.iter().zip(layout.scalars.of_mut(gradient).chunks_exact_mut(n_lanes))
        {
            add_scaled_row::<C>(row, scalar, &sums);
        }
        let weights = layout.input.weights.of_mut(gradient);
        for (&code, seen_from) in self.trace.codes.iter().zip(&grid.seen_from) {
            if code == 0 {
                continue;
            }
            for &(step, cell) in seen_from {
                let first = (usize::from(step) * n_codes + usize::from(code) - 1) * n_lanes;
                let row = &after[usize::from(cell) * n_lanes..][..n_lanes];
                add_row(&mut weights[first..][..n_lanes], row);
            }
        }
    }
}
