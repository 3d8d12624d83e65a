//! Report 000's Asymptotic Analysis with the numbers of one search in place of its symbols.

use yarra_engine::cost::{Shape, Space};
use yarra_engine::profile::{Part, Quantity};

use super::Explanation;

/// A search by depth, taken apart: total time = leaves · E + internal · (R + O + G), and the space on its path.
#[derive(Clone, Copy, Debug)]
pub struct Analysis {
    /// d: the last depth.
    pub depth: u32,
    /// N: the cells of the board.
    pub n_cells: usize,
    /// b: the moves at an internal node after reduction, on average.
    pub branching: f64,
    /// s: the legal moves at an internal node.
    pub legal_moves: Option<f64>,
    /// p: the power of a cell of the player to move at an internal node.
    pub power: Option<f64>,
    /// n: the occupied cells of a leaf.
    pub occupied: Option<f64>,
    /// c: the clusters of a leaf.
    pub clusters: Option<f64>,
    /// Leaves and internal nodes.
    pub shape: Shape,
    /// E: seconds of evaluation for each leaf.
    pub evaluation: f64,
    /// R: seconds of listing and reducing moves for each internal node.
    pub reduction: f64,
    /// O: seconds of ordering for each internal node.
    pub ordering: f64,
    /// G: seconds of endgame detection for each internal node.
    pub endgame: f64,
    /// Seconds in all, with everything that no part accounts for.
    pub total: f64,
    /// What was held at one time at most.
    pub space: Space,
}

impl Analysis {
    /// leaves · E + internal · (R + O + G).
    pub fn sum(&self) -> f64 {
        let per_internal = self.reduction + self.ordering + self.endgame;
        self.shape.leaves as f64 * self.evaluation + self.shape.internal as f64 * per_internal
    }
}

impl Explanation {
    /// The analysis of a search by depth that counts its nodes by kind: that of the reports' agents.
    pub fn analysis(&self) -> Option<Analysis> {
        let stats = &self.choice.stats;
        let (shape, means) = (stats.shape, &stats.means);
        let seconds = |part: Part| stats.parts.0[part as usize].0.as_secs_f64();
        let per_leaf = |time: f64| time / shape.leaves.max(1) as f64;
        let per_internal = |time: f64| time / shape.internal.max(1) as f64;
        Some(Analysis {
            depth: stats.depth(),
            n_cells: self.record.now().cells().len(),
            branching: shape.branching()?,
            legal_moves: means.get(Quantity::LegalMoves),
            power: means.get(Quantity::Power),
            occupied: means.get(Quantity::Occupied),
            clusters: means.get(Quantity::Clusters),
            shape,
            evaluation: per_leaf(seconds(Part::Evaluation)),
            // Without reduction all moves are listed.
            reduction: per_internal(seconds(Part::Reduction) + seconds(Part::Moves)),
            ordering: per_internal(seconds(Part::Ordering)),
            endgame: per_internal(seconds(Part::Endgame)),
            total: self.time.as_secs_f64(),
            space: stats.space,
        })
    }
}
