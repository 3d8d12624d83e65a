//! Weights of evaluations that are linear in the features of both players.

use std::ops::ControlFlow;

use fastrand::Rng;
use yarra_engine::Agent;
use yarra_games::{Game, Player, Record};
use yarra_learn::regression::{N_STEPS, Sample, fit_many, loss, sigmoid};
use yarra_learn::selfplay::{points, position, random_moves, self_play};

use crate::agents::nodes;
use crate::progress::Progress;

/// The percentage of random moves: the fit must see mistakes being punished.
const BLUNDERS: u8 = 2;
/// The strength of the regularization toward zero.
const PULL: f64 = 1e-4;

/// How games are played and weighted.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Nodes per move.
    pub nodes: u64,
    /// The weight of the search's score against the game's result, from 0 to 1.
    pub opinion: f64,
    /// Hundredths of the evaluation's unit per unit of the regression.
    pub scale: f64,
}

/// The positions of games. Every fifth game is held out to detect overfitting.
pub struct Positions {
    plan: Plan,
    fitted: Vec<Sample>,
    held_out: Vec<Sample>,
    n_games: usize,
}

impl Positions {
    /// No positions.
    pub fn new(plan: Plan) -> Positions {
        Positions { plan, fitted: Vec::new(), held_out: Vec::new(), n_games: 0 }
    }

    /// Adds a game that starts with random moves.
    pub fn play<G: Game, const N: usize>(
        &mut self,
        agent: &mut dyn Agent,
        start: G,
        n_random: u8,
        features: impl Fn(&G) -> [[i32; N]; 2],
        rng: &mut Rng,
    ) -> anyhow::Result<()> {
        let Plan { opinion, scale, .. } = self.plan;
        let mut game = Record::new(start.boxed());
        let mut seen: Vec<([[i32; N]; 2], Player, f64)> = Vec::new();
        let random = random_moves::<G>(n_random, BLUNDERS, rng);
        self_play(agent, nodes(self.plan.nodes), &mut game, random, |game, choice| {
            let score = choice.score.unwrap_or_default();
            if score.plies_to_end().is_none() {
                seen.push((features(&position(game)), game.now().turn(), f64::from(score.0)));
            }
            ControlFlow::Continue(())
        })?;
        let samples = if self.n_games.is_multiple_of(5) { &mut self.held_out } else { &mut self.fitted };
        self.n_games += 1;
        samples.extend(seen.into_iter().map(|(found, turn, score)| {
            // The last value is the bonus for the side to move.
            let values = found.into_iter().flatten().map(f64::from).chain([1.0]).collect();
            let target = (1.0 - opinion) * points(&game, turn) + opinion * sigmoid(score / scale);
            Sample { values, target }
        }));
        Ok(())
    }

    /// The best weights as Rust code, with their loss.
    pub fn fit(&self) -> anyhow::Result<String> {
        let Some(sample) = self.fitted.first() else { anyhow::bail!("too few games: nothing to fit") };
        let n_weights = sample.values.len();
        let mut steps = Progress::new("steps of the regression", N_STEPS);
        let weights = fit_many(&self.fitted, &vec![0.0; n_weights], PULL, || steps.step());
        let losses = [&self.fitted, &self.held_out].map(|samples| loss(samples, &weights));
        let n_samples = [self.fitted.len(), self.held_out.len()];
        let (moving, waiting) = weights[..n_weights - 1].split_at(n_weights / 2);
        let scale = self.plan.scale;
        let row = |sign: f64, weights: &[f64]| {
            let numbers: Vec<String> = weights.iter().map(|w| format!("{:.0}", sign * scale * w)).collect();
            numbers.join(", ")
        };
        Ok(format!(
            "// positions fitted and held out: {n_samples:?}, loss {losses:.4?}\n\
             pub const FITTED: Weights<N_FEATURES> = Weights {{\n    moving: [{}],\n    waiting: [{}],\n    \
             turn: {:.0},\n}};\n",
            row(1.0, moving),
            row(-1.0, waiting),
            scale * weights[n_weights - 1],
        ))
    }
}
