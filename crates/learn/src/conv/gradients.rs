//! The loops of the backward pass that take nearly all of its time.

use yarra_engine::net::conv::kernels::{Conv, conv};
use yarra_engine::net::conv::lanes::{Lanes, N_LANES, add_row, add_scaled_row, dot, keep_lanes};
use yarra_games::cpu::FloatCpu;

/// Computes the gradient of a convolution's weights: for each step of the kernel, the products of the inputs there and the
/// gradient of the output, summed over all cells. That is a matrix product, and so a convolution over filters instead of cells.
#[derive(Clone, Debug, Default)]
pub struct KernelGradient {
    /// The numbers of all filters.
    filters: Vec<Vec<u16>>,
    /// The inputs: rows of cells by filter, filled up to whole lanes.
    columns: Vec<Lanes>,
    /// The gradient of the output by the cell that was seen.
    output: Vec<Lanes>,
    /// The gradient of one step's weights.
    product: Vec<Lanes>,
}

impl KernelGradient {
    /// Adds to `gradient`. `near_back` says for each step and cell from where it was seen.
    #[inline(always)]
    pub fn add_to<C: FloatCpu>(
        &mut self,
        near_back: &[Vec<u16>],
        input: &[Lanes],
        output: &[Lanes],
        n_lanes: usize,
        gradient: &mut [Lanes],
    ) {
        let n_filters = n_lanes * N_LANES;
        let n_cells = near_back[0].len();
        if self.product.len() != n_filters * n_lanes {
            self.filters = vec![(0..n_filters as u16).collect()];
            self.product = vec![Lanes::ZERO; n_filters * n_lanes];
        }
        self.transpose(input, n_cells, n_lanes);
        for (near_back, gradient) in near_back.iter().zip(gradient.chunks_exact_mut(n_filters * n_lanes)) {
            self.output.clear();
            for &cell in near_back {
                self.output.extend_from_slice(&output[usize::from(cell) * n_lanes..][..n_lanes]);
            }
            let n_in = n_cells.div_ceil(N_LANES);
            let kernel = Conv { near: &self.filters, weights: &self.output, n_in, n_out: n_lanes };
            let product = &mut self.product;
            conv::<C>(
                kernel,
                &self.columns,
                #[inline(always)]
                |filter, lane, sum| product[filter * n_lanes + lane] = sum,
            );
            add_rows(product, gradient);
        }
    }

    #[inline(always)]
    fn transpose(&mut self, rows: &[Lanes], n_cells: usize, n_lanes: usize) {
        let n_chunks = n_cells.div_ceil(N_LANES);
        self.columns.clear();
        self.columns.resize(n_lanes * N_LANES * n_chunks, Lanes::ZERO);
        for cell in 0..n_cells {
            for lane in 0..n_lanes {
                let lanes = &rows[cell * n_lanes + lane].0;
                for (i, &number) in lanes.iter().enumerate() {
                    let row = (lane * N_LANES + i) * n_chunks;
                    self.columns[row + cell / N_LANES].0[cell % N_LANES] = number;
                }
            }
        }
    }
}

/// The backward pass of a dense layer: adds to the gradients of its weights and, if there is one, its bias, and writes
/// the gradient of its input.
#[inline(always)]
pub fn dense_backward<C: FloatCpu>(
    input: &[Lanes],
    weights: &[Lanes],
    output: &[Lanes],
    gradient: &mut [Lanes],
    d_input: &mut [Lanes],
) {
    let n_out = output.len();
    for (n, weights) in weights.chunks_exact(n_out).enumerate() {
        let (lane, i) = (n / N_LANES, n % N_LANES);
        d_input[lane].0[i] = dot::<C>(weights, output);
        let (x, gradient) = (input[lane].0[i], &mut gradient[n * n_out..][..n_out]);
        add_scaled_row::<C>(gradient, x, output);
    }
}

/// Adds rows to a row of sums, as for the gradient of a bias.
#[inline(always)]
pub fn add_rows(rows: &[Lanes], sums: &mut [Lanes]) {
    let n_lanes = sums.len();
    for row in rows.chunks_exact(n_lanes) {
        add_row(sums, row);
    }
}

/// The gradient before a rectifier, from the one behind it: zero where it cut something off.
#[inline(always)]
pub fn cut(gradient: &mut [Lanes], output: &[Lanes]) {
    for (gradient, output) in gradient.iter_mut().zip(output) {
        gradient.update(output, |gradient, output| if 0.0 < output { gradient } else { 0.0 });
        keep_lanes();
    }
}

/// The backward pass of pooling: adds the gradients of means and maxima to the rows that were pooled. A maximum that several
/// cells share belongs to the first one.
#[inline(always)]
pub fn add_pool_gradient(
    rows: &[Lanes],
    cells: impl Iterator<Item = usize> + Clone,
    pooled: &[Lanes],
    d_pooled: &[Lanes],
    d_rows: &mut [Lanes],
) {
    let n_lanes = pooled.len() / 2;
    let share = 1.0 / cells.clone().count() as f32;
    for lane in 0..n_lanes {
        let (d_mean, d_max, max) = (&d_pooled[lane], &d_pooled[n_lanes + lane], &pooled[n_lanes + lane]);
        let mut left = *d_max;
        for cell in cells.clone() {
            let mut is_max = rows[cell * n_lanes + lane];
            is_max.update(max, |row, max| if row == max { 1.0 } else { 0.0 });
            let mut d_row = d_rows[cell * n_lanes + lane];
            for i in 0..N_LANES {
                d_row.0[i] += share * d_mean.0[i] + is_max.0[i] * left.0[i];
            }
            d_rows[cell * n_lanes + lane] = d_row;
            left.update(&is_max, |left, is_max| left * (1.0 - is_max));
            keep_lanes();
        }
    }
}
