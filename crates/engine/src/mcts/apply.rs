//! Applying values: back them up, prove what follows, and tell the queue.

use yarra_games::Game;

use super::gather::{Leaf, TreeSearch};
use super::tree::{NodeIdx, Tree};

impl<G: Game> TreeSearch<G> {
    /// Backs up the value of a leaf, from -1 to 1 for the player to move there. Priors, if there are any, are
    /// probabilities of the legal moves in their order.
    pub fn apply(&mut self, leaf: Leaf<G>, value: f64, priors: Option<&[f32]>) {
        if let Some(priors) = priors {
            self.tree.set_priors(leaf.node, priors);
        }
        self.tree.back_up(leaf.node, -value, 1);
        self.refresh(leaf.node);
    }
}

impl Tree {
    /// Counts a lost visit for everyone on the path to a leaf, until its value is backed up.
    pub fn add_virtual_loss(&mut self, leaf: NodeIdx) {
        let mut next = Some(leaf);
        while let Some(node) = next {
            self.nodes[node].virtual_losses += 1;
            next = self.parent(node);
        }
    }

    /// Backs up a result, in the view of the player who moved into the leaf, and takes virtual losses back.
    pub fn back_up(&mut self, leaf: NodeIdx, value: f64, n_virtual_losses: u16) {
        let (mut next, mut value) = (Some(leaf), value as f32);
        while let Some(node) = next {
            self.nodes[node].visits += 1;
            self.nodes[node].virtual_losses -= n_virtual_losses;
            self.nodes[node].total += value;
            value = -value;
            next = self.parent(node);
        }
    }

    /// Notes a proven result, and what follows from it above.
    pub fn prove(&mut self, leaf: NodeIdx, value: f64) {
        self.nodes[leaf].proven = Some(value as i8);
        let mut node = leaf;
        while let Some(parent) = self.parent(node) {
            // The parent's mover loses if one child is won, and otherwise waits for all to be known.
            let results = self.children(parent).map(|child| self.nodes[child].proven);
            let best = results.clone().flatten().max();
            let is_certain = best == Some(1) || results.clone().all(|result| result.is_some());
            let (Some(best), true) = (best, is_certain) else { return };
            self.nodes[parent].proven = Some(-best);
            node = parent;
        }
    }
}
