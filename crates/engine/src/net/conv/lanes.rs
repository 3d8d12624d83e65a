//! Sixteen floats that are processed together.

use yarra_games::cpu::FloatCpu;

/// The number of floats in [`Lanes`].
pub const N_LANES: usize = 16;

/// Sixteen floats, aligned so that one instruction loads them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Lanes(pub [f32; N_LANES]);

impl Lanes {
    /// All zero.
    pub const ZERO: Lanes = Lanes([0.0; N_LANES]);

    /// Adds the product of a number and other lanes.
    #[inline(always)]
    pub fn add_scaled<C: FloatCpu>(&mut self, factor: f32, other: &Lanes) {
        for i in 0..N_LANES {
            self.0[i] = C::mul_add(factor, other.0[i], self.0[i]);
        }
    }

    /// Adds the product of two lanes.
    #[inline(always)]
    pub fn add_product<C: FloatCpu>(&mut self, a: &Lanes, b: &Lanes) {
        for i in 0..N_LANES {
            self.0[i] = C::mul_add(a.0[i], b.0[i], self.0[i]);
        }
    }

    /// Adds other lanes.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes) {
        for i in 0..N_LANES {
            self.0[i] += other.0[i];
        }
    }

    /// Replaces negative numbers by 0.
    #[inline(always)]
    pub fn relu(&mut self) {
        for i in 0..N_LANES {
            self.0[i] = if 0.0 < self.0[i] { self.0[i] } else { 0.0 };
        }
    }

    /// Takes the larger number in each place.
    #[inline(always)]
    pub fn raise(&mut self, other: &Lanes) {
        for i in 0..N_LANES {
            self.0[i] = if self.0[i] < other.0[i] { other.0[i] } else { self.0[i] };
        }
    }

    /// Multiplies all numbers.
    #[inline(always)]
    pub fn scale(&mut self, factor: f32) {
        for i in 0..N_LANES {
            self.0[i] *= factor;
        }
    }

    /// The sum of all numbers, in the same order on every CPU.
    #[inline(always)]
    pub fn sum(&self) -> f32 {
        let mut sums = self.0;
        let mut n = N_LANES / 2;
        while 0 < n {
            for i in 0..n {
                sums[i] += sums[i + n];
            }
            n /= 2;
        }
        sums[0]
    }
}

/// The scalar product of two rows.
#[inline(always)]
pub fn dot<C: FloatCpu>(a: &[Lanes], b: &[Lanes]) -> f32 {
    let mut sums = Lanes::ZERO;
    for (a, b) in a.iter().zip(b) {
        sums.add_product::<C>(a, b);
    }
    sums.sum()
}
