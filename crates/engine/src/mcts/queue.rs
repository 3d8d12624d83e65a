//! Best-first choice of leaves: one queue for the whole tree instead of a walk from its root.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use yarra_games::Game;

use super::gather::replay;
use super::tree::{NodeIdx, ROOT, Tree};

/// The leaves by their priority. A changed entry is pushed again, and the stale one is skipped when it is popped: a
/// heap cannot update entries in place.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    heap: BinaryHeap<Entry>,
    /// The current priority of each node.
    priorities: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    priority: f64,
    leaf: NodeIdx,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> Ordering {
        // The first of equals, so that a search can be repeated.
        self.priority.total_cmp(&other.priority).then(other.leaf.cmp(&self.leaf))
    }
}

impl Queue {
    /// Takes in all leaves of a tree.
    pub fn fill(&mut self, tree: &Tree, exploration: f64) {
        for node in ROOT..tree.len() {
            if tree.children(node).is_empty() {
                self.push(tree, node, exploration);
            }
        }
    }

    /// The leaf with the highest priority and its position.
    pub fn best<G: Game>(&mut self, tree: &Tree, root: &G, exploration: f64) -> (NodeIdx, G) {
        while let Some(Entry { priority, leaf }) = self.heap.pop() {
            let is_current = self.priorities.get(leaf) == Some(&priority);
            if is_current && tree.children(leaf).is_empty() && !tree.is_settled(leaf) {
                return (leaf, replay(root, tree.path(leaf)));
            }
        }
        // All other leaves are proven or wait for their values: the descent from the root handles them.
        tree.descend(root, exploration)
    }

    /// Takes in what a playout from a leaf has changed: the leaf or its new children, and its siblings.
    pub fn refresh(&mut self, tree: &Tree, leaf: NodeIdx, exploration: f64) {
        if tree.children(leaf).is_empty() {
            self.push(tree, leaf, exploration);
        }
        for child in tree.children(leaf) {
            self.push(tree, child, exploration);
        }
        let Some(parent) = tree.parent(leaf) else { return };
        for sibling in tree.children(parent) {
            if sibling != leaf && tree.children(sibling).is_empty() {
                self.push(tree, sibling, exploration);
            }
        }
    }

    fn push(&mut self, tree: &Tree, leaf: NodeIdx, exploration: f64) {
        if tree.proven(leaf).is_some() {
            return;
        }
        let priority = priority(tree, leaf, exploration);
        if self.priorities.len() <= leaf {
            self.priorities.resize(leaf + 1, f64::NAN);
        }
        if self.priorities[leaf] != priority {
            self.priorities[leaf] = priority;
            self.heap.push(Entry { priority, leaf });
        }
    }
}

/// The mean of the bounds on the way to a leaf: every mover on it must want to go there.
fn priority(tree: &Tree, leaf: NodeIdx, exploration: f64) -> f64 {
    const UNTRIED: f64 = 10.0;
    let (mut total, mut n_nodes) = (0.0, 0.0);
    let mut node = leaf;
    while let Some(parent) = tree.parent(node) {
        total += tree.bound(node, exploration).clamp(-UNTRIED, UNTRIED);
        n_nodes += 1.0;
        node = parent;
    }
    total / f64::max(n_nodes, 1.0)
}
