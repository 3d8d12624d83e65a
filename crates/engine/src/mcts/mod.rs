//! Search by playouts: a tree that grows where games go well.
//!
//! The tree lies in one vector; a node's children stand side by side. Values are from the view of the
//! player who moved into a node, so that a parent simply takes the largest. A node whose result is
//! proven keeps it, and its parent learns from it: the tree solves what it can.

pub mod options;
mod queue;
mod rollout;
mod tree;

use std::sync::Arc;

use yarra_games::{Game, History, Move, Outcome, Reason, Record};

use crate::agent::position_of;
use crate::eval::Judge;
use crate::profile::{self, Part, time};
use crate::{Agent, AgentError, Budget, Choice, Iteration, Limits, Progress, Score, Stats, Term, Watch};
pub use options::{MctsOptions, Select};
use queue::Queue;
pub use rollout::Rollout;
use tree::{ROOT, Tree};

/// An agent that searches by playouts.
pub struct Mcts<G: Game> {
    judge: Arc<dyn Judge<G>>,
    options: MctsOptions,
    rng: fastrand::Rng,
    tree: Tree,
    queue: Queue,
    history: History,
    /// The position and ply that the tree's root stands for.
    root: Option<G>,
}

impl Rollout {
    /// Playouts from one look at the clock to the next. A greedy one takes up to milliseconds.
    fn n_between_looks(self) -> u64 {
        match self {
            Rollout::Random => 8,
            Rollout::Greedy => 1,
        }
    }
}

impl<G: Game> Mcts<G> {
    /// An agent whose cut rollouts are judged by `judge`.
    pub fn new(judge: Arc<dyn Judge<G>>, options: MctsOptions, seed: u64) -> Mcts<G> {
        Mcts {
            judge,
            options,
            rng: fastrand::Rng::with_seed(seed),
            tree: Tree::default(),
            queue: Queue::default(),
            history: History::default(),
            root: None,
        }
    }

    /// One more playout: picks a leaf, grows it, plays on from it, and tells the way back.
    fn playout(&mut self, root: &G) {
        let (leaf, pos) = match self.options.select {
            Select::Descent => self.tree.descend(root, self.options.exploration),
            Select::Queue => self.queue.best(&self.tree, root, self.options.exploration),
        };
        if let Some(value) = self.tree.proven(leaf) {
            self.tree.back_up(leaf, value);
        } else if let Some(outcome) = pos.outcome().or_else(|| self.repetition(root, leaf)) {
            let value = rollout::value_of(outcome, pos.turn().opponent());
            self.tree.back_up(leaf, value);
            if self.options.solves {
                self.tree.prove(leaf, value);
            }
        } else {
            let is_room = self.tree.len() < self.options.max_nodes;
            if is_room {
                time(Part::Moves, || self.tree.expand(leaf, &pos));
            }
            let value =
                time(Part::Rollouts, || rollout::run(&pos, &self.options, &*self.judge, &mut self.rng));
            self.tree.back_up(leaf, -value);
        }
        if self.options.select == Select::Queue {
            self.queue.refresh(&self.tree, leaf, self.options.exploration);
        }
    }

    /// The draw by repetition, if the moves from the root to a leaf lead to one.
    fn repetition(&mut self, root: &G, leaf: usize) -> Option<Outcome> {
        let depth = self.tree.depth(leaf);
        if !self.history.can_end_within(depth) {
            return None;
        }
        self.history.watch(depth);
        let mut pos = *root;
        let mut n_entered = 0;
        let mut is_drawn = false;
        for m in self.tree.path(leaf) {
            pos.play(m);
            is_drawn = !self.history.enter(&pos);
            if is_drawn {
                break;
            }
            n_entered += 1;
        }
        for _ in 0..n_entered {
            self.history.leave();
        }
        is_drawn.then_some(Outcome { winner: None, reason: Reason::Repetition })
    }

