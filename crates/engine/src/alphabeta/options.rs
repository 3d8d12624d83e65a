//! What can be chosen about a search by depth.

use std::time::Duration;

use crate::{Iteration, Score};

/// How the tree is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Not at all: every position to the depth.
    Minimax,
    /// Alpha-beta.
    AlphaBeta,
    /// Alpha-beta that first asks with a narrow window whether a later move is better at all.
    NegaScout {
        /// The window's width in hundredths; 1 is the narrowest.
        window: i32,
    },
}

/// What a search is made of.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How the tree is cut.
    pub method: Method,
    /// Size of the transposition table; 0 for none.
    pub table_bytes: usize,
    /// Whether a position that the table knows well enough is left at that; if not, the table only
    /// orders moves.
    pub table_cuts: bool,
    /// How many evaluations are remembered.
    pub cached_evaluations: usize,
    /// For how many positions the moves are remembered.
    pub cached_lists: usize,
    /// Whether table and lists live on to the next move, as a search tree that is reused.
    pub keeps_between_moves: bool,
    /// What moves are sorted by, beside the tactics' own order.
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

/// What moves are sorted by. What is switched on later in this list comes first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    /// Moves that often cut elsewhere.
    pub history: bool,
    /// The last two moves that cut at the same distance from the root.
    pub killers: bool,
    /// The best move that the table knows.
    pub hash_move: bool,
    /// What each child was worth in the iteration before; needs a table.
    pub previous_iteration: bool,
}

/// When a search for one move ends.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The depth to search to.
    pub depth: u32,
    /// Whether all smaller depths are searched before.
    pub is_deepening: bool,
    /// No new depth is begun after this time.
    pub soft_time: Option<Duration>,
    /// The search is cut after this time, whatever the limits say.
    pub hard_time: Option<Duration>,
    /// No new depth is begun once two scores in a row differ by at most this share of the larger.
    pub settled_within: Option<f64>,
    /// No new depth is begun once one alone has taken longer than this.
    pub longest_iteration: Option<Duration>,
    /// Whether a depth that was cut off counts for nothing and the move of the depth before is played.
    /// If not, the best of the moves that were searched is.
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

    /// Whether the last iteration was the last one, if the score before it was `previous`.
    pub fn is_enough(&self, iterations: &[Iteration], previous: Option<Score>) -> bool {
        let Some(last) = iterations.last() else { return false };
        // A forced end does not change with more depth.
        let is_decided = last.score.plies_to_end().is_some_and(|plies| plies.unsigned_abs() <= last.depth);
        let is_late = self.soft_time.is_some_and(|soft| soft <= last.elapsed);
        let is_settled = self.settled_within.zip(previous).is_some_and(|(share, previous)| {
            let (a, b) = (last.score.units(), previous.units());
            (a - b).abs() <= share * a.abs().max(b.abs()).max(1.0)
        });
        let begun = iterations.iter().rev().nth(1).map_or(Duration::ZERO, |before| before.elapsed);
        let is_long = self.longest_iteration.is_some_and(|longest| longest < last.elapsed - begun);
        is_decided || is_late || is_settled || is_long
    }
}
