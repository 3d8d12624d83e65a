//! One evaluation: from a position to logits and a value.

use yarra_games::cpu::{FloatCpu, FloatWork, fastest_float};

use super::kernels::{Conv, conv, dense};
use super::lanes::{Lanes, N_LANES, add_row, add_scaled_row, dot, keep_lanes, relu_rows};
use super::shape::{Layer, N_HIDDEN};
use super::{ConvNet, Grid, NetInput};

/// The activations of one evaluation, by layer. Rows of filters by cell, then a row of zeros, which stands for all
/// cells beyond the board.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The codes of all cells, then those of the sides.
    pub codes: Vec<u8>,
    /// After the input layer.
    pub input: Vec<Lanes>,
    /// Within and after each block.
    pub blocks: Vec<[Vec<Lanes>; 2]>,
    /// For each group of cells the means and maxima, and the hidden layer made of them.
    pub pool: Vec<[Vec<Lanes>; 2]>,
    /// After adding what the groups say.
    pub pooled: Vec<Lanes>,
    /// The means and maxima of the whole board at the end, and the hidden layer of the value.
    pub head: [Vec<Lanes>; 2],
    /// The logits of the moves that were asked for.
    pub logits: Vec<f32>,
    /// The expected result for the player to move, from -1 to 1.
    pub value: f32,
    /// The expected [`NetGame::lead`](super::NetGame::lead), from -1 to 1.
    pub lead: f32,
}

impl ConvNet {
    /// Evaluates a position; the results are in `trace`. `indices` are the policy indices of the legal moves.
    pub fn evaluate(&self, input: &NetInput, indices: &[u16], trace: &mut Trace) {
        fastest_float(Forward { net: self, input, indices, trace });
    }
}

struct Forward<'a> {
    net: &'a ConvNet,
    input: &'a NetInput,
    indices: &'a [u16],
    trace: &'a mut Trace,
}

impl FloatWork for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: FloatCpu>(self) {
        let Forward { net, input, indices, trace } = self;
        let (shape, layout, params) = (net.shape(), net.layout(), &net.params[..]);
        let grid = Grid::of(shape.geometry, input.size);
        let n_lanes = shape.n_lanes();
        trace.prepare(net, grid);
        trace.codes.clear();
        trace.codes.extend(&input.cells);
        let n_codes = shape.geometry.n_codes() as u8;
        // The codes of what lies beyond the board are the last ones.
        trace.codes.extend([n_codes - 2, n_codes - 1, n_codes]);
        look::<C>(net, grid, input, trace);
        let mut before: &[Lanes] = &trace.input;
        for (n, (layers, out)) in layout.blocks.iter().zip(&mut trace.blocks).enumerate() {
            if n == shape.n_blocks_before_pool() {
                mix::<C>(net, grid, before, &mut trace.pool, &mut trace.pooled);
                before = &trace.pooled;
            }
            let [first, second] = layers;
            let [hidden, after] = out;
            convolve::<C>(first, grid, n_lanes, params, before, None, hidden);
            convolve::<C>(second, grid, n_lanes, params, hidden, Some(before), after);
            before = after;
        }
        if shape.n_blocks == shape.n_blocks_before_pool() {
            mix::<C>(net, grid, before, &mut trace.pool, &mut trace.pooled);
            before = &trace.pooled;
        }
        let [pooled, hidden] = &mut trace.head;
        pool(before, 0..grid.n_cells(), grid.n_cells(), n_lanes, pooled);
        trace.logits.clear();
        let (planes, biases) = (layout.policy.weights.of(params), layout.policy.bias.of(params));
        for &idx in indices {
            let (plane, cell) = (usize::from(idx) / grid.n_cells(), usize::from(idx) % grid.n_cells());
            let logit = if plane == shape.geometry.n_planes() {
                dot::<C>(pooled, layout.steal.weights.of(params)) + layout.steal.bias.of(params)[0].0[0]
            } else {
                let row = &before[cell * n_lanes..(cell + 1) * n_lanes];
                dot::<C>(row, &planes[plane * n_lanes..(plane + 1) * n_lanes]) + bias_at(biases, plane)
            };
            trace.logits.push(logit);
        }
        dense::<C>(pooled, layout.head.weights.of(params), Some(layout.head.bias.of(params)), hidden);
        relu_rows(hidden);
        let rows = layout.outcome.weights.of(params);
        let bias = layout.outcome.bias.of(params)[0].0;
        let (value, lead) = rows.split_at(hidden.len());
        trace.value = (dot::<C>(hidden, value) + bias[0]).tanh();
        trace.lead = (dot::<C>(hidden, lead) + bias[1]).tanh();
    }
}

impl Trace {
    /// Makes room for a board. What lies beyond the board must be zero, so a new size clears everything.
    fn prepare(&mut self, net: &ConvNet, grid: &Grid) {
        let shape = net.shape();
        let n_lanes = shape.n_lanes();
        let len = (grid.n_cells() + 1) * n_lanes;
        if self.input.len() == len
            && self.blocks.len() == shape.n_blocks
            && self.pool.len() == grid.groups.len()
        {
            return;
        }
        let rows = |n: usize| vec![Lanes::ZERO; n];
        self.input = rows(len);
        self.blocks = vec![[rows(len), rows(len)]; shape.n_blocks];
        self.pool = vec![[rows(2 * n_lanes), rows(n_lanes)]; grid.groups.len()];
        self.pooled = rows(len);
        self.head = [rows(2 * n_lanes), rows(N_HIDDEN / N_LANES)];
    }

