//! A tree that grows from one position, simulation by simulation.

use fastrand::Rng;
use yarra_games::{History, Move, MoveList, Position, Record};

use super::gumbel;
use super::halving::considered_visits;
use super::options::{Method, ZeroOptions};
use super::tree::{NodeIdx, Proof, ROOT, Tree};
use crate::Score;
use crate::net::Oracle;

/// A search guided by an oracle.
pub struct GuidedSearch {
    options: ZeroOptions,
    tree: Tree,
    history: History,
    /// The position of the tree's root.
    root: Option<Box<dyn Position>>,
    /// What was added to the logits of the root's edges, in their order; empty if nothing.
    noise: Vec<f32>,
    /// The visits of the root's edges before the schedule began; empty without one.
    before: Vec<u32>,
    /// How often the root's next move must have been simulated, one entry for each simulation since the plan was made.
    schedule: Vec<u32>,
    n_planned_at: usize,
    n_done: usize,
    n_evaluations: u64,
    moves: MoveList,
    logits: Vec<f32>,
}

/// A root move with what the search found.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The expected line, beginning with the move.
    pub line: Vec<Move>,
    /// Its value for the player to move.
    pub value: f64,
    /// Its proven result and the plies to the end.
    pub proof: Option<Proof>,
}

impl RootMove {
    /// The value as a score in the unit of [`Curve::USUAL`](crate::Curve::USUAL).
    pub fn score(&self) -> Score {
        match self.proof {
            Some(Proof { result: 1, n_plies }) => Score::win_in(n_plies.into()),
            Some(Proof { result: -1, n_plies }) => -Score::win_in(n_plies.into()),
            _ => {
                let odds = self.value.clamp(-0.999, 0.999).atanh();
                Score::from_units(odds / 0.5_f64.atanh() * 10.0)
            }
        }
    }
}

/// A tree of this many edges grows no more: 512 MB.
const MAX_EDGES: usize = 1 << 25;

impl GuidedSearch {
    /// A search without a root.
    pub fn new(options: ZeroOptions) -> GuidedSearch {
        GuidedSearch {
            options,
            tree: Tree::default(),
            history: History::default(),
            root: None,
            noise: Vec::new(),
            before: Vec::new(),
            schedule: Vec::new(),
            n_planned_at: 0,
            n_done: 0,
            n_evaluations: 0,
            moves: MoveList::new(),
            logits: Vec::new(),
        }
    }

    /// Forgets the tree: another game begins.
    pub fn forget(&mut self) {
        self.root = None;
    }

    /// Begins a search of the last position of a game, which is not over; `n_simulations` if their number is known;
    /// otherwise each considered move gets one, and [`GuidedSearch::plan`] shares out the others.
    pub fn begin(
        &mut self,
        game: &Record,
        n_simulations: Option<u64>,
        oracle: &mut dyn Oracle,
        rng: &mut Rng,
    ) {
        let keeps_tree = self.options.keeps_tree && self.options.noise == 0.0;
        let last_root = self.root.take();
        let is_kept = keeps_tree && last_root.is_some_and(|root| self.follow(game, root));
        self.n_evaluations = 0;
        self.history = History::new(game, 0);
        self.root = Some(game.now().boxed());
        if !is_kept {
            self.tree.clear();
            let root = self.tree.add(None);
            let value = self.expand(root, game.now(), oracle);
            self.tree.back_up(root, value);
        }
        self.noise.clear();
        if 0.0 < self.options.noise {
            let scale = self.options.noise;
            self.noise = self.tree.perturb_root(|| scale * gumbel(rng));
        }
        self.n_done = 0;
        self.plan(n_simulations.unwrap_or(self.options.n_considered as u64));
    }

    /// Shares the next `n` simulations among the root's moves by sequential halving, whatever was simulated before.
    pub fn plan(&mut self, n: u64) {
        self.schedule.clear();
        self.before.clear();
        self.n_planned_at = self.n_done;
        if self.options.method == Method::Gumbel {
            self.before.extend(self.tree.edges(ROOT).iter().map(|edge| self.tree.visits(edge)));
            let n_considered = self.options.n_considered.min(self.before.len());
            self.schedule = considered_visits(n_considered, n as usize);
        }
    }

