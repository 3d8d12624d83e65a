//! Nets of recipe `zero`.

use std::sync::Arc;

use anyhow::bail;
use serde_json::{Value, json};
use yarra_engine::net::conv::{ConvNet, Geometry, NetGame, NetInput, NetOracle, NetShape};
use yarra_engine::net::{NetError, Oracle};
use yarra_games::cachex::{Cachex, Hex};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, MoveList};
use yarra_learn::conv::{Sample, Trainer};

use super::rate;

const BATCH: usize = 256;

/// Evaluations and trained samples per second of CPU time.
pub fn measure(game: &str, n_blocks: usize, n_filters: usize, seconds: f64) -> anyhow::Result<Value> {
    let measure = match game {
        "infexion" => measure_game::<Infexion>,
        "tetress" => measure_game::<Tetress>,
        "cachex:7" => measure_game::<Cachex<u64>>,
        "cachex:9" => measure_game::<Cachex<u128>>,
        "hex:11" => measure_game::<Hex<u128>>,
        _ => bail!("{game}: expected infexion, tetress, cachex:7, cachex:9 or hex:11"),
    };
    let size = game.split_once(':').map_or(0, |(_, size)| size.parse().unwrap_or(0));
    Ok(measure(size, n_blocks, n_filters, seconds)?)
}

fn measure_game<G: NetGame + Game>(
    size: u8,
    n_blocks: usize,
    n_filters: usize,
    seconds: f64,
) -> Result<Value, NetError> {
    let mut rng = fastrand::Rng::with_seed(1);
    let shape = NetShape { geometry: Geometry::of(G::NAME).expect("a net's game"), n_blocks, n_filters };
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
fn positions<G: NetGame + Game>(size: u8, rng: &mut fastrand::Rng) -> Vec<(G, MoveList)> {
    let size = if size == 0 { G::INFO.default_size } else { size };
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

fn sample<G: NetGame + Game>(pos: &G, moves: &MoveList) -> Sample {
    let mut input = NetInput::default();
    pos.encode(&mut input);
    let share = 1.0 / moves.len() as f32;
    let policy = moves.iter().map(|&m| (pos.policy_index(m), share)).collect();
    Sample { input, policy, value: 0.5, lead: 0.1 }
}
