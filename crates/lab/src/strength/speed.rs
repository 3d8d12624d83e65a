//! `lab strength speed GAME`

use std::io::{self, Write};

use anyhow::Context;

use super::Bench;
use crate::yarra::saved_games;

/// How much of a search's last `info` line is shown: the rest is the principal variation.
const SHOWN: usize = 100;

/// Depth and nodes after one second, at the start and during a game of champions.
pub fn run(bench: &Bench<'_>) -> anyhow::Result<()> {
    let game = &*bench.args.game;
    let file = bench.kept.join(format!("speed_{}.jsonl", game.replace(':', "_")));
    let limits = ["--nodes", "20000", "--games", "1", "--seed", "1", "--openings", "random:4"];
    bench.yarra.play(&[&[game, "champion", "champion"], &limits[..]].concat(), &file)?;
    let games = saved_games(&file)?;
    let moves =
        games.first().and_then(|game| game["moves"].as_array()).context("expected a game with moves")?;
    let moves: Vec<&str> = moves.iter().filter_map(|m| m.as_str()).collect();
    for threads in [1, 2] {
        for ply in [0, 4, 14, 40] {
            let path = moves[..ply.min(moves.len())].join(" ");
            let moves = if path.is_empty() { path } else { format!(" moves {path}") };
            let commands = format!("position startpos{moves}\ngo movetime 1000\n");
            let info = bench.yarra.last_info(game, &format!("champion:threads={threads}"), &commands)?;
            let shown: String = info.chars().take(SHOWN).collect();
            writeln!(io::stdout(), "threads={threads} ply={ply}: {shown}")?;
        }
    }
    Ok(())
}
