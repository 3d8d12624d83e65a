//! Sets of cells on the hexagonal torus of Infexion, for evaluations and move ordering.
//!
//! A set is a word with bit 7 · r + q for cell (r, q). A step moves all cells of a set at once.

use super::{Action, Direction, Infexion};
use crate::{Move, Player};

const SIZE: u32 = super::SIZE as u32;
const N_CELLS: u32 = SIZE * SIZE;

/// Every cell of the board.
pub const ALL_CELLS: u64 = (1 << N_CELLS) - 1;

const FIRST_COLUMN: u64 = {
    let (mut column, mut row) = (0, 0);
    while row < SIZE {
        column |= 1 << (SIZE * row);
        row += 1;
    }
    column
};
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIZE - 1);

#[inline(always)]
fn next_column(cells: u64) -> u64 {
    (cells & !LAST_COLUMN) << 1 | (cells & LAST_COLUMN) >> (SIZE - 1)
}

#[inline(always)]
fn previous_column(cells: u64) -> u64 {
    (cells & !FIRST_COLUMN) >> 1 | (cells & FIRST_COLUMN) << (SIZE - 1)
}

#[inline(always)]
fn next_row(cells: u64) -> u64 {
    (cells << SIZE | cells >> (N_CELLS - SIZE)) & ALL_CELLS
}

#[inline(always)]
fn previous_row(cells: u64) -> u64 {
    (cells >> SIZE | cells << (N_CELLS - SIZE)) & ALL_CELLS
}

/// The cells one step in a direction from those of a set.
#[inline(always)]
pub fn stepped(cells: u64, direction: Direction) -> u64 {
    match direction {
        Direction::DownRight => next_column(cells),
        Direction::Down => previous_row(next_column(cells)),
        Direction::DownLeft => previous_row(cells),
        Direction::UpLeft => previous_column(cells),
        Direction::Up => next_row(previous_column(cells)),
        Direction::UpRight => next_row(cells),
    }
}

/// The cells from which one step in a direction leads into a set.
#[inline(always)]
pub fn stepped_back(cells: u64, direction: Direction) -> u64 {
    let opposite = Direction::ALL[(direction as usize + 3) % 6];
    stepped(cells, opposite)
}

/// The cells adjacent to some cell of a set, including adjacent cells within the set.
#[inline(always)]
pub fn neighbors(cells: u64) -> u64 {
    let (next, previous) = (next_column(cells), previous_column(cells));
    next | previous | next_row(cells | previous) | previous_row(cells | next)
}

/// The cells of a set, one by one.
#[inline(always)]
pub fn each(mut cells: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then(|| cells.trailing_zeros() as usize);
        cells &= cells.wrapping_sub(1);
        cell
    })
}

/// The first spread; all moves before it are spawns.
pub const FIRST_SPREAD: Move = Move(N_CELLS as u16);

/// The spread from a cell in a direction.
#[inline(always)]
pub fn spread(cell: usize, direction: Direction) -> Move {
    Action::Spread { cell, direction }.into()
}

/// The cells that each spread of a player reaches, whether or not it is that player's turn.
#[inline(always)]
pub fn reaches(pos: &Infexion, player: Player) -> impl Iterator<Item = u64> {
    let spreads = |cell| Direction::ALL.map(|direction| pos.reach(spread(cell, direction)));
    each(pos.cells_of(player)).flat_map(spreads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Position};

    #[test]
    fn a_move_changes_what_it_reaches() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut pos = Infexion::start(7).expect("the size of Infexion");
        while let Some(m) = pos.random_move(&mut rng) {
            let after = pos.after(m);
            let changed = each(ALL_CELLS).filter(|&cell| pos.power_at(cell) != after.power_at(cell));
            let changed = changed.fold(0, |all, cell| all | 1 << cell);
            let source = if FIRST_SPREAD <= m { 1 << Action::from(m).cell() } else { 0 };
            assert_eq!(pos.reach(m), changed & !source, "{} at {pos}", pos.show_move(m));
            for power in 1..=6 {
                let has_power = each(ALL_CELLS).filter(|&cell| pos.power_at(cell) == power);
                assert_eq!(pos.cells_of_power(power), has_power.fold(0, |all, cell| all | 1 << cell));
            }
            pos = after;
        }
    }

    #[test]
    fn steps_and_neighbors_are_those_of_the_rules() {
        for cell in 0..N_CELLS as usize {
            let alone = |direction: Direction| {
                let (row, col) = (cell as i32 / 7, cell as i32 % 7);
                let (dr, dq) = direction.vector();
                1 << ((row + i32::from(dr)).rem_euclid(7) * 7 + (col + i32::from(dq)).rem_euclid(7))
            };
            let mut all = 0;
            for direction in Direction::ALL {
                assert_eq!(stepped(1 << cell, direction), alone(direction));
                assert_eq!(stepped_back(alone(direction), direction), 1 << cell);
                all |= alone(direction);
            }
            assert_eq!(neighbors(1 << cell), all);
            assert_eq!(neighbors(1 << cell | 1), all | neighbors(1));
        }
    }
}
