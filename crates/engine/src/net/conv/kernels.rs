//! The loops that take nearly all of a net's time.

use yarra_games::cpu::FloatCpu;

use super::lanes::{Lanes, N_LANES, add_scaled_row};

/// A convolution over a board.
#[derive(Clone, Copy)]
pub struct Conv<'a> {
    /// For each step of the kernel and each cell the row of the input there.
    pub near: &'a [Vec<u16>],
    /// By step, input filter and output filter. Input filters that only fill up the last lanes may be left out if there is
    /// one step.
    pub weights: &'a [Lanes],
    /// The lanes of a row of the input.
    pub n_in: usize,
    /// The lanes of a row of the output.
    pub n_out: usize,
}

/// Convolves `input`, rows of filters by cell. Passes each cell and lane of the output to `write`, maybe more than once.
///
/// A tile of cells is computed at a time: its sums stay in registers, and each weight that is loaded serves all
/// of its cells. Each sum is added up in the same order whatever the tile.
#[inline(always)]
pub fn conv<C: FloatCpu>(conv: Conv<'_>, input: &[Lanes], mut write: impl FnMut(usize, usize, Lanes)) {
    let mut lane = 0;
    while lane < conv.n_out {
        if C::WIDE && lane + 2 <= conv.n_out {
            tiles::<C, 7, 2>(conv, lane, input, &mut write);
            lane += 2;
        } else if C::WIDE {
            tiles::<C, 7, 1>(conv, lane, input, &mut write);
            lane += 1;
        } else {
            tiles::<C, 5, 1>(conv, lane, input, &mut write);
            lane += 1;
        }
    }
}

#[inline(always)]
fn tiles<C: FloatCpu, const CELLS: usize, const WIDTH: usize>(
    conv: Conv<'_>,
    lane: usize,
    input: &[Lanes],
    write: &mut impl FnMut(usize, usize, Lanes),
) {
    let n_cells = conv.near[0].len();
    let mut first = 0;
    loop {
        let sums = tile::<C, CELLS, WIDTH>(conv, first, lane, input);
        for (c, sums) in sums.iter().enumerate() {
            for (l, &sum) in sums.iter().enumerate() {
                write(first + c, lane + l, sum);
            }
        }
        if first + CELLS == n_cells {
            break;
        }
        // The last tile overlaps the one before it.
        first = (first + CELLS).min(n_cells - CELLS);
    }
}

#[inline(always)]
fn tile<C: FloatCpu, const CELLS: usize, const WIDTH: usize>(
    conv: Conv<'_>,
    first: usize,
    lane: usize,
    input: &[Lanes],
) -> [[Lanes; WIDTH]; CELLS] {
    let mut sums = [[Lanes::ZERO; WIDTH]; CELLS];
    let mut blocks = conv.weights.chunks(N_LANES * conv.n_out);
    for near in conv.near {
        let near: &[u16; CELLS] = near[first..first + CELLS].try_into().expect("a tile of cells");
        for k in 0..conv.n_in {
            let mut inputs = [&Lanes::ZERO; CELLS];
            for c in 0..CELLS {
                inputs[c] = &input[usize::from(near[c]) * conv.n_in + k];
            }
            // Rows come from a table and not from a formula. If they did, the compiler would use vectors across cells instead of
            // filters, which is ten times as slow.
            let block = blocks.next().expect("weights for every step and input");
            for (i, row) in block.chunks_exact(conv.n_out).enumerate() {
                let row: &[Lanes; WIDTH] = row[lane..lane + WIDTH].try_into().expect("lanes of a row");
                for c in 0..CELLS {
                    let x = inputs[c].0[i % N_LANES];
                    for l in 0..WIDTH {
                        sums[c][l].add_scaled::<C>(x, &row[l]);
                    }
                }
            }
        }
    }
    sums
}

/// `bias` plus the rows of `weights`, one for each input, times the inputs.
#[inline(always)]
pub fn dense<C: FloatCpu>(input: &[Lanes], weights: &[Lanes], bias: Option<&[Lanes]>, out: &mut [Lanes]) {
    match bias {
        Some(bias) => out.copy_from_slice(bias),
        None => out.fill(Lanes::ZERO),
    }
    let n_out = out.len();
    for (n, row) in weights.chunks_exact(n_out).enumerate() {
        add_scaled_row::<C>(out, input[n / N_LANES].0[n % N_LANES], row);
    }
}
