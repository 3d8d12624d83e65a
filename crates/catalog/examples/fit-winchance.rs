//! Fits how likely a score is to win, on games that an agent plays against itself, and prints the curve.
//!
//! `cargo run --release -p yarra-catalog --example fit-winchance -- GAME AGENT GAMES NODES SEED`
//!
//! Each game begins with random moves, a few more or less, so that scores of all sizes come up. A logistic regression
//! asks which curve would have foretold the results best, a draw being half a win; every fourth game is held
//! out, and the figures are of those. Forced ends need no curve and are left out. The same arguments give the same
//! figures, whatever the machine.

use std::error::Error;
use std::io::{self, Write};

use yarra_arena::Openings;
use yarra_catalog::make;
use yarra_engine::agent::unwatched;
use yarra_engine::{Agent, Limits, Score};
use yarra_games::{Player, Position, start};
use yarra_guests::Host;

/// A position of a game: what the search made of it, and what came of it for the player to move.
struct Sample {
    /// In the evaluation's unit.
    score: f64,
    ply: f64,
    result: f64,
}

/// Curves that are tried, each a sum of weights times these values.
const MODELS: [(&str, Model); 3] = [
    ("score", |sample| vec![sample.score]),
    ("score and the turn", |sample| vec![sample.score, 1.0]),
    ("score and phase", |sample| vec![sample.score, sample.score * sample.ply.min(LATE) / LATE]),
];

type Model = fn(&Sample) -> Vec<f64>;

/// The ply from which on a game is as late as it gets.
const LATE: f64 = 60.0;
const HELD_OUT: u64 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, agent, numbers @ ..] = &args[..] else {
        return Err(
            "expected GAME AGENT [GAMES [NODES [SEED]]], as in `infexion champion 200 5000 1000`".into()
        );
    };
    let number = |idx: usize, usual| numbers.get(idx).map_or(Ok(usual), |text: &String| text.parse::<u64>());
    let (n_games, nodes, seed) = (number(0, 200)?, number(1, 5000)?, number(2, 1000)?);
    let start = start(game)?;
    let (mut player, _) = make(&agent.parse()?, &*start, seed, &Host::default())?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let [mut known, mut held_out] = [Vec::new(), Vec::new()];
    for n in 0..n_games {
        let samples = if n % HELD_OUT == 0 { &mut held_out } else { &mut known };
        samples.extend(play(&*start, &mut *player, limits, seed.wrapping_mul(1_000_003) + n)?);
        if n % 50 == 49 {
            writeln!(io::stderr(), "{} of {n_games} games", n + 1)?;
        }
    }
    let mut out = io::stdout().lock();
    let (n_known, n_held_out) = (known.len(), held_out.len());
    writeln!(out, "{game} by {agent}, {nodes} nodes: {n_known} positions to fit, {n_held_out} held out")?;
    if known.is_empty() || held_out.is_empty() {
        return Err("too few games: no position is without a forced end".into());
    }
    writeln!(out, "loss of a curve that says 50 % always: {:.4}", 2_f64.ln())?;
    for (name, model) in MODELS {
        let weights = fit(&known, model);
        writeln!(out, "loss with {name}: {:.4}, weights {weights:.4?}", loss(&held_out, model, &weights))?;
    }
    let (_, model) = MODELS[0];
    let weights = fit(&known, model);
    write_reliability(&held_out, model, &weights, &mut out)?;
    // A curve that wins three games of four at a score has the odds 3 : 1 there.
    writeln!(out, "    curve({game:?}, {agent:?}, {:.1}),", 100.0 * 3_f64.ln() / weights[0])?;
    Ok(())
}

/// One game; the agent plays both colors with one memory.
fn play(
    start: &dyn Position,
    player: &mut dyn Agent,
    limits: Limits,
    seed: u64,
) -> Result<Vec<Sample>, Box<dyn Error>> {
    let usual = Openings::usual(start);
    let openings = Openings { n_plies: usual.n_plies + (seed % 5) as u16 };
    let mut game = openings.draw(start, seed);
    let mut seen: Vec<(Player, f64, f64)> = Vec::new();
    player.begin(game.now().turn(), &game, limits)?;
    while game.outcome().is_none() {
        let choice = player.choose(&game, limits, &mut unwatched)?;
        if let Some(score) = choice.score.filter(|score| is_open(*score)) {
            seen.push((game.now().turn(), score.units(), game.now().ply().into()));
        }
        game.play(choice.mv);
        player.played(&game, &choice)?;
    }
    player.end(&game);
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    let result = |turn| winner.map_or(0.5, |winner| if winner == turn { 1.0 } else { 0.0 });
    Ok(seen.into_iter().map(|(turn, score, ply)| Sample { score, ply, result: result(turn) }).collect())
}

/// Whether a score is a guess. One that is certain, as a search may call what it need not look at, would bend the curve.
fn is_open(score: Score) -> bool {
    score.plies_to_end().is_none() && score.units().abs() < 1000.0
}

fn predict(sample: &Sample, model: Model, weights: &[f64]) -> f64 {
    let sum: f64 = model(sample).iter().zip(weights).map(|(value, weight)| value * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn loss(samples: &[Sample], model: Model, weights: &[f64]) -> f64 {
    let of = |sample: &Sample| {
        let p = predict(sample, model, weights).clamp(1e-9, 1.0 - 1e-9);
        -sample.result * p.ln() - (1.0 - sample.result) * (1.0 - p).ln()
    };
    samples.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// Logistic regression by Newton's method: a step solves `curvature * step = slope`.
fn fit(samples: &[Sample], model: Model) -> Vec<f64> {
    let n = model(&samples[0]).len();
    let mut weights = vec![0.0; n];
    for _ in 0..50 {
        // The last column is the slope. A little curvature of its own keeps it solvable whatever the games.
        let mut rows: Vec<Vec<f64>> =
            (0..n).map(|i| (0..=n).map(|j| f64::from(i == j) * 1e-6).collect()).collect();
        for sample in samples {
            let values = model(sample);
            let p = predict(sample, model, &weights);
            for i in 0..n {
                for j in 0..n {
                    rows[i][j] += p * (1.0 - p) * values[i] * values[j];
                }
                rows[i][n] += (sample.result - p) * values[i];
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(rows)) {
            *weight += step;
        }
    }
    weights
}

/// Solves some linear equations, each a row whose last number is the right side, by elimination.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for i in 0..n {
        let pivot = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / pivot[i];
            for (value, other) in row.iter_mut().zip(&pivot) {
                *value -= factor * other;
            }
        }
    }
    rows.iter().enumerate().map(|(i, row)| row[n] / row[i]).collect()
}

/// What was foretold beside what happened, in tenths of the chance.
fn write_reliability(
    samples: &[Sample],
    model: Model,
    weights: &[f64],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "foretold  happened  positions")?;
    let mut buckets = [(0.0, 0.0, 0_u32); 10];
    for sample in samples {
        let p = predict(sample, model, weights);
        let bucket = &mut buckets[((10.0 * p) as usize).min(9)];
        *bucket = (bucket.0 + p, bucket.1 + sample.result, bucket.2 + 1);
    }
    for (foretold, happened, count) in buckets.into_iter().filter(|(_, _, count)| 0 < *count) {
        let share = |sum: f64| 100.0 * sum / f64::from(count);
        writeln!(out, "{:6.1} %  {:6.1} %  {count:9}", share(foretold), share(happened))?;
    }
    Ok(())
}
