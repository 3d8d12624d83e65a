//! Selecting the nth set bit of a word, which every random move needs.

/// For each byte, the indices of its set bits, lowest first.
static PLACES: [[u8; 8]; 256] = places();

const fn places() -> [[u8; 8]; 256] {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
}

/// The index of the `n`-th lowest set bit, from 0; the word must have more than `n`.
///
/// Clearing bits one by one would need a loop whose exit branch is mispredicted.
#[inline(always)]
pub fn nth_bit(word: u64, n: u32) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    // The number of set bits of each byte, then the prefix sums.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let eights = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = eights.wrapping_mul(ONES);
    // A top bit remains for each byte whose sum is at most n: those are the bytes before the right one.
    let n = u64::from(n);
    let first = ((((n * ONES) | TOPS) - sums) & TOPS).count_ones() * 8;
    let n_before = (sums << 8) >> first & 0xff;
    let byte = (word >> first & 0xff) as usize;
    first as usize + usize::from(PLACES[byte][(n - n_before) as usize & 7])
}

/// [`nth_bit`] for a 128-bit word.
#[inline(always)]
pub fn nth_bit_of_two(word: u128, n: u32) -> usize {
    let (low, high) = (word as u64, (word >> 64) as u64);
    let n_low = low.count_ones();
    if n < n_low { nth_bit(low, n) } else { 64 + nth_bit(high, n - n_low) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_bit_is_where_counting_finds_it() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let word = rng.u128(..) & rng.u128(..) | u128::from(rng.bool()) << 127;
            let places: Vec<usize> = (0..128).filter(|place| word >> place & 1 == 1).collect();
            for (n, &place) in places.iter().enumerate() {
                assert_eq!(nth_bit_of_two(word, n as u32), place);
            }
        }
    }
}
