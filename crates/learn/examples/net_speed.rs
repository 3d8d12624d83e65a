//! How fast nets are evaluated and trained on one core: `net_speed GAME BLOCKS FILTERS SECONDS`. Prints one line of JSON.

use std::sync::Arc;

use cpu_time::ThreadTime;
use serde_json::json;
use yarra_engine::net::conv::{ConvNet, NetGame, NetInput, NetOracle, NetShape};
use yarra_engine::net::{NetError, Oracle};
use yarra_games::MoveList;
use yarra_games::cachex::{Cachex, Hex};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_learn::conv::{Sample, Trainer};

const BATCH: usize = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [game, n_blocks, n_filters, seconds] = &args[..] else {
        return Err("expected GAME BLOCKS FILTERS SECONDS".into());
    };
    let (n_blocks, n_filters, seconds) = (n_blocks.parse()?, n_filters.parse()?, seconds.parse()?);
    let figures = match &game[..] {
        "infexion" => measure::<Infexion>(7, n_blocks, n_filters, seconds)?,
        "tetress" => measure::<Tetress>(11, n_blocks, n_filters, seconds)?,
        "cachex:7" => measure::<Cachex<u64>>(7, n_blocks, n_filters, seconds)?,
        "cachex:9" => measure::<Cachex<u128>>(9, n_blocks, n_filters, seconds)?,
        "hex:11" => measure::<Hex<u128>>(11, n_blocks, n_filters, seconds)?,
        _ => return Err("expected infexion, tetress, cachex:7, cachex:9 or hex:11".into()),
    };
    #[expect(clippy::print_stdout, reason = "the result of a tool")]
    {
        println!("{figures}");
    }
    Ok(())
}

fn measure<G: NetGame>(
    size: u8,
    n_blocks: usize,
    n_filters: usize,
    seconds: f64,
) -> Result<serde_json::Value, NetError> {
    let mut rng = fastrand::Rng::with_seed(1);
    let shape = NetShape { geometry: G::GEOMETRY, n_blocks, n_filters };
    let net = ConvNet::new(G::NAME, shape, &mut rng)?;
    let positions = positions::<G>(size, &mut rng);
    let mut oracle = NetOracle::new(Arc::new(net.clone()), None);
    let mut logits = Vec::new();
    let evaluations = rate(seconds, positions.len(), || {
        for (pos, moves) in &positions {
            oracle.evaluate(pos, moves, &mut logits);
        }
    });
    let samples: Vec<_> = positions.iter().map(|(pos, moves)| sample(pos, moves)).collect();
    let batch: Vec<_> = samples.iter().collect();
    let mut trainer = Trainer::new(net);
    let trained = rate(seconds, batch.len(), || {
        trainer.step(&batch, &mut rng, 1e-3, 1);
    });
    let n_moves = positions.iter().map(|(_, moves)| moves.len()).sum::<usize>() as f64 / BATCH as f64;
    Ok(json!({
        "parameters": trainer.net().n_params(),
        "moves": n_moves,
        "evaluations_per_s": evaluations,
        "trained_per_s": trained,
    }))
}

/// Positions of random games with their moves.
fn positions<G: NetGame>(size: u8, rng: &mut fastrand::Rng) -> Vec<(G, MoveList)> {
    let start = G::start(size).expect("a size of this game");
    let mut pos = start;
    let mut positions = Vec::new();
    while positions.len() < BATCH {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        match pos.random_move(rng) {
            Some(m) => {
                positions.push((pos, moves));
                pos.play(m);
            }
            None => pos = start,
        }
    }
    positions
}

fn sample<G: NetGame>(pos: &G, moves: &MoveList) -> Sample {
    let mut input = NetInput::default();
    pos.encode(&mut input);
    let share = 1.0 / moves.len() as f32;
    let policy = moves.iter().map(|&m| (pos.policy_index(m), share)).collect();
    Sample { input, policy, value: 0.5, lead: 0.1 }
}

/// How many things a second of CPU time are done by work that does `n` of them.
fn rate(seconds: f64, n: usize, mut work: impl FnMut()) -> f64 {
    work();
    let start = ThreadTime::now();
    let mut n_done = 0;
    while start.elapsed().as_secs_f64() < seconds {
        work();
        n_done += n;
    }
    n_done as f64 / start.elapsed().as_secs_f64()
}