    /// The activations that the heads see.
    pub fn last(&self, net: &ConvNet) -> &[Lanes] {
        self.before_block(net, net.shape().n_blocks)
    }

    /// The activations that enter a block.
    pub fn before_block(&self, net: &ConvNet, block: usize) -> &[Lanes] {
        if block == net.shape().n_blocks_before_pool() { &self.pooled } else { self.before_pool(block) }
    }

    /// The activations after the blocks before this one, without what groups say.
    pub fn before_pool(&self, block: usize) -> &[Lanes] {
        if block == 0 { &self.input } else { &self.blocks[block - 1][1] }
    }
}

/// The input layer: a row of weights for each cell around a cell that is not empty.
#[inline(always)]
fn look<C: FloatCpu>(net: &ConvNet, grid: &Grid, input: &NetInput, trace: &mut Trace) {
    let (layout, n_lanes) = (net.layout(), net.shape().n_lanes());
    let n_codes = net.shape().geometry.n_codes();
    let weights = layout.input.weights.of(&net.params);
    let mut base = layout.input.bias.of(&net.params).to_vec();
    for (&scalar, row) in input.scalars.iter().zip(layout.scalars.of(&net.params).chunks_exact(n_lanes)) {
        add_scaled_row::<C>(&mut base, scalar, row);
    }
    for row in trace.input[..grid.n_cells() * n_lanes].chunks_exact_mut(n_lanes) {
        row.copy_from_slice(&base);
    }
    for (&code, seen_from) in trace.codes.iter().zip(&grid.seen_from) {
        if code == 0 {
            continue;
        }
        for &(step, cell) in seen_from {
            let first = (usize::from(step) * n_codes + usize::from(code) - 1) * n_lanes;
            let row = &mut trace.input[usize::from(cell) * n_lanes..][..n_lanes];
            add_row(row, &weights[first..][..n_lanes]);
        }
    }
    relu_rows(&mut trace.input);
}

#[inline(always)]
fn convolve<C: FloatCpu>(
    layer: &Layer,
    grid: &Grid,
    n_lanes: usize,
    params: &[Lanes],
    input: &[Lanes],
    residual: Option<&[Lanes]>,
    out: &mut [Lanes],
) {
    let kernel = Conv { near: &grid.near, weights: layer.weights.of(params), n_in: n_lanes, n_out: n_lanes };
    let bias = layer.bias.of(params);
    conv::<C>(
        kernel,
        input,
        #[inline(always)]
        |cell, lane, mut sum| {
            sum.add(&bias[lane]);
            if let Some(residual) = residual {
                sum.add(&residual[cell * n_lanes + lane]);
            }
            sum.relu();
            out[cell * n_lanes + lane] = sum;
        },
    );
}

/// Tells each cell about the groups that it is in.
#[inline(always)]
fn mix<C: FloatCpu>(
    net: &ConvNet,
    grid: &Grid,
    input: &[Lanes],
    groups: &mut [[Vec<Lanes>; 2]],
    out: &mut [Lanes],
) {
    let (layout, n_lanes) = (net.layout(), net.shape().n_lanes());
    let params = &net.params[..];
    out.copy_from_slice(input);
    let mut message = vec![Lanes::ZERO; n_lanes];
    for (cells, [pooled, hidden]) in grid.groups.iter().zip(groups) {
        pool(input, cells.iter().map(|&cell| usize::from(cell)), cells.len(), n_lanes, pooled);
        dense::<C>(pooled, layout.pool.weights.of(params), Some(layout.pool.bias.of(params)), hidden);
        relu_rows(hidden);
        dense::<C>(hidden, layout.unpool.of(params), None, &mut message);
        for &cell in cells {
            add_row(&mut out[usize::from(cell) * n_lanes..][..n_lanes], &message);
        }
    }
    relu_rows(out);
}

/// The means of some rows, then their maxima.
#[inline(always)]
fn pool(
    rows: &[Lanes],
    cells: impl Iterator<Item = usize>,
    n_cells: usize,
    n_lanes: usize,
    out: &mut [Lanes],
) {
    let (means, maxima) = out.split_at_mut(n_lanes);
    means.fill(Lanes::ZERO);
    maxima.fill(Lanes::ZERO);
    for cell in cells {
        for lane in 0..n_lanes {
            let row = &rows[cell * n_lanes + lane];
            means[lane].add(row);
            // Activations are never negative, so a maximum may start at zero.
            maxima[lane].raise(row);
            keep_lanes();
        }
    }
    for mean in means {
        mean.scale(1.0 / n_cells as f32);
    }
}

#[inline(always)]
fn bias_at(biases: &[Lanes], idx: usize) -> f32 {
    biases[idx / N_LANES].0[idx % N_LANES]
}
