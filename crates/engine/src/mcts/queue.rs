//! Best-first choice of leaves: one priority queue over the whole tree instead of a walk by the best bound.
//!
//! The priority of a leaf is the lowest bound on its path: every mover on the way must want to go there. A playout
//! changes the bounds of all nodes on its path and of their siblings, and so the priorities of nearly all leaves. A
//! heap would hold old ones, so the queue is a tournament along the tree: each node knows its best leaf, and a change
//! is settled on the path alone.

use yarra_games::Game;

use super::gather::replay;
use super::tree::{NodeIdx, ROOT, Tree};

/// The best leaf below each node.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    winners: Vec<Option<Winner>>,
}

/// A leaf and the lowest bound on the way to it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Winner {
    priority: f64,
    leaf: NodeIdx,
}

impl Queue {
    /// Takes in all leaves of a tree.
    pub fn fill(&mut self, tree: &Tree, exploration: f64) {
        self.winners = vec![None; tree.len()];
        // Children come after their parents.
        for node in (ROOT..tree.len()).rev() {
            self.winners[node] = self.winner(tree, node, exploration);
        }
    }

    /// The leaf with the highest priority and its position.
    pub fn best<G: Game>(&self, tree: &Tree, root: &G, exploration: f64) -> (NodeIdx, G) {
        match self.winners[ROOT] {
            Some(winner) => (winner.leaf, replay(root, tree.path(winner.leaf))),
            // All leaves are proven or wait for their values: the descent from the root handles them.
            None => tree.descend(root, exploration),
        }
    }

    /// Takes in what has changed at a leaf and on the path to it.
    pub fn refresh(&mut self, tree: &Tree, leaf: NodeIdx, exploration: f64) {
        for child in self.winners.len()..tree.len() {
            self.winners.push(self.winner(tree, child, exploration));
        }
        for node in std::iter::successors(Some(leaf), |&node| tree.parent(node)) {
            self.winners[node] = self.winner(tree, node, exploration);
        }
    }

    /// The best leaf at or below a node, by the bounds below the node. None below a proven result, nor below a leaf
    /// that waits for its value.
    fn winner(&self, tree: &Tree, node: NodeIdx, exploration: f64) -> Option<Winner> {
        if tree.proven(node).is_some() || tree.is_waiting(node) {
            return None;
        }
        if tree.children(node).is_empty() {
            return Some(Winner { priority: f64::INFINITY, leaf: node });
        }
        let mut best: Option<Winner> = None;
        for child in tree.children(node) {
            let Some(winner) = self.winners[child] else { continue };
            let priority = winner.priority.min(tree.bound(child, exploration));
            // The first of equals, so that a search can be repeated.
            if best.is_none_or(|best| best.priority < priority) {
                best = Some(Winner { priority, ..winner });
            }
        }
        best
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.winners.capacity() * size_of::<Option<Winner>>()
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::cachex::Cachex;
    use yarra_games::{Position, Record};

    use super::*;
    use crate::agent::position_of;
    use crate::mcts::{MctsOptions, Select, TreeSearch};

    /// The lowest bound on the path to a leaf, from scratch.
    fn priority(tree: &Tree, leaf: NodeIdx, exploration: f64) -> f64 {
        let above = std::iter::successors(Some(leaf), |&node| tree.parent(node));
        above
            .filter(|&node| node != ROOT)
            .map(|node| tree.bound(node, exploration))
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_queue_offers_the_best_of_all_leaves_after_every_playout() {
        let record = Record::read("cachex:4", None, ["0-0"]).expect("a game");
        let root = position_of::<Cachex<u64>>(&record).expect("a position");
        let options = MctsOptions { select: Select::Queue, ..MctsOptions::default() };
        let mut search = TreeSearch::new(options);
        search.set_root(&record, &root);
        for _ in 0..600 {
            let tree = &search.tree;
            let is_settled = |&leaf: &NodeIdx| {
                let mut above = std::iter::successors(Some(leaf), |&node| tree.parent(node));
                above.any(|node| tree.proven(node).is_some())
            };
            let leaves = (ROOT..tree.len()).filter(|&node| tree.children(node).is_empty());
            let open = leaves.filter(|leaf| !is_settled(leaf));
            let priorities = open.map(|leaf| priority(tree, leaf, options.exploration));
            let Some(best) = priorities.max_by(f64::total_cmp) else { break };
            let (leaf, _) = search.queue.best(tree, &root, options.exploration);
            assert_eq!(priority(tree, leaf, options.exploration), best);
            if let Some(leaf) = search.gather() {
                let value = (leaf.pos.key() % 2001) as f64 / 1000.0 - 1.0;
                search.apply(leaf, value, None);
            }
        }
    }
}
