//! Keys of positions: a hash of the board's words, taken when asked for.
//!
//! A few multiplications cost less than carrying a key through every move that nobody looks up, and
//! such a key cannot depend on the path.

/// Odd constants with balanced bits: the first digits of the golden ratio, mixed by SplitMix64.
const SALT: [u64; 4] = [splitmix(1), splitmix(2), splitmix(3), splitmix(4)];

const fn splitmix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) | 1
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product ^ (product >> 64)) as u64
}

/// The key of a board given as words, with a small number for what the board does not show.
#[inline(always)]
pub fn key<const N: usize>(words: [u64; N], tag: u64) -> u64 {
    let mut key = tag.wrapping_mul(SALT[3]) ^ SALT[2];
    for pair in words.chunks_exact(2) {
        key = fold(pair[0] ^ SALT[0] ^ key, pair[1] ^ SALT[1]) ^ key.rotate_left(23);
    }
    fold(key ^ SALT[3], SALT[0])
}
