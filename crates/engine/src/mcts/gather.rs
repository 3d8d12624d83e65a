//! Gathering leaves: select, expand, and resolve what needs no value.

use yarra_games::{Game, History, Move, Outcome, Reason, Record};

use super::queue::Queue;
use super::rollout::value_of;
use super::tree::{NodeIdx, ROOT, Tree};
use super::{MctsOptions, Select};
use crate::profile::{Part, time};

/// A tree that grows from one position, leaf by leaf.
pub struct TreeSearch<G: Game> {
    pub(super) options: MctsOptions,
    pub(super) tree: Tree,
    pub(super) queue: Queue,
    history: History,
    /// The position of the tree's root.
    root: Option<G>,
}

/// A leaf that waits for its value. It must be given back by [`TreeSearch::apply`] before the root is set again.
#[derive(Debug)]
pub struct Leaf<G> {
    pub(super) node: NodeIdx,
    /// Its position, in which the game is not over.
    pub pos: G,
}

impl<G: Game> TreeSearch<G> {
    /// A search without a root.
    pub fn new(options: MctsOptions) -> TreeSearch<G> {
        let (tree, queue, history) = (Tree::default(), Queue::default(), History::default());
        TreeSearch { options, tree, queue, history, root: None }
    }

    /// Forgets the tree: another game begins.
    pub fn forget(&mut self) {
        self.root = None;
    }

    /// Moves the root to the last position of a game, and keeps what is known of it if the options say so.
    pub fn set_root(&mut self, game: &Record, pos: &G) {
        let is_kept = self.options.keeps_tree && self.root.is_some_and(|root| self.follow(game, root, pos));
        if !is_kept {
            self.tree = Tree::default();
            self.tree.start(pos);
        }
        self.queue = Queue::default();
        if self.options.select == Select::Queue {
            self.queue.fill(&self.tree, self.options.exploration);
        }
        self.history = History::new(game, 0);
        self.root = Some(*pos);
    }

    /// Sets the prior probabilities of the root's moves, in the order of the legal moves.
    pub fn set_root_priors(&mut self, priors: &[f32]) {
        self.tree.set_priors(ROOT, priors);
    }

    /// Whether the result of the root is proven.
    pub fn is_solved(&self) -> bool {
        self.options.solves && self.tree.proven(ROOT).is_some()
    }

    /// Walks from the old root along the last moves of the game.
    fn follow(&mut self, game: &Record, mut root: G, pos: &G) -> bool {
        let n_steps = usize::from(pos.ply().saturating_sub(root.ply()));
        let moves = game.moves();
        if moves.len() < n_steps {
            return false;
        }
        for &m in &moves[moves.len() - n_steps..] {
            let mut legal = Vec::new();
            root.legal_moves(&mut legal);
            if !legal.contains(&m) || !self.tree.advance(m) {
                return false;
            }
            root.play(m);
        }
        root == *pos
    }

    /// Selects the next leaf and expands it. Until its value is applied it counts as lost, so that the next one
    /// is found elsewhere. `None` if the result of the leaf was known: it is backed up already.
    ///
    /// # Panics
    /// If no root was set.
    pub fn gather(&mut self) -> Option<Leaf<G>> {
        let root = self.root.expect("a root was set");
        let (node, pos) = match self.options.select {
            Select::Descent => self.tree.descend(&root, self.options.exploration),
            Select::Queue => self.queue.best(&self.tree, &root, self.options.exploration),
        };
        if let Some(value) = self.tree.proven(node) {
            self.tree.back_up(node, value, 0);
        } else if let Some(outcome) = pos.outcome().or_else(|| self.repetition(&root, node)) {
            let value = value_of(outcome, pos.turn().opponent());
            self.tree.back_up(node, value, 0);
            if self.options.solves {
                self.tree.prove(node, value);
            }
        } else {
            if self.tree.len() < self.options.max_nodes {
                time(Part::Moves, || self.tree.expand(node, &pos));
            }
            self.tree.add_virtual_loss(node);
            self.refresh(node);
            return Some(Leaf { node, pos });
        }
        self.refresh(node);
        None
    }

    /// Tells the queue what has changed at a leaf and on the path to it.
    pub(super) fn refresh(&mut self, node: NodeIdx) {
        if self.options.select == Select::Queue {
            self.queue.refresh(&self.tree, node, self.options.exploration);
        }
    }

    /// The draw by repetition, if the moves from the root to a leaf lead to one.
    fn repetition(&mut self, root: &G, leaf: NodeIdx) -> Option<Outcome> {
        let can_end = self.history.can_end_within(self.tree.depth(leaf));
        let is_drawn = can_end && self.history.is_drawn_after(root, &self.tree.path(leaf));
        is_drawn.then_some(Outcome { winner: None, reason: Reason::Repetition })
    }
}

/// The position after some moves: nodes hold moves only.
pub(super) fn replay<G: Game>(root: &G, moves: impl IntoIterator<Item = Move>) -> G {
    let mut pos = *root;
    for m in moves {
        pos.play(m);
    }
    pos
}
