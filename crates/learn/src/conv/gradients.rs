//! The loops of the backward pass that take nearly all of its time.

use yarra_engine::net::conv::{Lanes, N_LANES, dot};
use yarra_games::cpu::FloatCpu;

/// Adds to the weights' gradient of a convolution: for each step of the kernel, the products of the inputs there and
/// the gradient of the output. Rows of `n_lanes` by cell.
#[inline(always)]
pub fn add_kernel_gradient<C: FloatCpu>(
    near: &[Vec<u16>],
    input: &[Lanes],
    output: &[Lanes],
    n_lanes: usize,
    gradient: &mut [Lanes],
) {
    let blocks = gradient.chunks_exact_mut(N_LANES * n_lanes);
    for (n, block) in blocks.enumerate() {
        let (near, k) = (&near[n / n_lanes], n % n_lanes);
        let mut lane = 0;
        while lane < n_lanes {
            if C::WIDE && lane + 2 <= n_lanes {
                add_block::<C, 8, 2>(near, input, output, n_lanes, k, lane, block);
                lane += 2;
            } else {
                add_block::<C, 4, 1>(near, input, output, n_lanes, k, lane, block);
                lane += 1;
            }
        }
    }
}

/// The gradients of 16 inputs and some lanes of outputs, a tile of `ROWS` inputs at a time: its sums stay in registers.
#[inline(always)]
fn add_block<C: FloatCpu, const ROWS: usize, const WIDTH: usize>(
    near: &[u16],
    input: &[Lanes],
    output: &[Lanes],
    n_lanes: usize,
    k: usize,
    lane: usize,
    block: &mut [Lanes],
) {
    for first in (0..N_LANES).step_by(ROWS) {
        let mut sums = [[Lanes::ZERO; WIDTH]; ROWS];
        for (&row, output) in near.iter().zip(output.chunks_exact(n_lanes)) {
            let x = &input[usize::from(row) * n_lanes + k].0[first..first + ROWS];
            let x: &[f32; ROWS] = x.try_into().expect("a tile of inputs");
            let dy: &[Lanes; WIDTH] = output[lane..lane + WIDTH].try_into().expect("lanes of a row");
            for r in 0..ROWS {
                for l in 0..WIDTH {
                    sums[r][l].add_scaled::<C>(x[r], &dy[l]);
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            for (l, sum) in sums.iter().enumerate() {
                block[(first + r) * n_lanes + lane + l].add(sum);
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
    for (n, (weights, gradient)) in
        weights.chunks_exact(n_out).zip(gradient.chunks_exact_mut(n_out)).enumerate()
    {
        let (lane, i) = (n / N_LANES, n % N_LANES);
        d_input[lane].0[i] = dot::<C>(weights, output);
        for (gradient, dy) in gradient.iter_mut().zip(output) {
            gradient.add_scaled::<C>(input[lane].0[i], dy);
        }
    }
}

/// Adds rows to a row of sums, as for the gradient of a bias.
#[inline(always)]
pub fn add_rows(rows: &[Lanes], sums: &mut [Lanes]) {
    for row in rows.chunks_exact(sums.len()) {
        for (sum, row) in sums.iter_mut().zip(row) {
            sum.add(row);
        }
    }
}

/// The gradient before a rectifier, from the one behind it: zero where it cut something off.
#[inline(always)]
pub fn cut(gradient: &mut [Lanes], output: &[Lanes]) {
    for (gradient, output) in gradient.iter_mut().zip(output) {
        for i in 0..N_LANES {
            gradient.0[i] = if 0.0 < output.0[i] { gradient.0[i] } else { 0.0 };
        }
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
            let (row, d_row) = (&rows[cell * n_lanes + lane], &mut d_rows[cell * n_lanes + lane]);
            for i in 0..N_LANES {
                let is_max = row.0[i] == max.0[i];
                d_row.0[i] += share * d_mean.0[i] + if is_max { left.0[i] } else { 0.0 };
                left.0[i] = if is_max { 0.0 } else { left.0[i] };
            }
        }
    }
}
