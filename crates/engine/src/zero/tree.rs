//! The tree of a guided search: one node for each position that was valued, one edge for each of its moves.
//!
//! Nodes are made when a simulation reaches them. Edges lie side by side, the most likely move first. A search takes
//! untried moves in that order, so all tried ones are among the first `n_tried`: what a node costs depends on the moves
//! that were tried, not on the hundreds that are legal.

use yarra_games::Move;

/// A node's place in the tree.
pub type NodeIdx = usize;

/// The root's place.
pub const ROOT: NodeIdx = 0;

const NONE: u32 = u32::MAX;

/// A proven result for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
    /// A win takes at most this many plies, a loss at least as many against the moves that were proven.
    pub n_plies: u16,
}

/// One position that was valued.
#[derive(Clone, Debug)]
pub struct Node {
    parent: u32,
    /// The edge that leads here.
    via: u32,
    first_edge: u32,
    n_edges: u16,
    /// All tried edges are among the first so many.
    pub n_tried: u16,
    /// Simulations that have come through here, the one that made the node included.
    pub visits: u32,
    /// The sum of their values for the player to move.
    pub total: f64,
    /// The oracle's value for the player to move.
    pub value: f32,
    /// The result, once it is proven.
    pub proof: Option<Proof>,
}

impl Node {
    /// The mean value for the player to move, or the proven result.
    pub fn mean(&self) -> f64 {
        match self.proof {
            Some(proof) => f64::from(proof.result),
            None => self.total / f64::from(self.visits.max(1)),
        }
    }
}

/// One legal move of a node.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move.
    pub mv: Move,
    child: u32,
    /// The oracle's logit.
    pub logit: f32,
    /// The probability that follows from all logits of the node.
    pub prior: f32,
}

/// All nodes, the root first, and their edges.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    edges: Vec<Edge>,
}

