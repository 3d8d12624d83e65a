//! `lab openings`

use std::io::{self, Write};
use std::process::ExitCode;

use yarra_engine::agent::unwatched;
use yarra_games::{Player, Record};
use yarra_learn::selfplay::{play_out, points};

use crate::agents::{champion, nodes};
use crate::progress::Progress;

/// Play games from every first stone of Cachex and print how often red won, in percent.
///
/// The champion plays both colors and never steals the first stone: a stone that wins more than half should be stolen.
/// The board is symmetric under a half turn, so only one of two such stones is played. The nodes per move vary a little
/// from game to game, so that no two games are the same.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab openings 7 10 2000 1")]
pub struct OpeningsArgs {
    /// The size of the board.
    #[arg(default_value_t = 7, value_parser = clap::value_parser!(u8).range(3..=15))]
    size: u8,
    /// Games per first stone.
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Average nodes per move.
    #[arg(default_value_t = 2000, value_parser = clap::value_parser!(u64).range(2..))]
    nodes: u64,
    /// Seed of the variation in nodes.
    #[arg(default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    let (size, n_nodes) = (usize::from(args.size), args.nodes);
    let mut rng = fastrand::Rng::with_seed(args.seed);
    let mut percents = vec![String::from("--"); size * size];
    // The center cannot be the first stone.
    let first_stones = 0..size * size / 2;
    let mut progress = Progress::new("games", first_stones.len() as u64 * args.games);
    for cell in first_stones {
        let mut sum = 0.0;
        for _ in 0..args.games {
            sum += play(size, cell, rng.u64(n_nodes / 2..n_nodes * 3 / 2))?;
            progress.step();
        }
        // Two digits are enough.
        let percent = format!("{:2.0}", 99.0 * sum / args.games as f64);
        percents[cell].clone_from(&percent);
        percents[size * size - 1 - cell] = percent;
    }
    let mut out = io::stdout().lock();
    for row in percents.chunks(size) {
        writeln!(out, "{}", row.join(" "))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Red's points in a game from a first stone that is not stolen.
fn play(size: usize, cell: usize, n_nodes: u64) -> anyhow::Result<f64> {
    let mut rows = vec![vec!['.'; size]; size];
    rows[cell / size][cell % size] = 'r';
    let board = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
    // At ply 3 the stone can no longer be stolen.
    let mut game = Record::read(&format!("cachex:{size}"), Some(&format!("{board} b 3")), [])?;
    let mut agent = champion("table=4", game.now())?;
    play_out(&mut game, |game| agent.choose(game, nodes(n_nodes), &mut unwatched).map(|choice| choice.mv))?;
    Ok(points(&game, Player::Red))
}
