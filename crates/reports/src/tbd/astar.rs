//! Report 003's shortest distances as it computed them: A* for every pair of cells on the two sides.
//!
//! Slow on purpose: it shows what one sweep saves. Both find the same distances.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use yarra_engine::profile::{Part, time};
use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Player, Position};

/// What it costs a player to enter each cell.
struct Costs {
    size: usize,
    costs: Vec<Option<u32>>,
    /// The player's own stones, which cost nothing.
    n_free: usize,
}

/// The shortest distance of a player (Evaluation Score): n² A* runs, less those whose start or goal is the opponent's.
pub fn distance_by_pairs<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, player: Player) -> u32 {
    let board = Costs::new(pos, player);
    let (size, n_cells) = (board.size, board.costs.len());
    let pairs = (0..size).flat_map(|from| (n_cells - size..n_cells).map(move |to| (from, to)));
    let open = pairs.filter(|&(from, to)| board.costs[from].is_some() && board.costs[to].is_some());
    let ways = open.filter_map(|(from, to)| time(Part::Paths, || board.way(from, to)));
    ways.min().unwrap_or(n_cells as u32)
}

impl Costs {
    fn new(pos: &dyn Position, player: Player) -> Costs {
        let cells = pos.cells();
        let size = cells.len().isqrt();
        let cost = |idx: usize| match cells[idx].owner {
            None => Some(1),
            Some(owner) => (owner == player).then_some(0),
        };
        // Blue's columns become rows, so that everybody goes from the first row to the last.
        let turned = |idx: usize| if player == Player::Blue { idx % size * size + idx / size } else { idx };
        let costs: Vec<Option<u32>> = (0..cells.len()).map(|idx| cost(turned(idx))).collect();
        let n_free = costs.iter().filter(|&&cost| cost == Some(0)).count();
        Costs { size, costs, n_free }
    }

    /// The cost of the cheapest way between two cells, if there is one.
    fn way(&self, from: usize, to: usize) -> Option<u32> {
        // Own stones are free, so a way may cost that much less than the steps that it has.
        let to_pay = |cell| self.n_steps(cell, to).saturating_sub(self.n_free) as u32;
        let mut best = vec![u32::MAX; self.costs.len()];
        let mut queue = BinaryHeap::new();
        best[from] = self.costs[from]?;
        queue.push(Reverse((best[from] + to_pay(from), best[from], from)));
        while let Some(Reverse((_, paid, cell))) = queue.pop() {
            if cell == to {
                return Some(paid);
            }
            if best[cell] < paid {
                continue;
            }
            for next in self.neighbors(cell) {
                let Some(cost) = self.costs[next] else { continue };
                if paid + cost < best[next] {
                    best[next] = paid + cost;
                    queue.push(Reverse((paid + cost + to_pay(next), paid + cost, next)));
                }
            }
        }
        None
    }

    fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> {
        let size = self.size as i32;
        let (row, col) = (cell as i32 / size, cell as i32 % size);
        let steps = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)].into_iter();
        let cells = steps.map(move |(rows, cols)| (row + rows, col + cols));
        let on_board = move |&(row, col): &(i32, i32)| 0 <= row && row < size && 0 <= col && col < size;
        cells.filter(on_board).map(move |(row, col)| (row * size + col) as usize)
    }

    fn n_steps(&self, from: usize, to: usize) -> usize {
        n_steps((from / self.size, from % self.size), (to / self.size, to % self.size))
    }
}

/// The steps from one cell to another on an empty board.
pub fn n_steps((row, col): (usize, usize), (to_row, to_col): (usize, usize)) -> usize {
    let (rows, cols) = (to_row as isize - row as isize, to_col as isize - col as isize);
    rows.unsigned_abs().max(cols.unsigned_abs()).max((rows + cols).unsigned_abs())
}
