//! Lets the champion of Cachex play against itself from every first stone, and prints who won how often.
//!
//! `cargo run --release -p yarra-engine --example openings-cachex -- SIZE GAMES NODES SEED`
//!
//! The first stone is never stolen here: where red wins more than half, it should be. Half a turn of the board
//! changes nothing, so only one of two such stones is played. Each game's nodes a move differ a little, so that no
//! two games are the same.

use std::error::Error;
use std::io::{self, Write};

use yarra_engine::Limits;
use yarra_engine::agent::unwatched;
use yarra_engine::champion::cachex::AGENTS;
use yarra_games::{Player, Record};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |usual| numbers.next().unwrap_or(Ok(usual));
    let (size, n_games, nodes, seed) = (next(7)? as usize, next(10)?, next(2000)?, next(1)?);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut out = io::stdout().lock();
    let mut percents = vec![String::from("--"); size * size];
    for cell in 0..(size * size).div_ceil(2) {
        let is_center = size % 2 == 1 && cell == size * size / 2;
        if is_center {
            continue;
        }
        let (mut points, opposite) = (0.0, size * size - 1 - cell);
        for _ in 0..n_games {
            points += play(size, cell, rng.u64(nodes / 2..nodes * 3 / 2))?;
        }
        let percent = format!("{:2.0}", 99.0 * points / n_games as f64);
        percents[cell].clone_from(&percent);
        percents[opposite] = percent;
    }
    for row in percents.chunks(size) {
        writeln!(out, "{}", row.join(" "))?;
    }
    Ok(())
}

/// Red's points in a game from a first stone that is not stolen.
fn play(size: usize, cell: usize, nodes: u64) -> Result<f64, Box<dyn Error>> {
    let mut rows = vec![vec!['.'; size]; size];
    rows[cell / size][cell % size] = 'r';
    let board = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
    // Two plies later nothing can be stolen.
    let mut record = Record::read(&format!("cachex:{size}"), Some(&format!("{board} b 3")), [])?;
    let mut agent = AGENTS[0].make(record.now(), "table=4", 0)?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    while record.outcome().is_none() {
        let m = agent.choose(&record, limits, &mut unwatched)?.mv;
        record.play(m);
    }
    Ok(match record.outcome().and_then(|outcome| outcome.winner) {
        Some(Player::Red) => 1.0,
        Some(Player::Blue) => 0.0,
        None => 0.5,
    })
}
