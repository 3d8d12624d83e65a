//! The tree of a search by playouts: nodes in one vector, the children of a node side by side.

use yarra_games::{Game, Move, MoveList};

/// A node's place in the tree.
pub type NodeIdx = usize;

/// The root's place.
pub const ROOT: NodeIdx = 0;

/// One position that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeNode {
    parent: u32,
    first_child: u32,
    n_children: u16,
    mv: Move,
    /// Playouts that have come back through here.
    pub visits: u32,
    /// Playouts through here whose leaves wait for their values: until then each counts as a lost visit.
    pub virtual_losses: u16,
    /// The sum of results for the player who moved here, each from -1 to 1.
    pub total: f32,
    /// The prior probability of the move, relative to a uniform one: it weighs exploration.
    prior: f32,
    /// The proven result for the player who moved here.
    pub proven: Option<i8>,
}

/// All nodes; the root comes first.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<TreeNode>,
}

impl Tree {
    /// Begins with a root and its children.
    pub fn start<G: Game>(&mut self, pos: &G) {
        self.nodes.clear();
        self.nodes.push(TreeNode::new(0, Move(u16::MAX)));
        self.expand(ROOT, pos);
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode>()
    }

    pub fn children(&self, node: NodeIdx) -> std::ops::Range<NodeIdx> {
        let node = &self.nodes[node];
        let first = node.first_child as usize;
        first..first + usize::from(node.n_children)
    }

    /// The child that a move leads to.
    pub fn child_by(&self, node: NodeIdx, m: Move) -> Option<NodeIdx> {
        self.children(node).find(|&child| self.nodes[child].mv == m)
    }

    /// The proven result for the player who moved into a node.
    pub fn proven(&self, node: NodeIdx) -> Option<f64> {
        self.nodes[node].proven.map(f64::from)
    }

    pub fn parent(&self, node: NodeIdx) -> Option<NodeIdx> {
        (node != ROOT).then(|| self.nodes[node].parent as usize)
    }

    /// Whether a node was gathered as a leaf and its first value is not known yet.
    pub fn is_waiting(&self, idx: NodeIdx) -> bool {
        let node = &self.nodes[idx];
        idx != ROOT && node.visits == 0 && 0 < node.virtual_losses
    }

    /// How many moves lead from the root to a node.
    pub fn depth(&self, node: NodeIdx) -> u32 {
        std::iter::successors(self.parent(node), |&node| self.parent(node)).count() as u32
    }

    /// The moves that lead from the root to a node.
    pub fn path(&self, mut node: NodeIdx) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some(parent) = self.parent(node) {
            moves.push(self.nodes[node].mv);
            node = parent;
        }
        moves.reverse();
        moves
    }

    /// Adds all children of a leaf.
    pub fn expand<G: Game>(&mut self, leaf: NodeIdx, pos: &G) {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        self.nodes[leaf].first_child = self.nodes.len() as u32;
        self.nodes[leaf].n_children = moves.len() as u16;
        self.nodes.extend(moves.into_iter().map(|m| TreeNode::new(leaf, m)));
    }

    /// From the root down by the best bound, to a node without children.
    pub fn descend<G: Game>(&self, root: &G, exploration: f64) -> (NodeIdx, G) {
        let (mut node, mut pos) = (ROOT, *root);
        while !self.children(node).is_empty() && (node == ROOT || self.proven(node).is_none()) {
            let by_bound = |&a: &NodeIdx, &b: &NodeIdx| {
                let [first, second] = [a, b].map(|child| self.bound(child, exploration));
                let by_prior = || self.nodes[a].prior.total_cmp(&self.nodes[b].prior);
                first.total_cmp(&second).then_with(by_prior)
            };
            // The first of equals, so that a search can be repeated.
            node = self.children(node).rev().max_by(by_bound).expect("a node with children");
            pos.play(self.nodes[node].mv);
        }
        (node, pos)
    }

    /// The upper confidence bound of a node in its mover's view: the node with the highest one gets the next playout.
    pub fn bound(&self, idx: NodeIdx, exploration: f64) -> f64 {
        let node = &self.nodes[idx];
        if let Some(result) = node.proven {
            // A proven loss for the mover is never tried again while there is anything else.
            return if result < 0 { f64::NEG_INFINITY } else { f64::from(result) };
        }
        let visits = node.visits + u32::from(node.virtual_losses);
        if visits == 0 {
            return f64::INFINITY;
        }
        let parent = &self.nodes[node.parent as usize];
        let (visits, total) = (f64::from(visits), f64::from(node.total) - f64::from(node.virtual_losses));
        let parent_visits = f64::from((parent.visits + u32::from(parent.virtual_losses)).max(1));
        total / visits + exploration * f64::from(node.prior) * (parent_visits.ln() / visits).sqrt()
    }

    /// Gives the children of a node their prior probabilities, in the order of the legal moves.
    pub fn set_priors(&mut self, node: NodeIdx, priors: &[f32]) {
        let children = self.children(node);
        // Relative to a uniform prior, so that uniform ones change nothing.
        let n_children = children.len() as f32;
        for (child, prior) in children.zip(priors) {
            self.nodes[child].prior = prior * n_children;
        }
    }

    /// Makes the child by a move the root. `false` if the tree does not know the move.
    pub fn advance(&mut self, m: Move) -> bool {
        if self.is_empty() {
            return false;
        }
        let Some(child) = self.child_by(ROOT, m) else { return false };
        if self.children(child).is_empty() {
            return false;
        }
        // Copies the part below the child breadth first, so that siblings stay side by side.
        let mut kept = vec![TreeNode { parent: 0, ..self.nodes[child] }];
        let mut next = 0;
        while next < kept.len() {
            let node = kept[next];
            let first = kept.len() as u32;
            let range = node.first_child as usize..node.first_child as usize + usize::from(node.n_children);
            kept.extend(self.nodes[range].iter().map(|child| TreeNode { parent: next as u32, ..*child }));
            kept[next].first_child = first;
            next += 1;
        }
        self.nodes = kept;
        true
    }

    /// The child of a node to play: a proven win, or else the most visited one that is no proven loss.
    fn best_child(&self, node: NodeIdx) -> Option<NodeIdx> {
        self.children(node).rev().max_by_key(|&child| {
            let node = &self.nodes[child];
            (node.proven == Some(1), node.proven != Some(-1), node.visits)
        })
    }

    /// The principal variation.
    pub fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut node = ROOT;
        while let Some(child) = self.best_child(node)
            && (node == ROOT || 0 < self.nodes[child].visits)
        {
            line.push(self.nodes[child].mv);
            node = child;
        }
        line
    }

    /// The mean result of a move at the root, or its proven one.
    pub fn value_of_move(&self, m: Move) -> f64 {
        let Some(child) = self.child_by(ROOT, m) else { return 0.0 };
        let node = &self.nodes[child];
        match node.proven {
            Some(result) => result.into(),
            None => f64::from(node.total) / f64::from(node.visits.max(1)),
        }
    }
}

impl TreeNode {
    fn new(parent: NodeIdx, mv: Move) -> TreeNode {
        let parent = parent as u32;
        TreeNode {
            parent,
            first_child: 0,
            n_children: 0,
            mv,
            visits: 0,
            virtual_losses: 0,
            total: 0.0,
            prior: 1.0,
            proven: None,
        }
    }
}
