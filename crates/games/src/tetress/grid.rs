//! Sets of cells on the torus of 11 × 11, bit 11 · r + c, and what can be done to all cells at once.

use super::SIZE;

/// How many cells there are.
pub const N_CELLS: usize = 121;
/// The set of all of them.
pub const ALL_CELLS: u128 = (1 << N_CELLS) - 1;
const N_COLS: u32 = SIZE as u32;
const FIRST_ROW: u128 = (1 << N_COLS) - 1;
const FIRST_COL: u128 = column(0);
const LAST_COL: u128 = column(SIZE - 1);

const fn column(col: u8) -> u128 {
    let mut cells = 0;
    let mut row = 0;
    while row < SIZE {
        cells |= 1 << (row * SIZE + col);
        row += 1;
    }
    cells
}

/// The cells whose right neighbor is in the set.
#[inline(always)]
pub fn left(cells: u128) -> u128 {
    (cells >> 1) & !LAST_COL | (cells << (N_COLS - 1)) & LAST_COL
}

/// The cells whose left neighbor is in the set.
#[inline(always)]
pub fn right(cells: u128) -> u128 {
    (cells << 1) & ALL_CELLS & !FIRST_COL | (cells >> (N_COLS - 1)) & FIRST_COL
}

/// The cells that have one of the set `N` rows below them.
#[inline(always)]
pub fn up<const N: u32>(cells: u128) -> u128 {
    cells >> (N_COLS * N) | (cells << (N_CELLS as u32 - N_COLS * N)) & ALL_CELLS
}

/// The cells that have one of the set `N` rows above them.
#[inline(always)]
pub fn down<const N: u32>(cells: u128) -> u128 {
    (cells << (N_COLS * N)) & ALL_CELLS | cells >> (N_CELLS as u32 - N_COLS * N)
}

/// All cells beside one of the set.
#[inline(always)]
pub fn neighbors(cells: u128) -> u128 {
    left(cells) | right(cells) | up::<1>(cells) | down::<1>(cells)
}

/// The set and all cells beside it.
#[inline(always)]
pub fn grow(cells: u128) -> u128 {
    cells | neighbors(cells)
}

/// How many of the 2299 placements lie within the set.
///
/// Where a piece is anchored does not matter for its count, so all shapes are laid into the same twelve
/// cells: row 0 at columns -1 to 3, row 1 at -1 to 2, row 2 at -1 to 1, and one cell in row 3.
#[inline(always)]
pub fn n_placements(cells: u128) -> u32 {
    let (z0, a0, b0) = (right(cells), cells, left(cells));
    let c0 = left(b0);
    let d0 = left(c0);
    let (z1, a1, b1, c1) = (up::<1>(z0), up::<1>(a0), up::<1>(b0), up::<1>(c0));
    let (z2, a2, b2) = (up::<2>(z0), up::<2>(a0), up::<2>(b0));
    let a3 = up::<3>(a0);
    let (bars, columns) = (a0 & b0, a0 & a1);
    let (long_bars, long_columns) = (bars & c0, columns & a2);
    let long_bars_below = a1 & b1 & c1;
    // I and O, then S and Z both ways, then bars of three with a fourth cell beside them: T, L and J.
    let mut n = (long_bars & d0).count_ones() + (long_columns & a3).count_ones();
    n += (bars & a1 & b1).count_ones();
    n += (bars & b1 & c1).count_ones() + (bars & z1 & a1).count_ones();
    n += (columns & b1 & b2).count_ones() + (columns & z1 & z2).count_ones();
    for (above, below) in [(a0, a1), (b0, b1), (c0, c1)] {
        n += (long_bars_below & above).count_ones() + (long_bars & below).count_ones();
    }
    for (on_left, on_right) in [(z0, b0), (z1, b1), (z2, b2)] {
        n += (long_columns & on_left).count_ones() + (long_columns & on_right).count_ones();
    }
    n
}

/// All cells of the rows and columns that lie in the set from end to end.
#[inline(always)]
pub fn full_lines(cells: u128) -> u128 {
    let runs = cells & cells >> 1;
    let runs = runs & runs >> 2;
    let runs = runs & runs >> 4;
    let rows = runs & runs >> 3 & FIRST_COL;
    let runs = cells & cells >> N_COLS;
    let runs = runs & runs >> (2 * N_COLS);
    let runs = runs & runs >> (4 * N_COLS);
    let cols = runs & runs >> (3 * N_COLS) & FIRST_ROW;
    if rows | cols == 0 {
        return 0;
    }
    // Products of bits that never meet: each row's and column's head is drawn out to its length.
    (rows * FIRST_ROW) | (cols * FIRST_COL)
}
