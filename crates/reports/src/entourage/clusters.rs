//! Groups of adjacent stacks of one player, and which of them dominate their neighbors.

use yarra_engine::profile::{Part, time};
use yarra_games::Player;
use yarra_games::infexion::Infexion;
use yarra_games::infexion::cells::neighbors;

/// A largest connected set of a player's cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    /// Its cells.
    pub cells: u64,
    /// All cells next to one of its cells.
    pub around: u64,
}

/// No more clusters of one player fit on the board: one cell of each makes a set without neighbors, and
/// each such cell takes 6 of the board's 98 triangles for itself.
const MAX_CLUSTERS: usize = 98 / 6;

/// Clusters, without a trip to the heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clusters {
    list: [Cluster; MAX_CLUSTERS],
    len: usize,
}

impl Clusters {
    /// Report 000, Cluster generation: adds the clusters of `own` cells that hold a cell of `seeds`.
    #[inline(always)]
    pub fn add(&mut self, own: u64, seeds: u64) {
        let mut left = own & seeds;
        while left != 0 {
            let cluster = cluster_of(own, left & left.wrapping_neg());
            left &= !cluster.cells;
            self.list[self.len] = cluster;
            self.len += 1;
        }
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.len as u32
    }

    /// One after the other.
    #[inline(always)]
    pub fn iter(&self) -> std::slice::Iter<'_, Cluster> {
        self.list[..self.len].iter()
    }
}

#[inline(always)]
fn cluster_of(own: u64, seed: u64) -> Cluster {
    let mut cells = seed;
    loop {
        let around = neighbors(cells);
        let grown = cells | around & own;
        if grown == cells {
            return Cluster { cells, around };
        }
        cells = grown;
    }
}

/// How often red's and blue's clusters dominate an opposing one next to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dominance {
    /// By the number of stacks.
    pub by_quantity: [u32; 2],
    /// By the total power.
    pub by_power: [u32; 2],
}

/// Report 000, Evaluation Function, 2 (Cluster): each pair of opposing clusters that touch counts once for
/// the larger one and once for the stronger one; equals count for nobody.
#[inline(always)]
pub fn dominance(pos: &Infexion) -> Dominance {
    let [red, blue] = Player::BOTH.map(|player| pos.cells_of(player));
    // Clusters that touch no opponent dominate nobody: they need not be found.
    let (mut reds, mut blues) = (Clusters::default(), Clusters::default());
    time(
        Part::Clusters,
        #[inline(always)]
        || {
            reds.add(red, neighbors(blue));
            blues.add(blue, neighbors(red));
        },
    );
    let mut dominance = Dominance::default();
    for mine in reds.iter() {
        let (size, power) = (mine.cells.count_ones(), pos.power_on(mine.cells));
        for theirs in blues.iter().filter(|theirs| mine.around & theirs.cells != 0) {
            let (their_size, their_power) = (theirs.cells.count_ones(), pos.power_on(theirs.cells));
            dominance.by_quantity[0] += u32::from(their_size < size);
            dominance.by_quantity[1] += u32::from(size < their_size);
            dominance.by_power[0] += u32::from(their_power < power);
            dominance.by_power[1] += u32::from(power < their_power);
        }
    }
    dominance
}
