//! Sets of cells on the 11 × 11 torus, bit 11 · r + c, and operations on all cells at once.
//!
//! A set is a `u128`, or [`Halves`] where many boards are processed together.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use super::SIZE;
use super::shapes::N_SHAPES;

/// A set of cells.
pub trait Cells:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u128>
{
}

impl Cells for u128 {}
impl Cells for Halves {}

/// A set of cells as two words.
///
/// The compiler turns a loop over arrays of 64-bit words into vector instructions that process several boards at
/// once, four with 256-bit vectors. There are no such instructions for 128-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves {
    /// Cells 0 to 63.
    pub low: u64,
    /// Cells from 64 on.
    pub high: u64,
}

impl From<u128> for Halves {
    #[inline(always)]
    fn from(cells: u128) -> Halves {
        Halves { low: cells as u64, high: (cells >> 64) as u64 }
    }
}

impl BitAnd for Halves {
    type Output = Halves;
    #[inline(always)]
    fn bitand(self, other: Halves) -> Halves {
        Halves { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitOr for Halves {
    type Output = Halves;
    #[inline(always)]
    fn bitor(self, other: Halves) -> Halves {
        Halves { low: self.low | other.low, high: self.high | other.high }
    }
}

impl Not for Halves {
    type Output = Halves;
    #[inline(always)]
    fn not(self) -> Halves {
        Halves { low: !self.low, high: !self.high }
    }
}

/// By 1 to 127, known when the program is compiled.
impl Shl<u32> for Halves {
    type Output = Halves;
    #[inline(always)]
    fn shl(self, n: u32) -> Halves {
        let Halves { low, high } = self;
        if n < 64 {
            Halves { low: low << n, high: high << n | low >> (64 - n) }
        } else {
            Halves { low: 0, high: low << (n - 64) }
        }
    }
}

/// By 1 to 127, known when the program is compiled.
impl Shr<u32> for Halves {
    type Output = Halves;
    #[inline(always)]
    fn shr(self, n: u32) -> Halves {
        let Halves { low, high } = self;
        if n < 64 {
            Halves { low: low >> n | high << (64 - n), high: high >> n }
        } else {
            Halves { low: high >> (n - 64), high: 0 }
        }
    }
}

impl Halves {
    /// The number of cells.
    #[inline(always)]
    pub fn count_ones(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    /// The number of the 2299 placements that lie within the set, like [`n_placements`].
    ///
    /// Few CPUs count the bits of many words at once, so carry-save adders combine the masks first: three words of
    /// one weight become a sum and a carry, until five words are left to count.
    #[inline(always)]
    pub fn n_placements(self) -> u32 {
        let m = placements(self);
        let (ones, a) = add(m[0], m[1], m[2]);
        let (ones, b) = add(ones, m[3], m[4]);
        let (ones, c) = add(ones, m[5], m[6]);
        let (ones, d) = add(ones, m[7], m[8]);
        let (ones, e) = add(ones, m[9], m[10]);
        let (ones, f) = add(ones, m[11], m[12]);
        let (ones, g) = add(ones, m[13], m[14]);
        let (ones, h) = add(ones, m[15], m[16]);
        let (ones, i) = add(ones, m[17], m[18]);
        let (twos, a) = add(a, b, c);
        let (twos, b) = add(twos, d, e);
        let (twos, c) = add(twos, f, g);
        let (twos, d) = add(twos, h, i);
        let (fours, eights) = add(a, b, c);
        let (fours, more_eights) = (xor(fours, d), fours & d);
        let n_eights = eights.count_ones() + more_eights.count_ones();
        ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones() + 8 * n_eights
    }
}

#[inline(always)]
fn xor(a: Halves, b: Halves) -> Halves {
    Halves { low: a.low ^ b.low, high: a.high ^ b.high }
}

/// The sum of three bits at each index, and the carry.
#[inline(always)]
fn add(a: Halves, b: Halves, c: Halves) -> (Halves, Halves) {
    let sum = xor(a, b);
    (xor(sum, c), a & b | sum & c)
}

/// The number of cells.
pub const N_CELLS: usize = 121;
/// The set of all cells.
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
pub fn left<T: Cells>(cells: T) -> T {
    let last_col = T::from(LAST_COL);
    (cells >> 1) & !last_col | (cells << (N_COLS - 1)) & last_col
}

/// The cells whose left neighbor is in the set.
#[inline(always)]
pub fn right<T: Cells>(cells: T) -> T {
    (cells << 1) & T::from(ALL_CELLS & !FIRST_COL) | (cells >> (N_COLS - 1)) & T::from(FIRST_COL)
}

/// The cells with a cell of the set `N` rows below.
#[inline(always)]
pub fn up<const N: u32, T: Cells>(cells: T) -> T {
    cells >> (N_COLS * N) | (cells << (N_CELLS as u32 - N_COLS * N)) & T::from(ALL_CELLS)
}

/// The cells with a cell of the set `N` rows above.
#[inline(always)]
pub fn down<const N: u32, T: Cells>(cells: T) -> T {
    (cells << (N_COLS * N)) & T::from(ALL_CELLS) | cells >> (N_CELLS as u32 - N_COLS * N)
}

/// All cells adjacent to a cell of the set.
#[inline(always)]
pub fn neighbors<T: Cells>(cells: T) -> T {
    left(cells) | right(cells) | up::<1, _>(cells) | down::<1, _>(cells)
}

/// The set and all cells adjacent to it.
#[inline(always)]
pub fn grow<T: Cells>(cells: T) -> T {
    cells | neighbors(cells)
}

/// The number of the 2299 placements that lie within the set.
#[inline(always)]
pub fn n_placements(cells: u128) -> u32 {
    let mut n = 0;
    for mask in placements(cells) {
        n += mask.count_ones();
    }
    n
}

/// For each shape, where it fits, by an anchor that depends on the shape.
///
/// The anchor does not affect the count, so all shapes use the same twelve cells: row 0 at columns -1 to 3, row 1 at
/// -1 to 2, row 2 at -1 to 1, and one cell in row 3.
#[inline(always)]
fn placements<T: Cells>(cells: T) -> [T; N_SHAPES] {
    let (z0, a0, b0) = (right(cells), cells, left(cells));
    let c0 = left(b0);
    let d0 = left(c0);
    let (z1, a1, b1, c1) = (up::<1, _>(z0), up::<1, _>(a0), up::<1, _>(b0), up::<1, _>(c0));
    let (z2, a2, b2) = (up::<2, _>(z0), up::<2, _>(a0), up::<2, _>(b0));
    let a3 = up::<3, _>(a0);
    let (bars, columns) = (a0 & b0, a0 & a1);
    let (long_bars, long_columns) = (bars & c0, columns & a2);
    let long_bars_below = a1 & b1 & c1;
    // I and O, then S and Z in both orientations, then three in a row with a fourth cell beside them: T, L and J.
    [
        long_bars & d0,
        long_columns & a3,
        bars & a1 & b1,
        bars & b1 & c1,
        bars & z1 & a1,
        columns & b1 & b2,
        columns & z1 & z2,
        long_bars_below & a0,
        long_bars_below & b0,
        long_bars_below & c0,
        long_bars & a1,
        long_bars & b1,
        long_bars & c1,
        long_columns & z0,
        long_columns & z1,
        long_columns & z2,
        long_columns & b0,
        long_columns & b1,
        long_columns & b2,
    ]
}

/// All cells of the rows and columns that are entirely in the set.
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
    // Multiplications whose bits never overlap extend the first cell of each row and column to its full length.
    (rows * FIRST_ROW) | (cols * FIRST_COL)
}
