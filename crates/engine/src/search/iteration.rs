//! Iterative deepening: the budget, statistics and principal variations of a search, and the loop over its depths.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Duration;

use yarra_games::Move;

use crate::time::Pace;
use crate::{Budget, Choice, Iteration, Progress, Score, Stats, Watch};

/// A search of the root to a given depth.
pub trait RootSearch {
    /// The state of the search.
    fn run(&mut self) -> &mut Run;

    /// Searches the root to a depth, with the best line so far, and notes a line for each move that raises alpha.
    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>);
}

/// Decides after each depth whether to search another.
pub trait Pacing {
    /// Whether to search the next depth, after `n_stable` depths in a row with the same best move.
    fn wants_another(&self, iterations: &[Iteration], n_stable: u32) -> bool;

    /// Whether a depth that was cut short counts for nothing once another was finished. If not, its best move counts.
    fn drops_unfinished(&self) -> bool {
        false
    }
}

impl Pacing for Pace {
    fn wants_another(&self, iterations: &[Iteration], n_stable: u32) -> bool {
        self.has_time_for_another(iterations, n_stable)
    }
}

/// The state of one search: its budget, its statistics and its principal variations.
pub struct Run {
    pub stats: Stats,
    budget: Budget,
    pub is_stopped: bool,
    /// The principal variation from each ply on.
    lines: Vec<Vec<Move>>,
    /// The score of the root's principal variation.
    root_score: Score,
    /// MultiPV: the first moves of better lines, which the root skips.
    excluded: Vec<Move>,
}

impl Run {
    /// A search with lines of at most this many plies.
    pub fn new(max_plies: usize) -> Run {
        Run {
            stats: Stats::default(),
            budget: Budget::start(None, None),
            is_stopped: false,
            lines: vec![Vec::new(); max_plies + 1],
            root_score: Score::DRAW,
            excluded: Vec::new(),
        }
    }

    /// A search begins.
    pub fn start(&mut self, hard_time: Option<Duration>, nodes: Option<u64>) {
        self.budget = Budget::start(hard_time, nodes);
        self.stats = Stats::default();
        self.is_stopped = false;
    }

    /// The statistics of a search that is over.
    pub fn finish(&mut self) -> Stats {
        let mut stats = std::mem::take(&mut self.stats);
        stats.elapsed = self.budget.elapsed();
        stats
    }

    /// Counts the nodes that come next, unless the budget ends before the last of them: then false.
    #[inline(always)]
    pub fn enter(&mut self, n_nodes: u64, best: &Choice, watch: &mut Watch<'_>) -> bool {
        if self.must_stop_at(self.stats.nodes + n_nodes - 1, best, watch) {
            return false;
        }
        self.stats.nodes += n_nodes;
        true
    }

    /// As [`enter`](Run::enter) for one node, but counts also the node at which the budget ends. The node counts of
    /// [`AlphaBeta`](crate::AlphaBeta) are defined this way.
    #[inline(always)]
    pub fn enter_counted(&mut self, best: &Choice, watch: &mut Watch<'_>) -> bool {
        self.stats.nodes += 1;
        !self.must_stop_at(self.stats.nodes, best, watch)
    }

    #[inline(always)]
    fn must_stop_at(&mut self, nodes: u64, best: &Choice, watch: &mut Watch<'_>) -> bool {
        self.budget.is_look_due(nodes) && self.is_budget_spent(nodes, best, watch)
    }

    #[cold]
    fn is_budget_spent(&mut self, nodes: u64, best: &Choice, watch: &mut Watch<'_>) -> bool {
        let is_spent = self.budget.is_spent(nodes);
        let is_broken = watch(&self.progress(best, self.excluded.len())) == ControlFlow::Break(());
        self.is_stopped |= is_spent || is_broken;
        self.is_stopped
    }

    /// Whether a move is an excluded root move.
    #[inline(always)]
    pub fn is_excluded(&self, m: Move, ply: u32) -> bool {
        ply == 0 && self.excluded.contains(&m)
    }

    /// Whether a node searches all moves, with none excluded.
    #[inline(always)]
    pub fn is_whole(&self, ply: u32) -> bool {
        ply != 0 || self.excluded.is_empty()
    }

