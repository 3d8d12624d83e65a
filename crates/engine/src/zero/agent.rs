//! The agent that plays by a guided search.

use fastrand::Rng;
use yarra_games::{Failure, Player, Record};

use super::options::ZeroOptions;
use super::search::GuidedSearch;
use crate::net::Oracle;
use crate::{Agent, AgentError, Budget, Choice, Iteration, Limits, Progress, Stats, Watch};

/// An agent that plays by a guided search. It uses all the time it is given: [`Paced`](crate::time::Paced) shares a clock.
pub struct Zero<O> {
    oracle: O,
    options: ZeroOptions,
    search: GuidedSearch,
    rng: Rng,
}

/// An evaluation takes about 0.1 ms, so this is about as often as other searches check the clock.
const SIMULATIONS_BETWEEN_CHECKS: u64 = 4;

/// Simulations of the first plan where nothing but the watch ends the search; each further plan has twice as many.
const UNLIMITED_PLAN: f64 = 1000.0;
/// The longest plan.
const MAX_PLAN: f64 = 1e7;

impl<O: Oracle> Zero<O> {
    /// An agent whose noise, if any, follows from the seed.
    pub fn new(oracle: O, options: ZeroOptions, seed: u64) -> Zero<O> {
        Zero { oracle, options, search: GuidedSearch::new(options), rng: Rng::with_seed(seed) }
    }

    /// Reports the best lines; `true` if the search is to end.
    fn report(&self, n_lines: usize, budget: &Budget, watch: &mut Watch<'_>) -> bool {
        // Ranking costs a walk through the tree: lines are reported when the simulations have doubled.
        let is_due = self.search.n_done().is_power_of_two();
        let best = if is_due { self.search.best(n_lines) } else { Vec::new() };
        let nodes = self.search.n_done();
        let elapsed = budget.elapsed();
        let silent = Progress { rank: 0, depth: 0, score: Default::default(), nodes, line: &[], elapsed };
        if best.is_empty() {
            return watch(&silent).is_break();
        }
        best.iter().enumerate().any(|(rank, found)| {
            let (depth, line) = (found.line.len() as u32, &found.line[..]);
            watch(&Progress { rank, depth, score: found.score(), line, ..silent }).is_break()
        })
    }
}

impl<O: Oracle> Agent for Zero<O> {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        Ok(self.lines(game, 1, limits, watch)?.swap_remove(0))
    }

    fn lines(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        if !self.oracle.plays(game.now()) {
            let error = format!("this agent's net does not play {}", game.now().spec());
            return Err(AgentError::new(Failure::Crash, error));
        }
        let simulations = self.options.n_simulations(limits);
        let mut budget = Budget::start(limits.hard_time(), None);
        self.search.begin(game, simulations, &mut self.oracle, &mut self.rng);
        while !self.search.is_settled() && simulations.is_none_or(|n| self.search.n_done() < n) {
            self.search.simulate(&mut self.oracle);
            if simulations.is_none() && self.search.n_done() == self.options.n_considered as u64 {
                // The first simulations tell how many there will be.
                let left = limits.hard_time().map(|hard| hard.saturating_sub(budget.elapsed()));
                let each = budget.elapsed().as_secs_f64() / self.search.n_done() as f64;
                let n = left.map_or(UNLIMITED_PLAN, |left| left.as_secs_f64() / each.max(1e-9));
                self.search.plan(n.clamp(1.0, MAX_PLAN) as u64);
            }
            let is_look_due = self.search.n_done().is_multiple_of(SIMULATIONS_BETWEEN_CHECKS);
            if is_look_due && (budget.is_spent(0) || self.report(n_lines, &budget, watch)) {
                break;
            }
        }
        let (nodes, elapsed) = (self.search.n_done(), budget.elapsed());
        let best = self.search.best(n_lines.max(1));
        let choices = best.into_iter().enumerate().map(|(rank, found)| {
            let score = found.score();
            let mut choice = Choice::from(found.line[0]);
            choice.score = Some(score);
            if rank == 0 {
                let (depth, line) = (found.line.len() as u32, found.line.clone());
                choice.stats = Stats {
                    nodes,
                    evaluations: self.search.n_evaluations(),
                    playouts: nodes,
                    iterations: vec![Iteration { depth, score, line, nodes, elapsed }],
                    elapsed,
                    memory: self.search.memory(),
                    ..Stats::default()
                };
            }
            choice.line = found.line;
            choice
        });
        Ok(choices.collect())
    }
}
