//! `lab fit infexion`

use std::io::{self, Write};

use anyhow::Context;
use yarra_engine::champion::infexion::{Reach, features};
use yarra_engine::eval::Evaluator;
use yarra_games::Game;
use yarra_games::infexion::Infexion;

use super::linear::{Plan, Positions};
use crate::agents::champion;
use crate::progress::Progress;

/// Fit the weights of Infexion's champion.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab fit infexion 300 3000 1")]
pub struct InfexionArgs {
    /// Number of games.
    #[arg(default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes per move.
    #[arg(default_value_t = 3000)]
    nodes: u64,
    /// Seed of the random moves.
    #[arg(default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &InfexionArgs) -> anyhow::Result<()> {
    let mut rng = fastrand::Rng::with_seed(args.seed);
    let mut positions = Positions::new(Plan { nodes: args.nodes, opinion: 0.4, scale: 400.0 });
    let start = Infexion::start(7).context("the size of Infexion")?;
    let mut agent = champion("table=4", &start)?;
    let features = |pos: &Infexion| features(pos, Reach::default().root(pos).reached);
    let mut progress = Progress::new("games", args.games);
    for _ in 0..args.games {
        positions.play(&mut *agent, start, rng.u8(4..10), features, &mut rng)?;
        progress.step();
    }
    write!(io::stdout(), "{}", positions.fit()?)?;
    Ok(())
}
