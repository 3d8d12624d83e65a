//! `lab fit tetress`

use std::io::{self, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use fastrand::Rng;
use yarra_engine::Agent;
use yarra_engine::champion::tetress::eval::{
    Evaluation, N_FEATURES, N_KNOTS, NAMES, Weights, features, knots_at,
};
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Move, Position, Record};
use yarra_learn::regression::{N_STEPS, Sample, fit_many, loss};
use yarra_learn::selfplay::{points, position, random_moves, self_play};

use crate::agents::{champion, nodes};
use crate::progress::Progress;

/// For each knot, a weight of each feature and one of the side to move.
const N_WEIGHTS: usize = N_KNOTS * (N_FEATURES + 1);
/// A game can turn until its last plies, so the target of a position is closer to even the further it is from the end:
/// by this factor per ply.
const FADING: f64 = 0.9;
/// Hundredths of the hand-set weights' unit per unit of the regression, roughly.
const SCALE: f64 = 320.0;
/// The strength of the regularization toward the hand-set weights, for plies that few games reach.
const PULL: f64 = 1e-2;
/// Typical magnitudes of each feature and of the side to move.
const UNITS: [f64; N_FEATURES + 1] = [100.0, 10.0, 10.0, 1.0];

/// Fit the weights of Tetress's champion.
///
/// They are scaled so that mobility is worth about as much as with the hand-set weights. The bonus for the side to move
/// is not fitted: it makes odd and even depths agree.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab fit tetress 3000 4000 1 table=4")]
pub struct TetressArgs {
    /// Number of games.
    #[arg(default_value_t = 3000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes per move.
    #[arg(default_value_t = 4000)]
    nodes: u64,
    /// Seed of the random moves.
    #[arg(default_value_t = 1)]
    seed: u64,
    /// Options of the champion.
    #[arg(default_value = "table=4")]
    options: String,
}

pub fn run(args: &TetressArgs) -> anyhow::Result<()> {
    let mut rng = Rng::with_seed(args.seed);
    let start = Tetress::start(11).context("the size of Tetress")?;
    let mut agent = champion(&args.options, &start)?;
    let mut games = Games::default();
    let mut progress = Progress::new("games", args.games);
    for _ in 0..args.games {
        games.play(&mut *agent, start, args.nodes, &mut rng)?;
        progress.step();
    }
    let Games { samples, positions } = games;
    anyhow::ensure!(!samples.is_empty(), "too few games: nothing to fit");
    let hand = flat(&Weights::HAND);
    let mut steps = Progress::new("steps of the regression", N_STEPS);
    let weights = fit_many(&samples, &hand, PULL, || steps.step());
    let mut out = io::stdout().lock();
    let (n, before, after) = (samples.len(), loss(&samples, &hand), loss(&samples, &weights));
    writeln!(out, "{n} positions, loss {before:.5} with hand-set weights, {after:.5} fitted")?;
    // Scaled to the hand-set weight of mobility, averaged over the plies of most games.
    let mobility = (weights[1] + weights[2]) / 2.0 / UNITS[0];
    let mut fitted = Weights::HAND;
    for ((worth, weights), unit) in fitted.features.iter_mut().zip(weights.chunks(N_KNOTS)).zip(UNITS) {
        for (worth, weight) in worth.iter_mut().zip(weights) {
            *worth = (weight / unit / mobility) as f32;
        }
    }
    fitted.turn = turn(&fitted, &positions);
    for (worth, name) in fitted.features.iter().zip(NAMES) {
        writeln!(out, "            {worth:.2?}, // {name}")?;
    }
    writeln!(out, "        turn: {:.0?},", fitted.turn)?;
    Ok(())
}

/// All weights in one vector, in the unit of the regression.
fn flat(weights: &Weights) -> Vec<f64> {
    let all = weights.features.iter().flatten().chain(&weights.turn);
    all.enumerate().map(|(idx, &weight)| f64::from(weight) * UNITS[idx / N_KNOTS] / SCALE).collect()
}

/// Half of the best move's gain at each knot, averaged over the positions around it.
fn turn(weights: &Weights, positions: &[Tetress]) -> [f32; N_KNOTS] {
    let evaluation = Evaluation::new(&Weights { turn: [0.0; N_KNOTS], ..*weights });
    let (mut gains, mut shares) = ([0.0; N_KNOTS], [0.0; N_KNOTS]);
    let mut moves = Vec::new();
    for pos in positions {
        moves.clear();
        pos.legal_moves(&mut moves);
        let value = |&m: &Move| -evaluation.value(&pos.after(m)).0;
        let best = moves.iter().map(value).max().unwrap_or_default();
        let gain = (best - evaluation.value(pos).0) as f32 / 2.0;
        for (knot, share) in knots_at(pos.ply()).into_iter().enumerate() {
            gains[knot] += share * gain;
            shares[knot] += share;
        }
    }
    std::array::from_fn(|knot| if shares[knot] == 0.0 { 0.0 } else { gains[knot] / shares[knot] })
}

/// The samples of all games.
#[derive(Default)]
struct Games {
    samples: Vec<Sample>,
    positions: Vec<Tetress>,
}

impl Games {
    fn play(
        &mut self,
        agent: &mut dyn Agent,
        start: Tetress,
        n_nodes: u64,
        rng: &mut Rng,
    ) -> anyhow::Result<()> {
        let mut game = Record::new(start.boxed());
        let first = self.positions.len();
        let n_random = rng.u8(2..9);
        self_play(agent, nodes(n_nodes), &mut game, random_moves::<Tetress>(n_random, 0, rng), |game, _| {
            self.positions.push(position(game));
            ControlFlow::Continue(())
        })?;
        for seen in &self.positions[first..] {
            let result = points(&game, seen.turn()) - 0.5;
            let target = 0.5 + result * FADING.powi(i32::from(game.now().ply() - seen.ply()) - 1);
            self.samples.push(Sample { values: values(seen), target });
        }
        Ok(())
    }
}

fn values(pos: &Tetress) -> Vec<f64> {
    let knots = knots_at(pos.ply());
    let [mover, other] = features(pos);
    let differences = mover.iter().zip(other).map(|(mover, other)| mover - other);
    let mut values = Vec::with_capacity(N_WEIGHTS);
    for (difference, unit) in differences.chain([1]).zip(UNITS) {
        values.extend(knots.map(|share| f64::from(difference) / unit * f64::from(share)));
    }
    values
}
