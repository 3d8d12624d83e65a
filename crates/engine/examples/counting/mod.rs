//! Weights of what is counted, from games of a champion against itself.
//!
//! For each position the counts of both players are kept together with how the game ended and what the search made
//! of it.

use std::error::Error;

use yarra_engine::agent::unwatched;
use yarra_engine::{Agent, Limits};
use yarra_games::cpu::fastest;
use yarra_games::{Game, Player, Record};

use crate::regression::{Sample, fit, loss, sigmoid};

/// Moves of a hundred that are left to chance: mistakes must be seen to be punished.
const BLUNDERS: u8 = 2;
/// A pull to zero as strong as this.
const PULL: f64 = 1e-4;

/// How games are played, and what is made of them.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Nodes a move.
    pub nodes: u64,
    /// How much the search's own opinion counts beside the result.
    pub opinion: f64,
    /// Hundredths that one step of the regression's own scale is worth.
    pub scale: f64,
}

/// The positions of games, some of them held out.
#[derive(Default)]
pub struct Seen<const W: usize> {
    fitted: Vec<Sample<W>>,
    held_out: Vec<Sample<W>>,
    n_games: usize,
}

impl<const W: usize> Seen<W> {
    /// Plays a game that begins with some random moves; the champion plays both colors with one memory. `W` is twice
    /// the number of counts and one for the turn. Every fifth game is held out.
    pub fn play<G: Game, const N: usize>(
        &mut self,
        agent: &mut dyn Agent,
        mut pos: G,
        n_random: u8,
        counts: impl Fn(&G) -> [[i32; N]; 2],
        plan: Plan,
        rng: &mut fastrand::Rng,
    ) -> Result<(), Box<dyn Error>> {
        assert_eq!(W, 2 * N + 1, "a weight for each count of each player, and one for the turn");
        let mut game = Record::new(pos.boxed());
        let mut seen: Vec<([[i32; N]; 2], Player, f64)> = Vec::new();
        let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
        while game.outcome().is_none() {
            let is_random = game.moves().len() < usize::from(n_random) || rng.u8(..100) < BLUNDERS;
            let m = if is_random {
                pos.random_move(rng).ok_or("a move")?
            } else {
                let choice = agent.choose(&game, limits, &mut unwatched)?;
                let score = choice.score.unwrap_or_default();
                if score.plies_to_end().is_none() {
                    let found = fastest(
                        #[inline(always)]
                        || counts(&pos),
                    );
                    seen.push((found, pos.turn(), f64::from(score.0)));
                }
                choice.mv
            };
            pos.play(m);
            game.play(m);
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        let samples = if self.n_games.is_multiple_of(5) { &mut self.held_out } else { &mut self.fitted };
        self.n_games += 1;
        samples.extend(seen.into_iter().map(|(found, turn, score)| {
            let result = winner.map_or(0.5, |winner| if winner == turn { 1.0 } else { 0.0 });
            let mut values = [1.0; W];
            for (value, count) in values.iter_mut().zip(found.into_iter().flatten()) {
                *value = f64::from(count);
            }
            let target = (1.0 - plan.opinion) * result + plan.opinion * sigmoid(score / plan.scale);
            Sample { values, target }
        }));
        Ok(())
    }

    /// The best weights, as they stand in the program, and how far off they are.
    pub fn fit(&self, plan: Plan) -> String {
        let weights = fit(&self.fitted, &[0.0; W], PULL);
        let losses = [&self.fitted, &self.held_out].map(|samples| loss(samples, &weights));
        let n_samples = [self.fitted.len(), self.held_out.len()];
        let (moving, waiting) = weights[..W - 1].split_at(W / 2);
        let row = |sign: f64, weights: &[f64]| {
            let numbers: Vec<String> =
                weights.iter().map(|w| format!("{:.0}", sign * plan.scale * w)).collect();
            numbers.join(", ")
        };
        format!(
            "// positions fitted and held out: {n_samples:?}, loss {losses:.4?}\n\
             pub const FITTED: Weights<N_FEATURES> = Weights {{\n    moving: [{}],\n    waiting: [{}],\n    \
             turn: {:.0},\n}};\n",
            row(1.0, moving),
            row(-1.0, waiting),
            plan.scale * weights[W - 1],
        )
    }
}
