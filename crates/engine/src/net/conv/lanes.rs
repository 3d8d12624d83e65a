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
        self.update(other, |old, other| C::mul_add(factor, other, old));
    }

    /// Adds the product of two lanes.
    #[inline(always)]
    pub fn add_product<C: FloatCpu>(&mut self, a: &Lanes, b: &Lanes) {
        let mut product = *self;
        for i in 0..N_LANES {
            product.0[i] = C::mul_add(a.0[i], b.0[i], product.0[i]);
        }
        *self = product;
    }

    /// Adds other lanes.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes) {
        self.update(other, |old, other| old + other);
    }

    /// Replaces negative numbers by 0.
    #[inline(always)]
    pub fn relu(&mut self) {
        self.update(&Lanes::ZERO, |old, zero| if zero < old { old } else { zero });
    }

    /// Takes the larger number in each place.
    #[inline(always)]
    pub fn raise(&mut self, other: &Lanes) {
        self.update(other, |old, other| if old < other { other } else { old });
    }

    /// Multiplies all numbers.
    #[inline(always)]
    pub fn scale(&mut self, factor: f32) {
        self.update(&Lanes::ZERO, |old, _| factor * old);
    }

    /// Changes each number, given the one in the same place of other lanes.
    #[inline(always)]
    pub fn update(&mut self, other: &Lanes, change: impl Fn(f32, f32) -> f32) {
        // In a copy: the compiler need not fear that a store changes `other`, and uses vectors.
        let (mut new, other) = (*self, *other);
        for i in 0..N_LANES {
            new.0[i] = change(new.0[i], other.0[i]);
        }
        *self = new;
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
    for lane in 0..a.len() {
        sums.add_product::<C>(&a[lane], &b[lane]);
        keep_lanes();
    }
    sums.sum()
}

/// Adds a row to another one.
#[inline(always)]
pub fn add_row(sums: &mut [Lanes], row: &[Lanes]) {
    for lane in 0..sums.len() {
        sums[lane].add(&row[lane]);
        keep_lanes();
    }
}

/// Adds a multiple of a row to another one.
#[inline(always)]
pub fn add_scaled_row<C: FloatCpu>(sums: &mut [Lanes], factor: f32, row: &[Lanes]) {
    for lane in 0..sums.len() {
        sums[lane].add_scaled::<C>(factor, &row[lane]);
        keep_lanes();
    }
}

/// Replaces negative numbers by 0.
#[inline(always)]
pub fn relu_rows(rows: &mut [Lanes]) {
    for lanes in rows {
        lanes.relu();
        keep_lanes();
    }
}

/// Belongs into short loops over lanes. Otherwise the compiler combines the first numbers of several lanes into a vector, then
/// the second ones and so on: training took 1.4 times as long.
#[inline(always)]
pub fn keep_lanes() {
    std::hint::black_box(());
}
