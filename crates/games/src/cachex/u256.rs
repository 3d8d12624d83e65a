//! A 256-bit word, for boards of 12 × 12 to 15 × 15 cells: standard Rust has no such integer.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use super::bits::{Bits, Frame, Near};
use super::tables::{Words, lower_half, tables};
use crate::bits::nth_bit_of_two;

/// A 256-bit word.
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

/// By 1 to 127 bits.
impl Shl<u32> for U256 {
    type Output = U256;
    #[inline(always)]
    fn shl(self, n: u32) -> U256 {
        U256 { lo: self.lo << n, hi: self.hi << n | self.lo >> (128 - n) }
    }
}

/// By 1 to 127 bits.
impl Shr<u32> for U256 {
    type Output = U256;
    #[inline(always)]
    fn shr(self, n: u32) -> U256 {
        U256 { lo: self.lo >> n | self.hi << (128 - n), hi: self.hi >> n }
    }
}

const fn whole(words: Words) -> U256 {
    U256 { lo: lower_half(words), hi: lower_half([words[2], words[3], 0, 0]) }
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
