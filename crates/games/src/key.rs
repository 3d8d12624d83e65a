//! Keys of positions: a hash of the board's words, computed on demand.
//!
//! A few multiplications cost less than updating a key with every move, most of which are never looked up.
//! Such a key also cannot depend on the order of moves.

/// Odd constants with balanced bits.
const SALT: [u64; 4] = [mixed(0, 0) | 1, mixed(0, 1) | 1, mixed(0, 2) | 1, mixed(0, 3) | 1];

/// A seed derived from another seed and a number (SplitMix64).
pub const fn mixed(seed: u64, number: u64) -> u64 {
    let mut z = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product ^ (product >> 64)) as u64
}

/// The key of a board given as words. The tag encodes state that is not on the board.
#[inline(always)]
pub fn key<const N: usize>(words: [u64; N], tag: u64) -> u64 {
    let mut key = tag.wrapping_mul(SALT[3]) ^ SALT[2];
    for pair in words.chunks_exact(2) {
        key = fold(pair[0] ^ SALT[0] ^ key, pair[1] ^ SALT[1]) ^ key.rotate_left(23);
    }
    fold(key ^ SALT[3], SALT[0])
}
