//! The 19 fixed tetrominoes and their 2299 placements.

use super::grid::{N_CELLS, down, left, right, up};
use super::{N_MOVES, SIZE};

/// The number of shapes.
pub const N_SHAPES: usize = 19;

/// The cells of each shape as (row, column) from its origin, in the order of move numbers:
/// O, two I, then T, L and J pointing up, right, down and left, then two S and two Z.
pub const SHAPES: [[(i8, i8); 4]; N_SHAPES] = [
    [(0, 0), (0, 1), (1, 0), (1, 1)],
    [(0, 0), (0, 1), (0, 2), (0, 3)],
    [(0, 0), (1, 0), (2, 0), (3, 0)],
    [(0, 0), (-1, 0), (-1, 1), (-1, -1)],
    [(0, 0), (0, 1), (1, 1), (-1, 1)],
    [(0, 0), (1, 0), (1, -1), (1, 1)],
    [(0, 0), (0, -1), (-1, -1), (1, -1)],
    [(0, 0), (0, -1), (-1, -1), (-2, -1)],
    [(0, 0), (-1, 0), (-1, 1), (-1, 2)],
    [(0, 0), (0, 1), (1, 1), (2, 1)],
    [(0, 0), (1, 0), (1, -1), (1, -2)],
    [(0, 0), (0, 1), (-1, 1), (-2, 1)],
    [(0, 0), (1, 0), (1, 1), (1, 2)],
    [(0, 0), (0, -1), (1, -1), (2, -1)],
    [(0, 0), (-1, 0), (-1, -1), (-1, -2)],
    [(0, 0), (0, 1), (-1, 1), (-1, 2)],
    [(0, 0), (-1, 0), (-1, -1), (-2, -1)],
    [(0, 0), (0, -1), (-1, -1), (-1, -2)],
    [(0, 0), (1, 0), (1, -1), (2, -1)],
];

/// The four cells of every move.
pub static PLACEMENTS: [u128; N_MOVES] = placements();

/// The cell at an offset from another one.
pub const fn offset(cell: usize, (rows, cols): (i8, i8)) -> usize {
    let size = SIZE as i8;
    let row = (cell as i8 / size + rows).rem_euclid(size);
    let col = (cell as i8 % size + cols).rem_euclid(size);
    row as usize * SIZE as usize + col as usize
}

const fn placements() -> [u128; N_MOVES] {
    let mut placements = [0; N_MOVES];
    let mut m = 0;
    while m < N_MOVES {
        let mut n = 0;
        while n < 4 {
            placements[m] |= 1 << offset(m % N_CELLS, SHAPES[m / N_CELLS][n]);
            n += 1;
        }
        m += 1;
    }
    placements
}

/// For each shape, the origins at which all its cells are in the set.
#[inline(always)]
pub fn fits(cells: u128) -> [u128; N_SHAPES] {
    let c = cells;
    let (l, r) = (left(c), right(c));
    let (ll, rr) = (left(l), right(r));
    let (u, d) = (up::<1, _>(c), down::<1, _>(c));
    let (lu, ld, ru, rd) = (up::<1, _>(l), down::<1, _>(l), up::<1, _>(r), down::<1, _>(r));
    let (llu, lld, rru, rrd) = (up::<1, _>(ll), down::<1, _>(ll), up::<1, _>(rr), down::<1, _>(rr));
    let (uu, luu, ldd, ruu, rdd) =
        (up::<2, _>(c), up::<2, _>(l), down::<2, _>(l), up::<2, _>(r), down::<2, _>(r));
    // Pairs that several shapes share. A shift to the left tests the cell on the right, and so on.
    let (on_left, on_right) = (c & r, c & l);
    let (above, below) = (c & d, c & u);
    [
        on_right & u & lu,
        on_right & ll & left(ll),
        below & uu & up::<3, _>(c),
        above & ld & rd,
        on_right & lu & ld,
        below & ru & lu,
        on_left & rd & ru,
        on_left & rd & rdd,
        above & ld & lld,
        on_right & lu & luu,
        below & ru & rru,
        on_right & ld & ldd,
        below & lu & llu,
        on_left & ru & ruu,
        above & rd & rrd,
        on_right & ld & lld,
        above & rd & rdd,
        on_left & rd & rrd,
        below & ru & ruu,
    ]
}

#[cfg(test)]
mod tests {
    use super::super::grid::{ALL_CELLS, Halves, n_placements};
    use super::*;

    #[test]
    fn shapes_fit_where_their_placements_lie_within_the_cells() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..100 {
            let cells = rng.u128(..) & ALL_CELLS | rng.u128(..) & ALL_CELLS;
            let mut n_fitting = 0;
            for (shape, origins) in fits(cells).into_iter().enumerate() {
                for origin in 0..N_CELLS {
                    let piece = PLACEMENTS[shape * N_CELLS + origin];
                    assert_eq!(origins >> origin & 1 == 1, piece & !cells == 0);
                    n_fitting += u32::from(piece & !cells == 0);
                }
            }
            assert_eq!(n_placements(cells), n_fitting);
            assert_eq!(Halves::from(cells).n_placements(), n_fitting);
        }
    }

    #[test]
    fn placements_are_all_different() {
        let mut placements = PLACEMENTS.to_vec();
        placements.sort_unstable();
        placements.dedup();
        assert_eq!(placements.len(), N_MOVES);
    }
}
