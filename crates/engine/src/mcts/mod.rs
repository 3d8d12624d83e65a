//! Monte Carlo tree search.
//!
//! [`TreeSearch`] grows a tree in two steps: [`gather`](TreeSearch::gather) selects and expands a leaf that needs a
//! value, [`apply`](TreeSearch::apply) backs its value up. Several leaves can be gathered before the first is
//! applied, so that an evaluator can take them as a batch. [`Mcts`] is the agent that values one leaf at a time by
//! a rollout.
//!
//! Values are from the view of the player who moved into a node, so that a parent takes the largest. A node whose
//! result is proven keeps it, and its parent learns from it: the tree solves what it can.

mod apply;
mod gather;
pub mod options;
mod queue;
mod rollout;
mod tree;

use std::sync::Arc;

use yarra_games::{Game, Record};

use crate::agent::position_of;
use crate::eval::Judge;
use crate::profile::{self, Part, time};
use crate::{Agent, AgentError, Budget, Choice, Iteration, Limits, Progress, Score, Stats, Term, Watch};
pub use gather::{Leaf, TreeSearch};
pub use options::{MctsOptions, Select};
pub use rollout::Rollout;

/// An agent that searches by playouts.
pub struct Mcts<G: Game> {
    judge: Arc<dyn Judge<G>>,
    options: MctsOptions,
    rng: fastrand::Rng,
    search: TreeSearch<G>,
}

impl Rollout {
    /// Playouts from one check of the clock to the next. A greedy one takes up to milliseconds.
    fn n_between_checks(self) -> u64 {
        match self {
            Rollout::Random => 8,
            Rollout::Greedy | Rollout::Minimax => 1,
        }
    }
}

impl<G: Game> Mcts<G> {
    /// An agent whose cut rollouts are evaluated by `judge`.
    pub fn new(judge: Arc<dyn Judge<G>>, options: MctsOptions, seed: u64) -> Mcts<G> {
        Mcts { judge, options, rng: fastrand::Rng::with_seed(seed), search: TreeSearch::new(options) }
    }

    /// One more playout.
    fn playout(&mut self, budget: Budget) {
        if let Some(leaf) = self.search.gather() {
            let value = time(Part::Rollouts, || {
                rollout::run(&leaf.pos, &self.options, &*self.judge, &mut self.rng, budget)
            });
            self.search.apply(leaf, value, None);
        }
    }

