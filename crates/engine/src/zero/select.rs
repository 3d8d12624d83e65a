//! Which move of a node is simulated next, and what the search makes of the oracle's policy.

use super::options::{Method, ZeroOptions};
use super::tree::{Edge, NodeIdx, Tree};

/// What a search knows about the moves of a node.
pub struct Known {
    /// The weight of values against logits.
    pub scale: f64,
    /// The value of moves that were not tried: the oracle's, mixed with those of the tried moves.
    pub mixed: f64,
    /// Simulations below the node.
    pub n_simulations: u32,
}

impl Tree {
    /// The value of a move for its mover, if it was tried.
    pub fn value(&self, edge: &Edge) -> Option<f64> {
        self.child(edge).map(|child| -child.mean())
    }

    /// Simulations through a move.
    pub fn visits(&self, edge: &Edge) -> u32 {
        self.child(edge).map_or(0, |child| child.visits)
    }

    /// Whether a move is a proven loss for its mover.
    pub fn is_lost(&self, edge: &Edge) -> bool {
        self.child(edge).and_then(|child| child.proof).is_some_and(|proof| 0 < proof.result)
    }

    /// Whether a move is a proven win for its mover.
    pub fn is_won(&self, edge: &Edge) -> bool {
        self.child(edge).and_then(|child| child.proof).is_some_and(|proof| proof.result < 0)
    }

    /// What is known about the moves of a node, with the priors that `prior` gives its tried edges.
    pub fn known(&self, node: NodeIdx, options: &ZeroOptions, prior: impl Fn(usize, &Edge) -> f32) -> Known {
        let n_tried = usize::from(self.nodes[node].n_tried);
        let (mut n_simulations, mut most) = (0, 0);
        let (mut mass, mut weighted) = (0.0, 0.0);
        for (idx, edge) in self.edges(node)[..n_tried].iter().enumerate() {
            let Some(child) = self.child(edge) else { continue };
            let prior = f64::from(prior(idx, edge));
            n_simulations += child.visits;
            most = most.max(child.visits);
            mass += prior;
            weighted -= prior * child.mean();
        }
        let own = f64::from(self.nodes[node].value);
        let n = f64::from(n_simulations);
        let mixed = if mass == 0.0 { own } else { (own + n * weighted / mass) / (1.0 + n) };
        let scale = (options.visit_offset + f64::from(most)) * options.value_scale;
        Known { scale, mixed, n_simulations }
    }

    /// The edge of an inner node that is simulated next. The node is not proven, so there is one that is not lost.
    pub fn select(&self, node: NodeIdx, options: &ZeroOptions) -> usize {
        match options.method {
            Method::Gumbel => self.select_by_policy(node, options),
            Method::Puct => self.select_by_bound(node, options),
        }
    }

    /// The move whose share of the simulations is furthest below its probability in the improved policy.
    fn select_by_policy(&self, node: NodeIdx, options: &ZeroOptions) -> usize {
        let known = self.known(node, options, |_, edge| edge.prior);
        let edges = self.edges(node);
        let n_tried = usize::from(self.nodes[node].n_tried);
        let value = |edge: &Edge| self.value(edge).unwrap_or(known.mixed);
        let candidates = || edges[..n_tried].iter().filter(|edge| !self.is_lost(edge));
        let best = candidates().map(value).fold(known.mixed, f64::max);
        let weight = |prior: f64, value: f64| prior * (known.scale * (value - best)).exp();
        let tried: f64 = edges[..n_tried].iter().map(|edge| f64::from(edge.prior)).sum();
        let untried = weight((1.0 - tried).max(0.0), known.mixed);
        let sum = untried + candidates().map(|edge| weight(edge.prior.into(), value(edge))).sum::<f64>();
        let sum = sum.max(f64::MIN_POSITIVE);
        let n = f64::from(1 + known.n_simulations);
        let (mut chosen, mut most) = (n_tried, f64::NEG_INFINITY);
        for (idx, edge) in edges.iter().enumerate().take(n_tried + 1) {
            if self.is_lost(edge) {
                continue;
            }
            let share = f64::from(self.visits(edge)) / n;
            let lack = weight(edge.prior.into(), value(edge)) / sum - share;
            if most < lack {
                (chosen, most) = (idx, lack);
            }
        }
        chosen
    }

    /// The move with the best bound (PUCT). An untried one counts a little less than the node's mean.
    fn select_by_bound(&self, node: NodeIdx, options: &ZeroOptions) -> usize {
        let edges = self.edges(node);
        let n_tried = usize::from(self.nodes[node].n_tried);
        let tried = edges[..n_tried].iter().filter(|edge| self.child(edge).is_some());
        let mass: f64 = tried.map(|edge| f64::from(edge.prior)).sum();
        let untried = self.nodes[node].mean() - options.untried_reduction * mass.sqrt();
        let weight = options.exploration * f64::from(self.nodes[node].visits).sqrt();
        let (mut chosen, mut most) = (n_tried, f64::NEG_INFINITY);
        for (idx, edge) in edges.iter().enumerate().take(n_tried + 1) {
            if self.is_lost(edge) {
                continue;
            }
            let exploration = weight * f64::from(edge.prior) / f64::from(1 + self.visits(edge));
            let bound = self.value(edge).unwrap_or(untried) + exploration;
            if most < bound {
                (chosen, most) = (idx, bound);
            }
        }
        chosen
    }

    /// The edges of a node in the order in which its mover would play them: a proven win first, proven losses last, in
    /// between by simulations, of which those before this search are in `before`. Only the first `n_edges` count.
    pub fn ranked(&self, node: NodeIdx, options: &ZeroOptions, before: &[u32], n_edges: usize) -> Vec<usize> {
        let known = self.known(node, options, |_, edge| edge.prior);
        let edges = self.edges(node);
        let rank = |idx: usize| {
            let edge = &edges[idx];
            let score = f64::from(edge.logit) + known.scale * self.value(edge).unwrap_or(known.mixed);
            let visits = self.visits(edge) - before.get(idx).copied().unwrap_or(0);
            (self.is_won(edge), !self.is_lost(edge), visits, score)
        };
        let mut order: Vec<usize> = (0..n_edges.min(edges.len())).collect();
        order.sort_by(|&a, &b| rank(b).partial_cmp(&rank(a)).expect("no score is NaN"));
        order
    }
}