impl Tree {
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.edges.capacity() * size_of::<Edge>()
    }

    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a node, the most likely first.
    pub fn edges(&self, node: NodeIdx) -> &[Edge] {
        let node = &self.nodes[node];
        &self.edges[node.first_edge as usize..][..usize::from(node.n_edges)]
    }

    /// The node that an edge leads to, if a simulation has reached it.
    pub fn child(&self, edge: &Edge) -> Option<&Node> {
        (edge.child != NONE).then(|| &self.nodes[edge.child as usize])
    }

    /// The place of the node that an edge leads to.
    pub fn child_idx(&self, edge: &Edge) -> Option<NodeIdx> {
        (edge.child != NONE).then_some(edge.child as usize)
    }

    pub fn parent(&self, node: NodeIdx) -> Option<NodeIdx> {
        (node != ROOT).then(|| self.nodes[node].parent as usize)
    }

    /// Adds a node without edges: the root, or the child by an edge of a node.
    pub fn add(&mut self, parent: Option<(NodeIdx, usize)>) -> NodeIdx {
        let idx = self.nodes.len();
        let (parent, via) = match parent {
            Some((parent, edge)) => {
                let via = self.nodes[parent].first_edge + edge as u32;
                self.edges[via as usize].child = idx as u32;
                let node = &mut self.nodes[parent];
                node.n_tried = node.n_tried.max(edge as u16 + 1);
                (parent as u32, via)
            }
            None => (0, 0),
        };
        let first_edge = self.edges.len() as u32;
        let (n_edges, n_tried, visits) = (0, 0, 0);
        self.nodes.push(Node {
            parent,
            via,
            first_edge,
            n_edges,
            n_tried,
            visits,
            total: 0.0,
            value: 0.0,
            proof: None,
        });
        idx
    }

    /// Gives the newest node its edges.
    pub fn expand(&mut self, node: NodeIdx, moves: &[Move], logits: &[f32]) {
        let first = self.edges.len();
        let edges = moves.iter().zip(logits);
        self.edges.extend(edges.map(|(&mv, &logit)| Edge { mv, child: NONE, logit, prior: 0.0 }));
        self.nodes[node].first_edge = first as u32;
        self.nodes[node].n_edges = moves.len() as u16;
        arrange(&mut self.edges[first..]);
    }

    /// Adds to the logits of the root before any of its moves was tried. Returns what was added in the new order.
    pub fn perturb_root(&mut self, mut noise: impl FnMut() -> f32) -> Vec<f32> {
        let node = &self.nodes[ROOT];
        debug_assert!(node.n_tried == 0);
        let edges = &mut self.edges[node.first_edge as usize..][..usize::from(node.n_edges)];
        // The order of the moves, so that the noise of a move does not depend on what the oracle thinks of others.
        edges.sort_unstable_by_key(|edge| edge.mv);
        let mut added = Vec::with_capacity(edges.len());
        for edge in edges.iter_mut() {
            let noise = noise();
            edge.logit += noise;
            added.push((edge.mv, noise));
        }
        arrange(edges);
        let noise_of = |edge: &Edge| added[added.partition_point(|&(mv, _)| mv < edge.mv)].1;
        edges.iter().map(noise_of).collect()
    }

    /// Backs up a value for the player to move at a leaf.
    pub fn back_up(&mut self, leaf: NodeIdx, value: f64) {
        let (mut next, mut value) = (Some(leaf), value);
        while let Some(idx) = next {
            let node = &mut self.nodes[idx];
            node.visits += 1;
            node.total += value;
            value = -value;
            next = self.parent(idx);
        }
    }

    /// Notes a proven result, and what follows from it above.
    pub fn prove(&mut self, leaf: NodeIdx, proof: Proof) {
        self.nodes[leaf].proof = Some(proof);
        let mut idx = leaf;
        while let Some(parent) = self.parent(idx) {
            let proof = self.nodes[idx].proof.expect("it was just proven");
            let Some(proof) = self.follows(parent, proof) else { return };
            self.nodes[parent].proof = Some(proof);
            idx = parent;
        }
    }

    /// The result of a node one of whose children was just proven. A lost child wins; otherwise all must be known.
    fn follows(&self, parent: NodeIdx, of_child: Proof) -> Option<Proof> {
        if of_child.result < 0 {
            return Some(Proof { result: 1, n_plies: of_child.n_plies + 1 });
        }
        let mut best = Proof { result: -1, n_plies: 0 };
        for edge in self.edges(parent) {
            let proof = self.child(edge)?.proof?;
            let (result, n_plies) = (-proof.result, proof.n_plies + 1);
            // The longest defense, or the longest draw.
            if (best.result, best.n_plies) < (result, n_plies) {
                best = Proof { result, n_plies };
            }
        }
        Some(best)
    }

    /// Makes the child by a move the root. `false` if the tree does not know it.
    pub fn advance(&mut self, m: Move) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let Some(edge) = self.edges(ROOT).iter().find(|edge| edge.mv == m) else { return false };
        let Some(child) = self.child_idx(edge).filter(|&child| self.nodes[child].n_edges != 0) else {
            return false;
        };
        let mut kept = Tree::default();
        kept.nodes.push(Node { parent: 0, via: 0, ..self.nodes[child].clone() });
        let mut next = 0;
        while next < kept.nodes.len() {
            let node = &kept.nodes[next];
            let range = node.first_edge as usize..node.first_edge as usize + usize::from(node.n_edges);
            let first = kept.edges.len();
            kept.edges.extend_from_slice(&self.edges[range]);
            kept.nodes[next].first_edge = first as u32;
            for via in first..kept.edges.len() {
                if kept.edges[via].child != NONE {
                    let child = self.nodes[kept.edges[via].child as usize].clone();
                    kept.edges[via].child = kept.nodes.len() as u32;
                    kept.nodes.push(Node { parent: next as u32, via: via as u32, ..child });
                }
            }
            next += 1;
        }
        *self = kept;
        true
    }

    /// The number of moves from the root to a node.
    pub fn depth(&self, node: NodeIdx) -> u32 {
        std::iter::successors(self.parent(node), |&node| self.parent(node)).count() as u32
    }

    /// The moves that lead from the root to a node.
    pub fn path(&self, mut node: NodeIdx) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some(parent) = self.parent(node) {
            moves.push(self.edges[self.nodes[node].via as usize].mv);
            node = parent;
        }
        moves.reverse();
        moves
    }
}

/// Sorts edges, the most likely first, and sets their priors.
fn arrange(edges: &mut [Edge]) {
    edges.sort_unstable_by(|a, b| b.logit.total_cmp(&a.logit).then(a.mv.cmp(&b.mv)));
    let Some(most) = edges.first().map(|edge| edge.logit) else { return };
    let mut sum = 0.0;
    for edge in edges.iter_mut() {
        edge.prior = (edge.logit - most).exp();
        sum += edge.prior;
    }
    for edge in edges.iter_mut() {
        // Never zero, so that logarithms and shares stay finite.
        edge.prior = (edge.prior / sum).max(1e-30);
    }
}