    /// Makes the tree stand for a position, and keeps what is known of it.
    fn settle_root(&mut self, game: &Record, pos: &G) {
        let kept = self.options.keeps_tree && self.root.is_some_and(|root| self.follow(game, root, pos));
        if !kept {
            self.tree = Tree::default();
        }
        self.queue = Queue::default();
        if self.options.select == Select::Queue {
            self.queue.fill(&self.tree, self.options.exploration);
        }
        self.root = Some(*pos);
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

    fn choice(&self) -> Choice {
        let line = self.tree.line();
        let mut choice = Choice::from(line[0]);
        let value = self.tree.value_of_move(line[0]);
        choice.score = Some(self.score(value));
        choice.line = line;
        choice
    }

    /// A mean of results between -1 and 1 as a score in the evaluation's unit.
    fn score(&self, value: f64) -> Score {
        let odds = value.clamp(-0.999, 0.999).atanh();
        Score::from_units(odds / 0.5_f64.atanh() * self.options.scale)
    }
}

impl<G: Game> Agent for Mcts<G> {
    fn begin(&mut self, _: yarra_games::Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.root = None;
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let limits = self.options.bounded(limits);
        let pos = position_of::<G>(game)?;
        let playouts = limits.nodes.or(self.options.playouts);
        let is_open = playouts.is_none() && limits.move_time.is_none();
        let think_time = is_open.then_some(self.options.think_time);
        let hard_time = limits.hard_time().into_iter().chain(think_time).min();
        let mut budget = Budget::start(hard_time, None);
        profile::take();
        self.settle_root(game, &pos);
        self.history = History::new(game, 0);
        if self.tree.is_empty() {
            self.tree.start(&pos);
            self.queue.fill(&self.tree, self.options.exploration);
        }
        let mut stats = Stats::default();
        loop {
            self.playout(&pos);
            stats.playouts += 1;
            let is_enough = playouts.is_some_and(|playouts| playouts <= stats.playouts);
            let is_settled = self.options.solves && self.tree.proven(ROOT).is_some();
            if is_enough || is_settled {
                break;
            }
            if stats.playouts.is_multiple_of(self.options.rollout.n_between_looks()) {
                // The line costs a walk through the tree: it is told whenever the playouts have doubled.
                let best = stats.playouts.is_power_of_two().then(|| self.choice());
                let line = best.as_ref().map_or(&[][..], |best| &best.line);
                let progress = Progress {
                    rank: 0,
                    depth: line.len() as u32,
                    score: best.as_ref().and_then(|best| best.score).unwrap_or_default(),
                    nodes: stats.playouts,
                    line,
                    elapsed: budget.elapsed(),
                };
                if budget.is_spent(0) || watch(&progress).is_break() {
                    break;
                }
            }
        }
        let mut choice = self.choice();
        stats.nodes = stats.playouts;
        stats.elapsed = budget.elapsed();
        stats.memory = self.tree.memory();
        stats.parts = profile::take();
        stats.iterations.push(Iteration {
            depth: choice.line.len() as u32,
            score: choice.score.unwrap_or_default(),
            line: choice.line.clone(),
            nodes: stats.nodes,
            elapsed: stats.elapsed,
        });
        choice.stats = stats;
        Ok(choice)
    }

    /// None where rollouts go to the end: nothing is judged then.
    fn terms(&self, game: &Record) -> Vec<Term> {
        if self.options.cut_after.is_none() {
            return Vec::new();
        }
        position_of::<G>(game).map(|pos| self.judge.terms(&pos)).unwrap_or_default()
    }
}

/// The moves from a node to the root, nearest first, are undone by nobody: the tree stores moves only.
pub(crate) fn replay<G: Game>(root: &G, moves: impl IntoIterator<Item = Move>) -> G {
    let mut pos = *root;
    for m in moves {
        pos.play(m);
    }
    pos
}

#[cfg(test)]
mod tests {
    use yarra_games::cachex::Cachex;

    use super::*;
    use crate::Term;
    use crate::agent::unwatched;

    struct Nothing;

    impl<G: Game> Judge<G> for Nothing {
        fn value(&self, _: &G) -> Score {
            Score::DRAW
        }

        fn terms(&self, _: &G) -> Vec<Term> {
            Vec::new()
        }
    }

    /// What is proven of the move that closes a cycle for the so-manieth time.
    fn proven_after(n_cycles: usize, select: Select) -> Option<f64> {
        let cycle = ["0-2", "1-0", "1-1", "1-2", "1-0", "0-1"];
        let moves = cycle.into_iter().cycle().take(6 * n_cycles - 1);
        let record = Record::read("cachex:4", Some("rb.r/..b./bb.b/.br. r 12"), moves).expect("a cycle");
        let m = record.now().read_move("0-1").expect("a legal move");
        let options = MctsOptions { select, playouts: Some(30), ..MctsOptions::default() };
        let mut agent = Mcts::<Cachex<u64>>::new(Arc::new(Nothing), options, 1);
        agent.choose(&record, Limits::default(), &mut unwatched).expect("a search never fails");
        agent.tree.proven(agent.tree.child_by(ROOT, m).expect("a child"))
    }

    #[test]
    fn the_tree_counts_the_seventh_time_of_a_board_as_a_draw() {
        for select in [Select::Descent, Select::Queue] {
            assert_eq!(proven_after(5, select), None);
            assert_eq!(proven_after(6, select), Some(0.0));
        }
    }
}
