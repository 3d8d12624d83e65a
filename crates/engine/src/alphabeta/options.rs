//! The options of the search, and the plan for one move.

use std::time::Duration;

use crate::Iteration;
use crate::search::iteration::Pacing;

/// How the tree is pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Not at all: every position to the depth is searched.
    Minimax,
    /// Alpha-beta.
    AlphaBeta,
    /// Alpha-beta with a scout window for every move after the first.
    NegaScout {
        /// The width of the scout window in hundredths; 1 is a null window.
        window: i32,
    },
}

/// The parts of a search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How the tree is pruned.
    pub method: Method,
    /// Size of the transposition table; 0 for none.
    pub table_bytes: usize,
    /// Whether the table gives cutoffs; if not, it only orders moves.
    pub table_cuts: bool,
    /// The number of cached evaluations.
    pub cached_evaluations: usize,
    /// The number of cached move lists.
    pub cached_lists: usize,
    /// Whether table and lists are kept for the next move, like a search tree that is reused.
    pub keeps_between_moves: bool,
    /// What moves are sorted by, after the order of the tactics.
    pub order: Order,
}

impl Default for Options {
    /// Plain alpha-beta.
    fn default() -> Options {
        Options {
            method: Method::AlphaBeta,
            table_bytes: 0,
            table_cuts: true,
            cached_evaluations: 0,
            cached_lists: 0,
            keeps_between_moves: false,
            order: Order::default(),
        }
    }
}

/// What moves are sorted by. Later fields take precedence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    /// Moves with many cutoffs elsewhere.
    pub history: bool,
    /// The last two moves that caused a cutoff at the same ply.
    pub killers: bool,
    /// The table's best move.
    pub hash_move: bool,
    /// The value of each child in the iteration before; needs a table.
    pub previous_iteration: bool,
    /// At the root, the best move of the depth before. Without it a depth that was cut short counts for nothing: the
    /// moves searched so far need not include that one.
    pub last_best: bool,
}

impl Order {
    /// Whether what other nodes have shown is used below the root.
    pub fn uses_experience(&self) -> bool {
        self.history || self.killers || self.hash_move
    }
}

/// When a search for one move ends.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The depth to search to.
    pub depth: u32,
    /// Whether all smaller depths are searched first.
    pub is_deepening: bool,
    /// No new depth begins after this time.
    pub soft_time: Option<Duration>,
    /// The search stops after this time, whatever the limits say.
    pub hard_time: Option<Duration>,
    /// No new depth begins once two scores in a row differ by at most this share of the larger.
    pub settled_within: Option<f64>,
    /// No new depth begins once one alone has taken longer than this.
    pub longest_iteration: Option<Duration>,
    /// Whether an unfinished depth counts for nothing and the move of the depth before is played. If not, the best of
    /// the moves searched so far is played.
    pub drops_unfinished: bool,
}

impl Plan {
    /// A search to one depth.
    pub fn fixed(depth: u32) -> Plan {
        Plan {
            depth,
            is_deepening: false,
            soft_time: None,
            hard_time: None,
            settled_within: None,
            longest_iteration: None,
            drops_unfinished: false,
        }
    }

    /// A search to all depths up to one.
    pub fn deepening(depth: u32) -> Plan {
        Plan { is_deepening: true, ..Plan::fixed(depth) }
    }

    /// Whether no new depth begins after these.
    pub fn is_enough(&self, iterations: &[Iteration]) -> bool {
        let Some((last, earlier)) = iterations.split_last() else { return false };
        let before = earlier.last();
        let is_late = self.soft_time.is_some_and(|soft| soft <= last.elapsed);
        let is_settled = self.settled_within.zip(before).is_some_and(|(share, before)| {
            let (a, b) = (last.score.units(), before.score.units());
            (a - b).abs() <= share * a.abs().max(b.abs()).max(1.0)
        });
        let begun = before.map_or(Duration::ZERO, |before| before.elapsed);
        let is_long = self.longest_iteration.is_some_and(|longest| longest < last.elapsed - begun);
        is_late || is_settled || is_long
    }
}

impl Pacing for Plan {
    fn wants_another(&self, iterations: &[Iteration], _: u32) -> bool {
        !self.is_enough(iterations)
    }

    fn drops_unfinished(&self) -> bool {
        self.drops_unfinished
    }
}
