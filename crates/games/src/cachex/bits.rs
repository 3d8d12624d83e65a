//! Sets of cells of a rhombus, in words of three widths to keep small boards fast.
//!
//! A cell is bit `STRIDE` · r + q whatever the board's size, which makes all shifts constant. Cells beyond the
//! board's own size are in no set.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use super::tables::{lower_half, lowest_word, tables};
use crate::bits::{nth_bit, nth_bit_of_two};

/// A word of bits, one for each cell.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of bits from one row to the next.
    const STRIDE: usize;
    /// The smallest board that uses this word.
    const MIN_SIZE: u8;
    /// The largest board that fits into the word.
    const MAX_SIZE: u8;
    /// The empty set.
    const NONE: Self;
    /// The surroundings of each cell, by its bit.
    const NEAR: &'static [Near<Self>];
    /// All columns but the first, and all but the last of the stride.
    const NOT_EDGES: [Self; 2];
    /// The sides and all cells of each size of board, by size.
    const FRAMES: &'static [Frame<Self>];

    /// The set that contains one cell.
    fn cell(bit: usize) -> Self;
    /// The number of cells.
    fn count(self) -> u32;
    /// The lowest cell; the set must not be empty.
    fn lowest(self) -> usize;
    /// The set without its lowest cell; the set must not be empty.
    fn without_lowest(self) -> Self;
    /// The `n`-th lowest cell, from 0; the set must have more than `n`.
    fn nth(self, n: u32) -> usize;
    /// The set as four words, lowest first.
    fn words(self) -> [u64; 4];

    /// Whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Whether a cell is in the set.
    #[inline(always)]
    fn has(self, bit: usize) -> bool {
        !(self & Self::cell(bit)).is_empty()
    }

    /// The set and all its neighbors, which may include cells beyond the board.
    #[inline(always)]
    fn grow(self) -> Self {
        let [not_first, not_last] = Self::NOT_EDGES;
        let stride = Self::STRIDE as u32;
        let right = (self << 1) & not_first;
        let left = (self >> 1) & not_last;
        self | right | left | (self | left) << stride | (self | right) >> stride
    }

    /// The cells of `within` that are connected to this set through cells of `within`.
    #[inline(always)]
    fn flood(self, within: Self) -> Self {
        let mut reached = self & within;
        loop {
            let next = reached.grow() & within;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

/// The surroundings of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Near<B> {
    /// Its neighbors.
    pub ring: B,
    /// The cells that form a diamond with it and two of its neighbors.
    pub opposite: B,
}

/// The parts of a board of one size.
#[derive(Clone, Copy, Debug)]
pub struct Frame<B> {
    /// All cells.
    pub all: B,
    /// Where red's and blue's chains start.
    pub first: [B; 2],
    /// Where red's and blue's chains must end.
    pub last: [B; 2],
}

/// The methods that are the same for all built-in integers.
macro_rules! integer {
    () => {
        #[inline(always)]
        fn cell(bit: usize) -> Self {
            1 << bit
        }

        #[inline(always)]
        fn count(self) -> u32 {
            self.count_ones()
        }

        #[inline(always)]
        fn lowest(self) -> usize {
            self.trailing_zeros() as usize
        }

        #[inline(always)]
        fn without_lowest(self) -> Self {
            self & (self - 1)
        }
    };
}

impl Bits for u64 {
    const STRIDE: usize = 8;
    const MIN_SIZE: u8 = 3;
    const MAX_SIZE: u8 = 8;
    const NONE: u64 = 0;
    tables!(lowest_word, 64);
    integer!();

    #[inline(always)]
    fn nth(self, n: u32) -> usize {
        nth_bit(self, n)
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        [self, 0, 0, 0]
    }
}

impl Bits for u128 {
    const STRIDE: usize = 11;
    const MIN_SIZE: u8 = 9;
    const MAX_SIZE: u8 = 11;
    const NONE: u128 = 0;
    tables!(lower_half, 121);
    integer!();

    #[inline(always)]
    fn nth(self, n: u32) -> usize {
        nth_bit_of_two(self, n)
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        [self as u64, (self >> 64) as u64, 0, 0]
    }
}