    fn choice(&self) -> Choice {
        let line = self.search.tree.line();
        let mut choice = Choice::from(line[0]);
        let value = self.search.tree.value_of_move(line[0]);
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
        self.search.forget();
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
        self.search.set_root(game, &pos);
        let mut stats = Stats::default();
        loop {
            self.playout(budget);
            stats.playouts += 1;
            let is_enough = playouts.is_some_and(|playouts| playouts <= stats.playouts);
            let is_settled = self.search.is_solved();
            if is_enough || is_settled {
                break;
            }
            if stats.playouts.is_multiple_of(self.options.rollout.n_between_checks()) {
                // The principal variation costs a walk through the tree: it is reported when the playouts have doubled.
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
        stats.memory = self.search.tree.memory() + self.search.queue.memory();
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

    /// None where rollouts go to the end: nothing is evaluated then.
    fn terms(&self, game: &Record) -> Vec<Term> {
        if self.options.cut_after.is_none() {
            return Vec::new();
        }
        position_of::<G>(game).map(|pos| self.judge.terms(&pos)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::cachex::Cachex;

    use super::tree::ROOT;
    use super::*;
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

    /// What is proven of the move that closes a cycle for the nth time.
    fn proven_after(n_cycles: usize, select: Select) -> Option<f64> {
        let cycle = ["0-2", "1-0", "1-1", "1-2", "1-0", "0-1"];
        let moves = cycle.into_iter().cycle().take(6 * n_cycles - 1);
        let record = Record::read("cachex:4", Some("rb.r/..b./bb.b/.br. r 12"), moves).expect("a cycle");
        let m = record.now().read_move("0-1").expect("a legal move");
        let options = MctsOptions { select, playouts: Some(30), ..MctsOptions::default() };
        let mut agent = Mcts::<Cachex<u64>>::new(Arc::new(Nothing), options, 1);
        agent.choose(&record, Limits::default(), &mut unwatched).expect("a search never fails");
        agent.search.tree.proven(agent.search.tree.child_by(ROOT, m).expect("a child"))
    }

    #[test]
    fn the_tree_counts_the_seventh_time_of_a_board_as_a_draw() {
        for select in [Select::Descent, Select::Queue] {
            assert_eq!(proven_after(5, select), None);
            assert_eq!(proven_after(6, select), Some(0.0));
        }
    }

    /// A value and priors that follow from a position's key alone.
    struct Toy;

    impl<G: Game> Judge<G> for Toy {
        fn value(&self, pos: &G) -> Score {
            Score((pos.key() % 2001) as i32 - 1000)
        }

        fn terms(&self, _: &G) -> Vec<Term> {
            Vec::new()
        }
    }

    type Small = Cachex<u64>;

    /// Searches with batches of leaves that are valued together; `priors` are those of the first legal moves.
    fn by_batches(record: &Record, options: MctsOptions, batch: usize, priors: &[f32]) -> TreeSearch<Small> {
        let mut search = TreeSearch::new(options);
        search.set_root(record, &position_of::<Small>(record).expect("a position"));
        search.set_root_priors(priors);
        for _ in 0..400 / batch {
            let leaves: Vec<_> = (0..batch).filter_map(|_| search.gather()).collect();
            for leaf in leaves {
                let value = rollout::run(
                    &leaf.pos,
                    &options,
                    &Toy,
                    &mut fastrand::Rng::with_seed(0),
                    Budget::start(None, None),
                );
                search.apply(leaf, value, Some(priors));
            }
        }
        search
    }

    #[test]
    fn batches_of_one_leaf_are_the_sequential_search() {
        let record = Record::read("cachex:5", None, ["0-0"]).expect("a game");
        for select in [Select::Descent, Select::Queue] {
            let options =
                MctsOptions { select, cut_after: Some(0), playouts: Some(400), ..MctsOptions::default() };
            let mut agent = Mcts::<Small>::new(Arc::new(Toy), options, 1);
            let choice =
                agent.choose(&record, Limits::default(), &mut unwatched).expect("a search never fails");
            let search = by_batches(&record, options, 1, &[]);
            assert!(search.tree.nodes == agent.search.tree.nodes, "{select:?}");
            assert_eq!(search.tree.line(), choice.line);
        }
    }

    #[test]
    fn a_batch_has_different_leaves_and_leaves_no_virtual_loss_behind() {
        let record = Record::read("cachex:5", None, ["0-0"]).expect("a game");
        for select in [Select::Descent, Select::Queue] {
            let options = MctsOptions { select, cut_after: Some(0), ..MctsOptions::default() };
            let mut search = by_batches(&record, options, 8, &[]);
            assert!(search.tree.nodes.iter().all(|node| node.virtual_losses == 0));
            assert_eq!(search.tree.nodes[ROOT].visits, 400);
            let leaves: Vec<_> = (0..8).map(|_| search.gather().expect("nothing is decided")).collect();
            assert_eq!(search.tree.nodes[ROOT].virtual_losses, 8);
            for (idx, leaf) in leaves.iter().enumerate() {
                assert!(leaves[..idx].iter().all(|other| other.pos != leaf.pos), "{select:?}");
            }
        }
    }

    #[test]
    fn a_move_with_a_larger_prior_is_tried_more_often() {
        let record = Record::read("cachex:5", None, ["0-0"]).expect("a game");
        let options = MctsOptions { cut_after: Some(0), ..MctsOptions::default() };
        let n_moves = record.legal_moves().len();
        let visits = |share: f32, idx: usize| {
            let mut priors = vec![(1.0 - share) / (n_moves - 1) as f32; n_moves];
            priors[idx] = share;
            let tree = by_batches(&record, options, 8, &priors).tree;
            tree.nodes[tree.children(ROOT).nth(idx).expect("a child")].visits
        };
        for idx in 0..n_moves {
            assert!(visits(1.0 / n_moves as f32, idx) < visits(0.5, idx), "move {idx}");
        }
    }
}
