//! The exponential and what is built on it, in plain arithmetic: loops over it are vectorized, and the result is the
//! same on every CPU.

/// e to the power of `x`, to some seven digits; `x` is cut to where the result is a normal number.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    // ln 2 in two parts: the product of the first with a small whole number is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding and subtracting it rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let rest = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut sum = 1.987_569_1e-4_f32;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5, 1.0, 1.0] {
        sum = sum * rest + coefficient;
    }
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127);
    sum * f32::from_bits(exponent << 23)
}

/// The logistic function.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + exp(2.0 * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_library() {
        for n in -2000..=2000 {
            let x = n as f32 / 100.0;
            assert!((exp(x) - x.exp()).abs() <= 1e-6 * x.exp(), "exp({x})");
            assert!((tanh(x) - x.tanh()).abs() < 1e-6, "tanh({x})");
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-6, "sigmoid({x})");
        }
        for x in [-1e30, -1e3, 1e3, 1e30] {
            assert!(exp(x).is_finite() && tanh(x) == x.signum(), "{x}");
        }
    }
}