    /// Walks from the old root along the last moves of the game.
    fn follow(&mut self, game: &Record, mut root: Box<dyn Position>) -> bool {
        let pos = game.now();
        let n_steps = usize::from(pos.ply().saturating_sub(root.ply()));
        let Some(first) = game.moves().len().checked_sub(n_steps) else { return false };
        for &m in &game.moves()[first..] {
            if !self.tree.advance(m) {
                return false;
            }
            root.play(m);
        }
        (root.key(), root.ply()) == (pos.key(), pos.ply())
    }

    /// Whether the result of the root is proven.
    pub fn is_solved(&self) -> bool {
        self.tree.nodes[ROOT].proof.is_some()
    }

    /// Whether more simulations cannot change the choice, or there is no space for them.
    pub fn is_settled(&self) -> bool {
        self.is_solved() || MAX_EDGES <= self.tree.n_edges()
    }

    /// Simulations of this search.
    pub fn n_done(&self) -> u64 {
        self.n_done as u64
    }

    /// Positions that the oracle has valued in this search.
    pub fn n_evaluations(&self) -> u64 {
        self.n_evaluations
    }

    /// Bytes held by the tree.
    pub fn memory(&self) -> usize {
        self.tree.memory()
    }

    /// One more simulation: from the root down to a new position or to a proven one.
    ///
    /// # Panics
    /// If no search was begun.
    pub fn simulate(&mut self, oracle: &mut dyn Oracle) {
        let mut pos = self.root.as_ref().expect("a search was begun").boxed();
        if self.schedule.len() <= self.n_done - self.n_planned_at {
            // More simulations than planned: another halving, of twice as many.
            self.plan(2 * self.schedule.len() as u64);
        }
        let (mut node, mut edge) = (ROOT, self.root_edge());
        self.n_done += 1;
        loop {
            let next = self.tree.edges(node)[edge];
            pos.play(next.mv);
            let Some(child) = self.tree.child_idx(&next) else {
                let leaf = self.tree.add(Some((node, edge)));
                let value = self.value_leaf(leaf, &*pos, oracle);
                self.tree.back_up(leaf, value);
                return;
            };
            if let Some(proof) = self.tree.nodes[child].proof {
                self.tree.back_up(child, f64::from(proof.result));
                return;
            }
            node = child;
            edge = self.tree.select(node, &self.options);
        }
    }

    /// The value of a new leaf for the player to move: the result if the game is over, or else the oracle's.
    fn value_leaf(&mut self, leaf: NodeIdx, pos: &dyn Position, oracle: &mut dyn Oracle) -> f64 {
        let result = match pos.outcome() {
            Some(outcome) => Some(match outcome.winner {
                None => 0,
                Some(winner) if winner == pos.turn() => 1,
                Some(_) => -1,
            }),
            None => self.is_repetition(leaf).then_some(0),
        };
        let Some(result) = result else { return self.expand(leaf, pos, oracle) };
        self.tree.prove(leaf, Proof { result, n_plies: 0 });
        f64::from(result)
    }

    /// Gives a node its value, its edges and their logits.
    fn expand(&mut self, node: NodeIdx, pos: &dyn Position, oracle: &mut dyn Oracle) -> f64 {
        self.moves.clear();
        self.logits.clear();
        pos.legal_moves(&mut self.moves);
        let value = oracle.evaluate(pos, &self.moves, &mut self.logits);
        self.n_evaluations += 1;
        self.tree.nodes[node].value = value;
        self.tree.expand(node, &self.moves, &self.logits);
        value.into()
    }

    /// Whether the moves from the root to a leaf lead to a draw by repetition.
    fn is_repetition(&mut self, leaf: NodeIdx) -> bool {
        if !self.history.can_end_within(self.tree.depth(leaf)) {
            return false;
        }
        let root = self.root.as_ref().expect("a search was begun");
        self.history.is_drawn_after(&**root, &self.tree.path(leaf))
    }

