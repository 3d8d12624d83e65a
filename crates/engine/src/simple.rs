//! Agents that search no more than one ply.

use std::sync::Arc;

use yarra_games::{Game, MoveList, Record};

use crate::agent::position_of;
use crate::eval::Judge;
use crate::profile::{Part, time};
use crate::{Agent, AgentError, Budget, Choice, Iteration, Limits, Score, Stats, Term, Watch};

/// Plays random legal moves.
#[derive(Clone, Debug)]
pub struct Random {
    rng: fastrand::Rng,
}

impl Random {
    /// Its moves follow from the seed.
    pub fn new(seed: u64) -> Random {
        Random { rng: fastrand::Rng::with_seed(seed) }
    }
}

impl Agent for Random {
    fn choose(&mut self, game: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let mut moves = MoveList::new();
        game.now().legal_moves(&mut moves);
        Ok(moves[self.rng.usize(..moves.len())].into())
    }
}

/// Plays the move after which the position is best for it, one of the best at random.
pub struct Greedy<G: Game> {
    judge: Arc<dyn Judge<G>>,
    rng: fastrand::Rng,
}

impl<G: Game> Greedy<G> {
    /// Ties are broken at random, by the seed.
    pub fn new(judge: Arc<dyn Judge<G>>, seed: u64) -> Greedy<G> {
        Greedy { judge, rng: fastrand::Rng::with_seed(seed) }
    }

    fn worth(&self, after: &G) -> Score {
        -time(Part::Evaluation, || match after.outcome() {
            Some(outcome) => self.judge.ended(after, outcome, 1),
            None => self.judge.value(after),
        })
    }
}

impl<G: Game> Agent for Greedy<G> {
    fn choose(&mut self, game: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<G>(game)?;
        let watch = Budget::start(None, None);
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let scores: Vec<Score> = moves.iter().map(|&m| self.worth(&pos.after(m))).collect();
        let best = scores.iter().copied().max().expect("the game is not over");
        let ties: Vec<usize> = (0..moves.len()).filter(|&idx| scores[idx] == best).collect();
        let mut choice = Choice::from(moves[ties[self.rng.usize(..ties.len())]]);
        choice.score = Some(best);
        choice.stats = each_move(&choice, 1, moves.len(), &watch);
        Ok(choice)
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        position_of::<G>(game).map(|pos| self.judge.terms(&pos)).unwrap_or_default()
    }
}

/// The statistics of an agent that has evaluated each of `n_moves` moves once, reported as `depth`.
pub fn each_move(choice: &Choice, depth: u32, n_moves: usize, watch: &Budget) -> Stats {
    let (nodes, elapsed) = (n_moves as u64, watch.elapsed());
    let (score, line) = (choice.score.unwrap_or_default(), choice.line.clone());
    let iteration = Iteration { depth, score, line, nodes, elapsed };
    Stats { nodes, evaluations: nodes, iterations: vec![iteration], elapsed, ..Stats::default() }
}
