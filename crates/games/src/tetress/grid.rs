//! Sets of cells on the torus of 11 × 11, bit 11 · r + c, and what can be done to all cells at once.

use super::SIZE;

pub const N_CELLS: usize = 121;
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
/// Pieces are put together from bars of two and three cells, whose positions many shapes share. Where
/// a piece is anchored does not matter for its count, so each comes out of the fewest shifts.
#[inline(always)]
pub fn n_placements(cells: u128) -> u32 {
    let one_left = left(cells);
    let two_left = left(one_left);
    let bars = cells & one_left;
    let long_bars = bars & two_left;
    let bars_above = up::<1>(bars);
    let mut n = (long_bars & left(two_left)).count_ones();
    n += (bars & bars_above).count_ones();
    n += (bars & left(bars_above)).count_ones();
    n += (bars & right(bars_above)).count_ones();
    let long_bars_above = up::<1>(long_bars);
    for foot in [cells, one_left, two_left] {
        n += (long_bars_above & foot).count_ones();
        n += (long_bars & up::<1>(foot)).count_ones();
    }

    let one_up = up::<1>(cells);
    let columns = cells & one_up;
    let long_columns = columns & up::<2>(cells);
    let columns_above = up::<1>(columns);
    n += (long_columns & up::<3>(cells)).count_ones();
    n += (columns & left(columns_above)).count_ones();
    n += (columns & right(columns_above)).count_ones();
    for foot in [one_left, right(cells)] {
        n += (long_columns & foot).count_ones();
        n += (long_columns & up::<1>(foot)).count_ones();
        n += (long_columns & up::<2>(foot)).count_ones();
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
