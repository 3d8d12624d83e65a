//! Depth after depth until time or work is up: what all searches by depth have in common.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Duration;

use yarra_games::Move;

use crate::time::Pace;
use crate::{Budget, Choice, Iteration, Progress, Score, Stats, Watch};

/// A lower and an upper bound.
pub type Window = (Score, Score);
/// No bound at all.
pub const OPEN: Window = (Score(-Score::INFINITE.0), Score::INFINITE);

/// A search by depth.
pub trait DepthSearch {
    /// What it has done so far.
    fn run(&mut self) -> &mut Run;

    /// Searches the root to a depth, beginning with the best move so far, and notes the line of each better one.
    fn search_root(&mut self, depth: u32, best: &Choice, watch: &mut Watch<'_>);
}

/// What a search has done, and the best lines that it has found.
pub struct Run {
    pub stats: Stats,
    budget: Budget,
    pub is_stopped: bool,
    /// The best line from each ply on; only those of principal nodes are kept up.
    lines: Vec<Vec<Move>>,
    /// What the best line of the root is worth.
    root_score: Score,
    /// Moves that the root leaves out, since they begin better lines.
    left_out: Vec<Move>,
}

impl Run {
    /// Room for lines of so many plies.
    pub fn new(max_plies: usize) -> Run {
        Run {
            stats: Stats::default(),
            budget: Budget::start(None, None),
            is_stopped: false,
            lines: vec![Vec::new(); max_plies + 1],
            root_score: Score::DRAW,
            left_out: Vec::new(),
        }
    }

    /// A search begins.
    pub fn start(&mut self, hard_time: Option<Duration>, nodes: Option<u64>) {
        self.budget = Budget::start(hard_time, nodes);
        self.stats = Stats::default();
        self.is_stopped = false;
    }

    /// What the search did, now that it is over.
    pub fn finish(&mut self) -> Stats {
        let mut stats = std::mem::take(&mut self.stats);
        stats.elapsed = self.budget.elapsed();
        stats
    }

    /// Counts the nodes that come next. False if the search must stop before them.
    #[inline(always)]
    pub fn goes_on(&mut self, n_nodes: u64, best: &Choice, watch: &mut Watch<'_>) -> bool {
        if self.budget.is_look_due(self.stats.nodes + n_nodes - 1) && self.is_time_up(n_nodes, best, watch) {
            return false;
        }
        self.stats.nodes += n_nodes;
        true
    }

    #[cold]
    fn is_time_up(&mut self, n_nodes: u64, best: &Choice, watch: &mut Watch<'_>) -> bool {
        let is_spent = self.budget.is_spent(self.stats.nodes + n_nodes - 1);
        let is_broken = watch(&self.progress(best, self.left_out.len())) == ControlFlow::Break(());
        self.is_stopped |= is_spent || is_broken;
        self.is_stopped
    }

    /// Whether a move of the root begins a better line already.
    #[inline(always)]
    pub fn is_left_out(&self, m: Move, ply: u32) -> bool {
        ply == 0 && self.left_out.contains(&m)
    }

    /// Whether a node looks at all moves.
    #[inline(always)]
    pub fn is_whole(&self, ply: u32) -> bool {
        ply != 0 || self.left_out.is_empty()
    }

    /// A principal node begins anew.
    #[inline(always)]
    pub fn clear_line(&mut self, ply: u32) {
        self.lines[ply as usize].clear();
    }

    /// A better move was found at a principal node.
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

/// Searches deeper and deeper, from lines of one move each on.
pub fn deepen(
    search: &mut impl DepthSearch,
    mut lines: Vec<Choice>,
    depths: RangeInclusive<u32>,
    pace: &Pace,
    watch: &mut Watch<'_>,
) -> Vec<Choice> {
    let mut n_stable = 0;
    for depth in depths {
        let nodes_before = search.run().stats.nodes;
        let before = lines[0].mv;
        settle_lines(search, depth, &mut lines, watch);
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
        if lines.iter().all(is_decided) || !pace.has_time_for_another(&run.stats.iterations, n_stable) {
            break;
        }
    }
    lines
}

/// Searches the root to a depth for each line, every one without the first moves of those before it.
fn settle_lines(search: &mut impl DepthSearch, depth: u32, lines: &mut Vec<Choice>, watch: &mut Watch<'_>) {
    let last = std::mem::take(lines);
    let is_new = |line: &&Choice, lines: &[Choice]| lines.iter().all(|other| other.mv != line.mv);
    while lines.len() < last.len() && !search.run().is_stopped {
        let Some(line) = last.iter().find(|line| is_new(line, lines)) else { break };
        let mut line = line.clone();
        settle(search, depth, &mut line, watch);
        search.run().left_out.push(line.mv);
        lines.push(line);
    }
    search.run().left_out.clear();
    // What was not settled again is still as good as it was.
    for line in &last {
        if lines.len() < last.len() && is_new(&line, lines) {
            lines.push(line.clone());
        }
    }
    // Searches that guess may find out only now that a later line is better.
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
}

/// Searches the root to a depth. Windows around the last score were tried and made no tree smaller.
fn settle(search: &mut impl DepthSearch, depth: u32, best: &mut Choice, watch: &mut Watch<'_>) {
    search.run().clear_line(0);
    search.search_root(depth, best, watch);
    let run = search.run();
    // Also a search that was cut counts, once it has found something better than the last depth's move.
    if let Some(&m) = run.lines[0].first() {
        best.line.clone_from(&run.lines[0]);
        best.mv = m;
        best.score = Some(run.root_score);
    }
}
