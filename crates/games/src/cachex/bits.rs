//! Sets of cells of a rhombus, in words of three widths so that small boards stay fast.
//!
//! A cell is bit `STRIDE` · r + q whatever the board's size, so that shifts are by constants. Cells
//! beyond the board's own size are in no set.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

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
    /// Bits from one row to the next.
    const STRIDE: usize;
    /// The smallest board that is played with this word.
    const MIN_SIZE: u8;
    /// The largest board that the word holds.
    const MAX_SIZE: u8;
    /// No cell.
    const NONE: Self;
    /// What is known beforehand about each cell, by its bit.
    const NEAR: &'static [Near<Self>];
    /// All columns but the first, and all but the last of the stride.
    const NOT_EDGES: [Self; 2];
    /// The sides and all cells of each size of board, by size.
    const FRAMES: &'static [Frame<Self>];

    /// The set of one cell.
    fn cell(bit: usize) -> Self;
    /// How many cells there are.
    fn count(self) -> u32;
    /// The lowest cell; there must be one.
    fn lowest(self) -> usize;
    /// The set without its lowest cell; there must be one.
    fn without_lowest(self) -> Self;
    /// The `n`-th lowest cell, from 0; there must be that many.
    fn nth(self, n: u32) -> usize;
    /// The word in four parts.
    fn words(self) -> [u64; 4];

    /// Whether there is no cell.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Whether a cell is in the set.
    #[inline(always)]
    fn has(self, bit: usize) -> bool {
        !(self & Self::cell(bit)).is_empty()
    }

    /// The set and all cells beside it, some of them perhaps beyond the board.
    #[inline(always)]
    fn grow(self) -> Self {
        let [not_first, not_last] = Self::NOT_EDGES;
        let stride = Self::STRIDE as u32;
        let right = (self << 1) & not_first;
        let left = (self >> 1) & not_last;
        self | right | left | (self | left) << stride | (self | right) >> stride
    }

    /// The cells of `within` that are connected with `start` through cells of `within`.
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
    /// Where red's and blue's chains begin.
    pub first: [B; 2],
    /// Where red's and blue's chains must end.
    pub last: [B; 2],
}

/// 256 bits: standard Rust has no such integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct U256 {
    lo: u128,
    hi: u128,
}

impl Not for U256 {
    type Output = U256;
    #[inline(always)]
    fn not(self) -> U256 {
        U256 { lo: !self.lo, hi: !self.hi }
    }
}

impl BitAnd for U256 {
    type Output = U256;
    #[inline(always)]
    fn bitand(self, other: U256) -> U256 {
        U256 { lo: self.lo & other.lo, hi: self.hi & other.hi }
    }
}

impl BitOr for U256 {
    type Output = U256;
    #[inline(always)]
    fn bitor(self, other: U256) -> U256 {
        U256 { lo: self.lo | other.lo, hi: self.hi | other.hi }
    }
}

impl BitXor for U256 {
    type Output = U256;
    #[inline(always)]
    fn bitxor(self, other: U256) -> U256 {
        U256 { lo: self.lo ^ other.lo, hi: self.hi ^ other.hi }
    }
}

impl BitAndAssign for U256 {
    #[inline(always)]
    fn bitand_assign(&mut self, other: U256) {
        *self = *self & other;
    }
}

impl BitOrAssign for U256 {
    #[inline(always)]
    fn bitor_assign(&mut self, other: U256) {
        *self = *self | other;
    }
}

/// By less than 128 bits, and at least by one.
impl Shl<u32> for U256 {
    type Output = U256;
    #[inline(always)]
    fn shl(self, n: u32) -> U256 {
        U256 { lo: self.lo << n, hi: self.hi << n | self.lo >> (128 - n) }
    }
}

/// By less than 128 bits, and at least by one.
impl Shr<u32> for U256 {
    type Output = U256;
    #[inline(always)]
    fn shr(self, n: u32) -> U256 {
        U256 { lo: self.lo >> n | self.hi << (128 - n), hi: self.hi >> n }
    }
}

/// The tables of a width, cut from those in four words.
macro_rules! tables {
    ($cut:path, $n_bits:expr) => {
        const NEAR: &'static [Near<Self>] = &{
            let mut near = [Near { ring: Self::NONE, opposite: Self::NONE }; $n_bits];
            let mut bit = 0;
            while bit < near.len() {
                let words = near_words(bit, Self::STRIDE, Self::MAX_SIZE as usize);
                near[bit] = Near { ring: $cut(words.ring), opposite: $cut(words.opposite) };
                bit += 1;
            }
            near
        };
        const NOT_EDGES: [Self; 2] = {
            let [first, last] = not_edges(Self::STRIDE);
            [$cut(first), $cut(last)]
        };
        const FRAMES: &'static [Frame<Self>] = &{
            let none = Frame { all: Self::NONE, first: [Self::NONE; 2], last: [Self::NONE; 2] };
            let mut frames = [none; Self::MAX_SIZE as usize + 1];
            let mut size = 0;
            while size < frames.len() {
                let Frame { all, first, last } = frame_words(size, Self::STRIDE);
                frames[size] = Frame {
                    all: $cut(all),
                    first: [$cut(first[0]), $cut(first[1])],
                    last: [$cut(last[0]), $cut(last[1])],
                };
                size += 1;
            }
            frames
        };
    };
}

