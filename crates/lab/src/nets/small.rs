//! The small net of Infexion's champion.

use std::hint::black_box;

use anyhow::Context;
use cpu_time::ThreadTime;
use fastrand::Rng;
use serde_json::{Value, json};
use yarra_engine::Stop;
use yarra_engine::agent::unwatched;
use yarra_engine::champion::infexion::net::{SHAPE, built_in};
use yarra_engine::champion::net::Extra;
use yarra_games::cpu::fastest;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position, Record};
use yarra_learn::nnue::infexion::{N_COUNTS, layout, seen};
use yarra_learn::nnue::samples::Samples;
use yarra_learn::nnue::train::{TrainPlan, Trainer};

use super::rate;
use crate::agents::{champion, nodes};

const N_POSITIONS: usize = 4096;
const BATCH: usize = 2048;
/// Nodes of each search, with the net and without.
const N_NODES: u64 = 100_000;
const N_SEARCHES: usize = 30;

/// Evaluations, trained samples and the champion's nodes per second of CPU time.
pub fn measure(seconds: f64) -> anyhow::Result<Value> {
    let games = games(&mut Rng::with_seed(1));
    let [with, without] = speeds(&games)?;
    Ok(json!({
        "evaluations_per_s": evaluations(&games, seconds),
        "trained_per_s": trained(&games, seconds)?,
        "nodes_per_s": with,
        "nodes_per_s_without": without,
        "ratio": with / without,
    }))
}

/// Positions of random games, one after the other.
fn games(rng: &mut Rng) -> Vec<Infexion> {
    let start = Infexion::start(7).expect("the size of Infexion");
    let mut positions = vec![start];
    while positions.len() < N_POSITIONS {
        let pos = positions[positions.len() - 1];
        positions.push(pos.random_move(rng).map_or(start, |m| pos.after(m)));
    }
    positions
}

/// Accumulators are updated along the games, and each position is valued.
fn evaluations(games: &[Infexion], seconds: f64) -> f64 {
    let net = &built_in().net;
    rate(seconds, games.len() - 1, || {
        fastest(
            #[inline(always)]
            || {
                let mut state = net.root(&games[0]);
                for pair in games.windows(2) {
                    let is_start = pair[1].ply() == 0;
                    state = if is_start { net.root(&pair[1]) } else { net.child(&state, &pair[0], &pair[1]) };
                    black_box(Extra::value(net, &state, &pair[1]));
                }
            },
        );
    })
}

fn trained(games: &[Infexion], seconds: f64) -> anyhow::Result<f64> {
    let mut samples = Samples::new(&layout());
    for _ in 0..8 {
        games.iter().for_each(|pos| samples.push(seen(pos), 100, 0.5, 0.7));
    }
    let mut rng = Rng::with_seed(2);
    let mut trainer = Trainer::new(SHAPE, [0.0; N_COUNTS], &mut rng);
    let plan =
        TrainPlan { n_epochs: 1, batch: BATCH, rate: 1e-3, last_rate: 1e-3, decay: 0.0, trains_counts: true };
    let stop = Stop::new();
    let mut failed = None;
    let rate = rate(seconds, samples.len(), || failed = trainer.train(&samples, plan, &mut rng, &stop).err());
    failed.map_or(Ok(rate), |error| Err(error.into()))
}

/// The champion's nodes per second with the net and without, in alternation on the same positions.
fn speeds(games: &[Infexion]) -> anyhow::Result<[f64; 2]> {
    let mut agents = [champion("net=on", &games[0])?, champion("net=off", &games[0])?];
    let (mut n_nodes, mut seconds) = ([0, 0], [0.0, 0.0]);
    let middle = games.iter().filter(|pos| (10..80).contains(&pos.ply()) && pos.outcome().is_none());
    for pos in middle.step_by(37).take(N_SEARCHES) {
        let game = Record::new(pos.boxed());
        for (idx, agent) in agents.iter_mut().enumerate() {
            agent.begin(pos.turn(), &game, nodes(N_NODES))?;
            let started = ThreadTime::now();
            let choice = agent.choose(&game, nodes(N_NODES), &mut unwatched).context("a search")?;
            seconds[idx] += started.elapsed().as_secs_f64();
            n_nodes[idx] += choice.stats.nodes;
        }
    }
    Ok([0, 1].map(|idx| n_nodes[idx] as f64 / seconds[idx]))
}
