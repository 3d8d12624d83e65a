//! `lab fit winchance`

use std::io::{self, Write};
use std::ops::ControlFlow;

use anyhow::bail;
use yarra_arena::Openings;
use yarra_engine::{Agent, Limits, Score};
use yarra_games::{Player, Position, start};
use yarra_learn::regression::{Sample, fit_few, loss, predict};
use yarra_learn::selfplay::{points, self_play};

use crate::agents::{agent, nodes};
use crate::progress::Progress;

/// Fit a curve from an agent's scores to winning chances.
///
/// The number of random opening moves varies, so that scores of all sizes occur. A draw is half a win. Every fourth
/// game is held out, and the figures are for those games. Forced wins and losses need no curve and are excluded.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab fit winchance infexion champion 200 5000 1000")]
pub struct WinchanceArgs {
    /// The game, such as `cachex:9`.
    game: String,
    /// The agent, such as `champion` or `tbd`.
    agent: String,
    /// Number of games.
    #[arg(default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes per move.
    #[arg(default_value_t = 5000)]
    nodes: u64,
    /// Seed of the openings and of the agent.
    #[arg(default_value_t = 1000)]
    seed: u64,
}

/// The search's score of a position, and the result for the player to move.
struct Visit {
    /// In the evaluation's unit.
    score: f64,
    ply: f64,
    result: f64,
}

/// The features of a curve.
type Model = fn(&Visit) -> Vec<f64>;

/// The curves that are tried; the first is the one that is printed.
const MODELS: [(&str, Model); 3] = [
    ("score", |visit| vec![visit.score]),
    ("score and the turn", |visit| vec![visit.score, 1.0]),
    ("score and phase", |visit| vec![visit.score, visit.score * visit.ply.min(LATE) / LATE]),
];

/// The ply from which a game counts as late.
const LATE: f64 = 60.0;
const HELD_OUT: u64 = 4;

pub fn run(args: &WinchanceArgs) -> anyhow::Result<()> {
    let WinchanceArgs { game, agent: spec, games: n_games, nodes: n_nodes, seed } = args;
    let start = start(game)?;
    let (mut player, _) = agent(spec, &*start, *seed)?;
    let [mut known, mut held_out] = [Vec::new(), Vec::new()];
    let mut progress = Progress::new("games", *n_games);
    for n in 0..*n_games {
        let visits = if n % HELD_OUT == 0 { &mut held_out } else { &mut known };
        visits.extend(play(&*start, &mut *player, nodes(*n_nodes), seed.wrapping_mul(1_000_003) + n)?);
        progress.step();
    }
    let mut out = io::stdout().lock();
    let (n_known, n_held_out) = (known.len(), held_out.len());
    writeln!(out, "{game} by {spec}, {n_nodes} nodes: {n_known} positions to fit, {n_held_out} held out")?;
    if known.is_empty() || held_out.is_empty() {
        bail!("too few games: every position has a forced end");
    }
    writeln!(out, "loss of a constant 50 %: {:.4}", 2_f64.ln())?;
    let fits = MODELS.map(|(name, model)| {
        let [known, held_out] = [&known, &held_out].map(|visits| samples(visits, model));
        (name, fit_few(&known), held_out)
    });
    for (name, weights, held_out) in &fits {
        writeln!(out, "loss with {name}: {:.4}, weights {weights:.4?}", loss(held_out, weights))?;
    }
    let [(_, weights, held_out), ..] = &fits;
    write_reliability(held_out, weights, &mut out)?;
    // A curve is given by the score that wins three games of four, at odds of 3 : 1.
    writeln!(out, "    curve({game:?}, {spec:?}, {:.1}),", 100.0 * 3_f64.ln() / weights[0])?;
    Ok(())
}

fn samples(visits: &[Visit], model: Model) -> Vec<Sample> {
    visits.iter().map(|visit| Sample { values: model(visit), target: visit.result }).collect()
}

fn play(
    start: &dyn Position,
    player: &mut dyn Agent,
    limits: Limits,
    seed: u64,
) -> anyhow::Result<Vec<Visit>> {
    let usual = Openings::usual(start.spec());
    let openings = Openings { n_plies: usual.n_plies + (seed % 5) as u16 };
    let mut game = openings.draw(start, seed);
    let mut seen: Vec<(Player, f64, f64)> = Vec::new();
    self_play(
        player,
        limits,
        &mut game,
        |_| None,
        |game, choice| {
            if let Some(score) = choice.score.filter(|score| is_estimate(*score)) {
                seen.push((game.now().turn(), score.units(), game.now().ply().into()));
            }
            ControlFlow::Continue(())
        },
    )?;
    let visit = |(turn, score, ply)| Visit { score, ply, result: points(&game, turn) };
    Ok(seen.into_iter().map(visit).collect())
}

/// Whether a score is an estimate. A proven score would distort the curve.
fn is_estimate(score: Score) -> bool {
    score.plies_to_end().is_none() && score.units().abs() < 1000.0
}

/// Predictions and results, by tenths of the chance.
fn write_reliability(samples: &[Sample], weights: &[f64], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "predicted    actual  positions")?;
    let mut buckets = [(0.0, 0.0, 0_u32); 10];
    for sample in samples {
        let p = predict(sample, weights);
        let bucket = &mut buckets[((10.0 * p) as usize).min(9)];
        *bucket = (bucket.0 + p, bucket.1 + sample.target, bucket.2 + 1);
    }
    for (predicted, happened, count) in buckets.into_iter().filter(|(_, _, count)| 0 < *count) {
        let share = |sum: f64| 100.0 * sum / f64::from(count);
        writeln!(out, "{:7.1} %  {:6.1} %  {count:9}", share(predicted), share(happened))?;
    }
    Ok(())
}
