//! `lab fit cachex`

use std::io::{self, Write};

use anyhow::Context;
use fastrand::Rng;
use yarra_engine::champion::cachex::{Paths, features};
use yarra_engine::eval::Evaluator;
use yarra_games::Game;
use yarra_games::cachex::{Bits, Cachex};

use super::linear::{Plan, Positions};
use crate::agents::champion;
use crate::progress::Progress;

/// The board sizes, used in turn.
const SIZES: [u8; 3] = [7, 9, 11];

/// Fit the weights of Cachex's champion, on boards of sizes 7, 9 and 11 in turn.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab fit cachex 300 4000 1")]
pub struct CachexArgs {
    /// Number of games.
    #[arg(default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes per move.
    #[arg(default_value_t = 4000)]
    nodes: u64,
    /// Seed of the random moves.
    #[arg(default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &CachexArgs) -> anyhow::Result<()> {
    let mut rng = Rng::with_seed(args.seed);
    // With this scale the values of positions vary as much as with the hand-set weights.
    let mut positions = Positions::new(Plan { nodes: args.nodes, opinion: 0.0, scale: 235.0 });
    let mut progress = Progress::new("games", args.games);
    for (_, size) in (0..args.games).zip(SIZES.into_iter().cycle()) {
        if size <= <u64 as Bits>::MAX_SIZE {
            play::<u64>(size, &mut positions, &mut rng)?;
        } else {
            play::<u128>(size, &mut positions, &mut rng)?;
        }
        progress.step();
    }
    write!(io::stdout(), "{}", positions.fit()?)?;
    Ok(())
}

fn play<B: Bits>(size: u8, positions: &mut Positions, rng: &mut Rng) -> anyhow::Result<()> {
    let start = Cachex::<B>::start(size).context("a size of Cachex")?;
    let mut agent = champion("table=4,net=off", &start)?;
    let features = |pos: &Cachex<B>| features(pos, Paths::default().root(pos).needs);
    positions.play(&mut *agent, start, rng.u8(1..=size), features, rng)
}