/// What the integers of the standard library can do by themselves.
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

impl Bits for U256 {
    const STRIDE: usize = 16;
    const MIN_SIZE: u8 = 12;
    const MAX_SIZE: u8 = 15;
    const NONE: U256 = U256 { lo: 0, hi: 0 };
    tables!(whole, 256);

    #[inline(always)]
    fn cell(bit: usize) -> U256 {
        if bit < 128 { U256 { lo: 1 << bit, hi: 0 } } else { U256 { lo: 0, hi: 1 << (bit - 128) } }
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.lo.count_ones() + self.hi.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> usize {
        let in_lo = self.lo.trailing_zeros();
        (if in_lo < 128 { in_lo } else { 128 + self.hi.trailing_zeros() }) as usize
    }

    #[inline(always)]
    fn without_lowest(self) -> U256 {
        match self.lo {
            0 => U256 { lo: 0, hi: self.hi & (self.hi - 1) },
            lo => U256 { lo: lo & (lo - 1), hi: self.hi },
        }
    }

    #[inline(always)]
    fn nth(self, n: u32) -> usize {
        let n_low = self.lo.count_ones();
        if n < n_low { nth_bit_of_two(self.lo, n) } else { 128 + nth_bit_of_two(self.hi, n - n_low) }
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let halves = |word: u128| [word as u64, (word >> 64) as u64];
        let ([a, b], [c, d]) = (halves(self.lo), halves(self.hi));
        [a, b, c, d]
    }
}

// The tables are made for all widths by the same functions, in four words, and cut to each width.

type Words = [u64; 4];

const fn lowest_word(words: Words) -> u64 {
    words[0]
}

const fn lower_half(words: Words) -> u128 {
    words[0] as u128 | (words[1] as u128) << 64
}

const fn whole(words: Words) -> U256 {
    U256 { lo: lower_half(words), hi: lower_half([words[2], words[3], 0, 0]) }
}

const fn add(words: &mut Words, bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

/// The six steps to a neighbor, each a sixth of a turn from the one before.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

const fn near_words(bit: usize, stride: usize, size: usize) -> Near<Words> {
    let mut near = Near { ring: [0; 4], opposite: [0; 4] };
    let (row, col) = ((bit / stride) as i32, (bit % stride) as i32);
    if size as i32 <= row || size as i32 <= col {
        return near;
    }
    let mut n = 0;
    while n < 6 {
        let (before, here, after) = (STEPS[(n + 5) % 6], STEPS[n], STEPS[(n + 1) % 6]);
        let side = cell_at((row + here.0, col + here.1), stride, size);
        let next = cell_at((row + after.0, col + after.1), stride, size);
        let previous = cell_at((row + before.0, col + before.1), stride, size);
        let beyond = cell_at((row + here.0 + after.0, col + here.1 + after.1), stride, size);
        if let Some(side) = side {
            add(&mut near.ring, side);
            // The diamond's two other corners must be on the board for a capture.
            if next.is_some() && previous.is_some() {
                add(&mut near.opposite, side);
            }
            if let Some(beyond) = beyond
                && next.is_some()
            {
                add(&mut near.opposite, beyond);
            }
        }
        n += 1;
    }
    near
}

const fn cell_at((row, col): (i32, i32), stride: usize, size: usize) -> Option<usize> {
    let size = size as i32;
    if 0 <= row && row < size && 0 <= col && col < size {
        Some(row as usize * stride + col as usize)
    } else {
        None
    }
}

const fn not_edges(stride: usize) -> [Words; 2] {
    let mut not_edges = [[!0; 4]; 2];
    let mut bit = 0;
    while bit < 256 {
        let edge = match bit % stride {
            0 => Some(0),
            col if col == stride - 1 => Some(1),
            _ => None,
        };
        if let Some(edge) = edge {
            not_edges[edge][bit / 64] &= !(1 << (bit % 64));
        }
        bit += 1;
    }
    not_edges
}

const fn frame_words(size: usize, stride: usize) -> Frame<Words> {
    let mut frame = Frame { all: [0; 4], first: [[0; 4]; 2], last: [[0; 4]; 2] };
    let mut row = 0;
    while row < size {
        let mut col = 0;
        while col < size {
            add(&mut frame.all, row * stride + col);
            col += 1;
        }
        add(&mut frame.first[0], row);
        add(&mut frame.last[0], (size - 1) * stride + row);
        add(&mut frame.first[1], row * stride);
        add(&mut frame.last[1], row * stride + size - 1);
        row += 1;
    }
    frame
}
