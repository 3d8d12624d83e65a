//! `lab threshold`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use serde_json::Value;
use yarra_engine::SpecError;
use yarra_engine::options::read_duration;

use crate::yarra::Yarra;

/// Search the number of legal moves up to which `insight-hybrid` should use playouts, by games against `insight`.
///
/// Successive halving: all thresholds play the same openings, the better half goes on with twice as many games, until
/// one is left. At equal points the smaller threshold goes on. The `yarra` program next to `lab` plays the games, so
/// build it first: `cargo build --release`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab threshold\n  lab threshold 2 8 32 --games 4 --think 5ms")]
pub struct ThresholdArgs {
    /// The thresholds to choose from.
    #[arg(value_name = "T", default_values_t = [0, 1, 2, 4, 8, 16, 32, 64])]
    thresholds: Vec<u32>,
    /// Games of each threshold in the first round.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The time for each move.
    #[arg(long, value_name = "TIME", default_value = "20ms", value_parser = time)]
    think: String,
    /// Seed of the openings and of the playouts.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The program that plays, instead of the one next to `lab`.
    #[arg(long, value_name = "PATH")]
    yarra: Option<PathBuf>,
}

pub fn run(args: &ThresholdArgs) -> anyhow::Result<ExitCode> {
    ensure!(1 < args.thresholds.len(), "expected at least two thresholds");
    let yarra = Yarra::find(args.yarra.as_deref())?;
    let folder = tempfile::tempdir()?;
    let mut out = io::stdout();
    let (mut left, mut n_games) = (args.thresholds.clone(), args.games);
    left.sort_unstable();
    left.dedup();
    while 1 < left.len() {
        writeln!(out, "{n_games} games each\nthreshold    points   share")?;
        let mut results = Vec::new();
        for &threshold in &left {
            let hybrid = format!("insight-hybrid:threshold={threshold},think={}", args.think);
            let insight = format!("insight:think={}", args.think);
            let (games, seed) = (n_games.to_string(), args.seed.to_string());
            let limits = ["--games", &games, "--seed", &seed, "--clock", "180s"];
            // The games of the round before are in the file: only the others are played.
            let save = folder.path().join(format!("{threshold}.jsonl"));
            let result = yarra.play(&[&["tetress", &hybrid, &insight], &limits[..]].concat(), &save)?;
            let points = points(&result)?;
            writeln!(out, "{threshold:>9} {points:>9.1} {:>5.0} %", 100.0 * points / f64::from(n_games))?;
            results.push((points, threshold));
        }
        results.sort_by(|a, b| b.0.total_cmp(&a.0));
        left = results[..left.len().div_ceil(2)].iter().map(|&(_, threshold)| threshold).collect();
        left.sort_unstable();
        n_games *= 2;
    }
    writeln!(out, "best: threshold={}", left[0])?;
    Ok(ExitCode::SUCCESS)
}

/// The points of the first player: a draw is half a win.
fn points(result: &Value) -> anyhow::Result<f64> {
    let count = |name: &str| result[name].as_f64().with_context(|| format!("expected {name} in {result}"));
    Ok(count("wins")? + count("draws")? / 2.0)
}

/// Checks that `yarra` accepts the time.
fn time(text: &str) -> Result<String, SpecError> {
    read_duration(text).map(|_| text.to_owned())
}
