//! Fits the weights of Infexion's champion to games that it plays against itself, and prints them.
//!
//! `cargo run --release -p yarra-engine --example fit-infexion -- GAMES NODES SEED`
//!
//! Each game begins with random moves. For each position the features of both players are kept together with how
//! the game ended and what the search made of it; a logistic regression then asks which weights would have
//! foretold that best. Every fifth game is held out, and tells how much of that is chance.

mod regression;

use std::error::Error;
use std::io::{self, Write};

use regression::{fit, loss, sigmoid};
use yarra_engine::agent::unwatched;
use yarra_engine::champion::infexion::{Counts, N_FEATURES, OPTIONS, Reach, counts};
use yarra_engine::champion::{Champion, Expert, Options};
use yarra_engine::{Agent, Limits, Settings};
use yarra_games::cpu::fastest;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Player, Position, Record};

/// One weight for each feature of each player, and one for the turn.
const N_WEIGHTS: usize = 2 * N_FEATURES + 1;
/// How much the search's own opinion counts beside the result.
const OPINION: f64 = 0.4;
/// Hundredths that win three games of four, or so.
const SCALE: f64 = 400.0;

/// Moves of a hundred that are left to chance.
const BLUNDERS: u8 = 2;
/// A pull to zero as strong as this.
const PULL: f64 = 1e-4;

type Sample = regression::Sample<N_WEIGHTS>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |usual| numbers.next().unwrap_or(Ok(usual));
    let (n_games, nodes, seed) = (next(300)?, next(3000)?, next(1)?);
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut samples, mut held_out) = (Vec::new(), Vec::new());
    for idx in 0..n_games {
        play(nodes, &mut rng, if idx % 5 == 0 { &mut held_out } else { &mut samples })?;
    }
    let weights = fit(&samples, &[0.0; N_WEIGHTS], PULL);
    let mut out = io::stdout().lock();
    let losses = [&samples, &held_out].map(|samples| loss(samples, &weights));
    let n_samples = [samples.len(), held_out.len()];
    writeln!(out, "// positions fitted and held out: {n_samples:?}, loss {losses:.4?}")?;
    writeln!(out, "pub const FITTED: Weights = Weights {{")?;
    let (moving, waiting) = weights[..2 * N_FEATURES].split_at(N_FEATURES);
    for (name, sign, weights) in [("moving", 1.0, moving), ("waiting", -1.0, waiting)] {
        writeln!(out, "    {name}: [")?;
        for row in weights.chunks(4) {
            let row: Vec<String> = row.iter().map(|weight| format!("{:.0}", sign * SCALE * weight)).collect();
            writeln!(out, "        {},", row.join(", "))?;
        }
        writeln!(out, "    ],")?;
    }
    writeln!(out, "    turn: {:.0},\n}};", SCALE * weights[2 * N_FEATURES])?;
    Ok(())
}

/// One game; the champion plays both colors with one memory.
fn play(nodes: u64, rng: &mut fastrand::Rng, samples: &mut Vec<Sample>) -> Result<(), Box<dyn Error>> {
    let settings = Settings::read(OPTIONS, "table=4", 0)?;
    let mut champion = Champion::<Infexion, _>::new(Reach::default(), Options::read(&settings)?);
    let mut pos = Infexion::start(7).ok_or("the size of Infexion")?;
    for _ in 0..rng.u8(4..10) {
        let Some(m) = pos.random_move(rng) else { return Ok(()) };
        pos.play(m);
    }
    let mut seen: Vec<([Counts; 2], Player, f64)> = Vec::new();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    while pos.outcome().is_none() {
        let choice = champion.choose(&Record::new(pos.boxed()), limits, &mut unwatched)?;
        let score = choice.score.unwrap_or_default();
        if score.plies_to_end().is_none() {
            let found = fastest(
                #[inline(always)]
                || counts(&pos, Reach::default().see(&pos)),
            );
            seen.push((found, pos.turn(), f64::from(score.0)));
        }
        // Now and then chance moves instead: mistakes must be seen to be punished.
        let m = if rng.u8(..100) < BLUNDERS { pos.random_move(rng).unwrap_or(choice.mv) } else { choice.mv };
        pos.play(m);
    }
    let winner = pos.outcome().and_then(|outcome| outcome.winner);
    for (found, turn, score) in seen {
        let result = winner.map_or(0.5, |winner| if winner == turn { 1.0 } else { 0.0 });
        let mut values = [1.0; N_WEIGHTS];
        for idx in 0..N_FEATURES {
            values[idx] = f64::from(found[0][idx]);
            values[N_FEATURES + idx] = f64::from(found[1][idx]);
        }
        let target = (1.0 - OPINION) * result + OPINION * sigmoid(score / SCALE);
        samples.push(Sample { values, target });
    }
    Ok(())
}