    /// The line from a ply on is empty.
    #[inline(always)]
    pub fn clear_line(&mut self, ply: u32) {
        self.lines[ply as usize].clear();
    }

    /// The line from a ply on consists of a move that the table knows, if any.
    #[inline(always)]
    pub fn note_hash_move(&mut self, m: Option<Move>, ply: u32) {
        let line = &mut self.lines[ply as usize];
        line.clear();
        line.extend(m);
    }

    /// The line from a ply on is a move and the line after it.
    #[inline(always)]
    pub fn note_line(&mut self, m: Move, ply: u32, score: Score) {
        let (upper, lower) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
        if ply == 0 {
            self.root_score = score;
        }
    }

    fn progress<'a>(&self, line: &'a Choice, rank: usize) -> Progress<'a> {
        Progress {
            rank,
            depth: self.stats.depth(),
            score: line.score.unwrap_or_default(),
            nodes: self.stats.nodes,
            line: &line.line,
            elapsed: self.budget.elapsed(),
        }
    }
}

/// Iterative deepening from lines of one move each. Compiled once for all searches, since it runs once a depth.
pub fn deepen(
    search: &mut dyn RootSearch,
    mut lines: Vec<Choice>,
    depths: RangeInclusive<u32>,
    pacing: &dyn Pacing,
    watch: &mut Watch<'_>,
) -> Vec<Choice> {
    let mut n_stable = 0;
    for depth in depths {
        let nodes_before = search.run().stats.nodes;
        let before = lines[0].mv;
        search_lines(search, depth, &mut lines, pacing, watch);
        let run = search.run();
        if run.is_stopped {
            break;
        }
        n_stable = if lines[0].mv == before { n_stable + 1 } else { 0 };
        run.stats.iterations.push(Iteration {
            depth,
            score: lines[0].score.unwrap_or_default(),
            line: lines[0].line.clone(),
            nodes: run.stats.nodes - nodes_before,
            elapsed: run.budget.elapsed(),
        });
        let is_broken = |(rank, line)| watch(&run.progress(line, rank)).is_break();
        if lines.iter().enumerate().any(is_broken) {
            break;
        }
        // A forced end does not change with more depth.
        let is_decided = |line: &Choice| {
            let plies = line.score.and_then(Score::plies_to_end);
            plies.is_some_and(|plies| plies.unsigned_abs() <= depth)
        };
        if lines.iter().all(is_decided) || !pacing.wants_another(&run.stats.iterations, n_stable) {
            break;
        }
    }
    lines
}

/// MultiPV: searches the root once for each line, without the first moves of the lines before it.
fn search_lines(
    search: &mut dyn RootSearch,
    depth: u32,
    lines: &mut Vec<Choice>,
    pacing: &dyn Pacing,
    watch: &mut Watch<'_>,
) {
    let last = std::mem::take(lines);
    let is_new = |line: &&Choice, lines: &[Choice]| lines.iter().all(|other| other.mv != line.mv);
    while lines.len() < last.len() && !search.run().is_stopped {
        let Some(line) = last.iter().find(|line| is_new(line, lines)) else { break };
        let mut line = line.clone();
        search_line(search, depth, &mut line, pacing, watch);
        search.run().excluded.push(line.mv);
        lines.push(line);
    }
    search.run().excluded.clear();
    // Lines that were not searched again keep their scores.
    for line in &last {
        if lines.len() < last.len() && is_new(&line, lines) {
            lines.push(line.clone());
        }
    }
    // With selective search a later line may turn out to be better.
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
}

/// Searches the root for one line. Aspiration windows were tried and made no tree smaller.
fn search_line(
    search: &mut dyn RootSearch,
    depth: u32,
    best: &mut Choice,
    pacing: &dyn Pacing,
    watch: &mut Watch<'_>,
) {
    search.run().clear_line(0);
    search.search_root(depth, best, watch);
    let run = search.run();
    let has_finished_one = !run.stats.iterations.is_empty();
    if run.is_stopped && has_finished_one && pacing.drops_unfinished() {
        return;
    }
    // Also a search that was cut short counts, once it has found something better than the last depth's move.
    if let Some(&m) = run.lines[0].first() {
        best.line.clone_from(&run.lines[0]);
        best.mv = m;
        best.score = Some(run.root_score);
    }
}
