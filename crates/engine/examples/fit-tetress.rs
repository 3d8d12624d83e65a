//! Fits the weights of Tetress's champion to games that it plays against itself, and prints them.
//!
//! `cargo run --release -p yarra-engine --example fit-tetress -- GAMES NODES SEED [OPTIONS]`
//!
//! Each game begins with random moves. For each position the features of both players are kept together with how
//! the game ended; a logistic regression then asks which weights would have foretold that best. A game can turn
//! until its last plies, so the end counts the less the further away it is: a position from which it is far is
//! held to be even. Weights are scaled so that mobility is worth about as much as with those set by hand. What the
//! turn is worth is not fitted: it is what makes odd and even depths agree.

mod regression;

use std::error::Error;
use std::io::{self, Write};

use regression::{fit, loss, tell_progress};
use yarra_engine::agent::unwatched;
use yarra_engine::champion::tetress::eval::{
    Evaluation, N_FEATURES, N_KNOTS, NAMES, Weights, features, knots_at,
};
use yarra_engine::champion::tetress::{OPTIONS, TetressChampion, TetressOptions};
use yarra_engine::{Agent, Limits, Settings};
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Move, Player, Position, Record};

/// For each knot a weight of each feature, and one of the turn.
const N_WEIGHTS: usize = N_KNOTS * (N_FEATURES + 1);
/// With each ply that a position is away from the end, it says so much of what was left about it.
const FADING: f64 = 0.9;
/// Hundredths of the weights set by hand that one step of the regression's own scale is worth, or so.
const SCALE: f64 = 320.0;
/// A pull to the weights set by hand as strong as this, for plies that few games reach.
const PULL: f64 = 1e-2;
/// How much of each feature, and of the turn, is about as much as of the others.
const UNITS: [f64; N_FEATURES + 1] = [100.0, 10.0, 10.0, 1.0];

type Sample = regression::Sample<N_WEIGHTS>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = |usual: &str| args.next().unwrap_or_else(|| usual.to_owned());
    let n_games: u64 = next("3000").parse()?;
    let nodes: u64 = next("4000").parse()?;
    let mut rng = fastrand::Rng::with_seed(next("1").parse()?);
    let settings = Settings::read(OPTIONS, &next("table=4"), 0)?;
    let mut champion = TetressChampion::new(TetressOptions::read(&settings)?);
    let (mut samples, mut positions) = (Vec::new(), Vec::new());
    for n_played in 1..=n_games {
        play(&mut champion, nodes, &mut rng, &mut samples, &mut positions)?;
        tell_progress(n_played, n_games);
    }
    let hand = flat(&Weights::HAND);
    let weights = fit(&samples, &hand, PULL);
    let mut out = io::stdout().lock();
    let (n, before, after) = (samples.len(), loss(&samples, &hand), loss(&samples, &weights));
    writeln!(out, "{n} positions, loss {before:.5} by hand, {after:.5} fitted")?;
    // As much for mobility as by hand, in the mean of the plies that games mostly have.
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

/// Weights one after the other, in the regression's own scale.
fn flat(weights: &Weights) -> [f64; N_WEIGHTS] {
    let all = weights.features.iter().flatten().chain(&weights.turn);
    let mut flat = [0.0; N_WEIGHTS];
    for (idx, (to, &from)) in flat.iter_mut().zip(all).enumerate() {
        *to = f64::from(from) * UNITS[idx / N_KNOTS] / SCALE;
    }
    flat
}

/// Half of what the best move gains at each knot, in the mean of the positions around it.
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

/// One game; the champion plays both colors with one memory.
fn play(
    champion: &mut TetressChampion,
    nodes: u64,
    rng: &mut fastrand::Rng,
    samples: &mut Vec<Sample>,
    positions: &mut Vec<Tetress>,
) -> Result<(), Box<dyn Error>> {
    let mut pos = Tetress::start(11).ok_or("the size of Tetress")?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    champion.begin(Player::Red, &Record::new(pos.boxed()), limits)?;
    for _ in 0..rng.u8(2..9) {
        let Some(m) = pos.random_move(rng) else { return Ok(()) };
        pos.play(m);
    }
    let first = positions.len();
    while pos.outcome().is_none() {
        positions.push(pos);
        pos.play(champion.choose(&Record::new(pos.boxed()), limits, &mut unwatched)?.mv);
    }
    let winner = pos.outcome().and_then(|outcome| outcome.winner);
    for seen in &positions[first..] {
        let result = winner.map_or(0.0, |winner| if winner == seen.turn() { 0.5 } else { -0.5 });
        let target = 0.5 + result * FADING.powi(i32::from(pos.ply() - seen.ply()) - 1);
        samples.push(Sample { values: values(seen), target });
    }
    Ok(())
}

fn values(pos: &Tetress) -> [f64; N_WEIGHTS] {
    let knots = knots_at(pos.ply());
    let [mover, other] = features(pos);
    let differences = mover.iter().zip(other).map(|(mover, other)| mover - other);
    let mut values = [0.0; N_WEIGHTS];
    for ((place, difference), unit) in values.chunks_mut(N_KNOTS).zip(differences.chain([1])).zip(UNITS) {
        for (value, share) in place.iter_mut().zip(knots) {
            *value = f64::from(difference) / unit * f64::from(share);
        }
    }
    values
}