    /// The root's edge to simulate next.
    fn root_edge(&self) -> usize {
        let Some(&n_visits) = self.schedule.get(self.n_done - self.n_planned_at) else {
            return self.tree.select(ROOT, &self.options);
        };
        let known = self.tree.known(ROOT, &self.options, |_, edge| edge.prior);
        let edges = self.tree.edges(ROOT);
        let n_considered = self.options.n_considered.min(edges.len());
        let mut best: Option<(bool, f64, usize)> = None;
        for (idx, edge) in edges[..n_considered].iter().enumerate() {
            if self.tree.is_lost(edge) {
                continue;
            }
            let is_due = self.tree.visits(edge) - self.before[idx] == n_visits;
            let value = self.tree.value(edge).unwrap_or(known.mixed);
            let score = f64::from(edge.logit) + known.scale * value;
            if best.is_none_or(|(was_due, most, _)| (was_due, most) < (is_due, score)) {
                best = Some((is_due, score, idx));
            }
        }
        // If all considered moves are lost, the others are left.
        best.map_or_else(|| self.tree.select(ROOT, &self.options), |(_, _, idx)| idx)
    }

    /// How often each root move was simulated, the likeliest first.
    #[cfg(test)]
    pub(super) fn root_visits(&self) -> Vec<u32> {
        let mut visits: Vec<u32> = self.tree.edges(ROOT).iter().map(|edge| self.tree.visits(edge)).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        visits
    }

    /// The best root moves, best first.
    pub fn best(&self, n_moves: usize) -> Vec<RootMove> {
        // Where all tried moves are lost, the likeliest of the others is still open.
        let n_edges = usize::from(self.tree.nodes[ROOT].n_tried) + n_moves;
        let order = self.tree.ranked(ROOT, &self.options, &self.before, n_edges);
        order.into_iter().take(n_moves).map(|idx| self.root_move(idx)).collect()
    }

    fn root_move(&self, idx: usize) -> RootMove {
        let edge = &self.tree.edges(ROOT)[idx];
        let mut line = vec![edge.mv];
        let mut next = self.tree.child_idx(edge);
        let proof = next.and_then(|child| self.tree.nodes[child].proof);
        let value = self.tree.value(edge);
        let value = value.unwrap_or_else(|| self.tree.known(ROOT, &self.options, |_, edge| edge.prior).mixed);
        while let Some(node) = next {
            let n_tried = usize::from(self.tree.nodes[node].n_tried);
            let order = self.tree.ranked(node, &self.options, &[], n_tried);
            let edge = order.first().map(|&best| self.tree.edges(node)[best]);
            let edge = edge.filter(|edge| self.tree.visits(edge) != 0);
            line.extend(edge.map(|edge| edge.mv));
            next = edge.and_then(|edge| self.tree.child_idx(&edge));
        }
        let proof = proof.map(|proof| Proof { result: -proof.result, n_plies: proof.n_plies + 1 });
        RootMove { line, value, proof }
    }

    /// The improved policy: the oracle's logits plus the weighted values that the search found, as probabilities of all
    /// legal moves in ascending order. Returns the value that the position has under it.
    pub fn policy(&self, policy: &mut Vec<(Move, f32)>) -> f64 {
        let edges = self.tree.edges(ROOT);
        let raw = |idx: usize| edges[idx].logit - self.noise.get(idx).copied().unwrap_or(0.0);
        let most = (0..edges.len()).map(raw).fold(f32::NEG_INFINITY, f32::max);
        // Only ratios of priors count in the mixed value.
        let known = self.tree.known(ROOT, &self.options, |idx, _| (raw(idx) - most).exp());
        let completed: Vec<f64> =
            edges.iter().map(|edge| self.tree.value(edge).unwrap_or(known.mixed)).collect();
        let mut weights: Vec<f64> = completed
            .iter()
            .enumerate()
            .map(|(idx, value)| f64::from(raw(idx)) + known.scale * value)
            .collect();
        let most = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for weight in &mut weights {
            *weight = (*weight - most).exp();
            sum += *weight;
        }
        policy.clear();
        policy.extend(edges.iter().zip(&weights).map(|(edge, weight)| (edge.mv, (weight / sum) as f32)));
        policy.sort_unstable_by_key(|&(mv, _)| mv);
        match self.tree.nodes[ROOT].proof {
            Some(proof) => f64::from(proof.result),
            None => completed.iter().zip(&weights).map(|(value, weight)| value * weight / sum).sum(),
        }
    }
}
