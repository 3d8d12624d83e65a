//! `lab overruns`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use serde_json::Value;
use yarra_engine::SpecError;
use yarra_engine::options::read_duration;

use crate::yarra::{Yarra, saved_games};

/// Print the longest move of every agent with time control, in four games at a given move time.
///
/// On a quiet machine no agent exceeds the time by more than 5 ms. The `yarra` program next to `lab` plays the games,
/// so build it first: `cargo build --release`.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab overruns 10ms\n  lab overruns 50ms --game hex:11")]
pub struct OverrunsArgs {
    /// The time for each move.
    #[arg(default_value = "10ms", value_parser = time)]
    time: String,
    /// Only this game of the list.
    #[arg(long)]
    game: Option<String>,
    /// The program that plays, instead of the one next to `lab`.
    #[arg(long, value_name = "PATH")]
    yarra: Option<PathBuf>,
}

const CACHEX: &[&str] = &[
    "tbd",
    "tbd:depth=6",
    "tbd-greedy",
    "tbd-mcts",
    "greedy",
    "minimax:depth=6",
    "negamax:depth=8",
    "negascout:depth=8",
    "deepening",
    "mcts",
];

/// The games with the agents that play in each.
const FIELDS: [(&str, &[&str]); 6] = [
    (
        "infexion",
        &[
            "entourage",
            "entourage-negascout",
            "entourage-mcts",
            "entourage-mcts:rollout=minimax",
            "entourage-shallow",
            "entourage-greedy",
            "entourage-capture",
            "psotip",
            "raccoons",
            "raccoons:depth=4",
            "greedy",
            "minimax:depth=4",
            "negamax:depth=8",
            "negascout:depth=8",
            "deepening",
            "mcts",
        ],
    ),
    (
        "tetress",
        &[
            "insight",
            "insight-greedy",
            "insight-mcts",
            "insight-fixed",
            "insight-hybrid",
            "greedy",
            "minimax",
            "negamax:depth=4",
            "negascout:depth=4",
            "deepening",
            "mcts",
        ],
    ),
    ("cachex:5", CACHEX),
    ("cachex:9", CACHEX),
    ("cachex:15", CACHEX),
    ("hex:11", &["tbd:depth=6", "tbd-mcts", "deepening", "mcts"]),
];

const OPPONENT: &str = "random";

pub fn run(args: &OverrunsArgs) -> anyhow::Result<ExitCode> {
    let is_asked = |game: &str| args.game.as_deref().is_none_or(|asked| asked == game);
    let fields = FIELDS.iter().filter(|(game, _)| is_asked(game)).collect::<Vec<_>>();
    let games = FIELDS.map(|(game, _)| game).join(", ");
    ensure!(
        !fields.is_empty(),
        "expected one of {games}, found `{}`",
        args.game.as_deref().unwrap_or_default()
    );
    let yarra = Yarra::find(args.yarra.as_deref())?;
    let folder = tempfile::tempdir()?;
    let rows = fields.iter().flat_map(|(game, agents)| agents.iter().map(move |agent| (*game, *agent)));
    for (n_row, (game, agent)) in rows.enumerate() {
        let file = folder.path().join(format!("{n_row}.jsonl"));
        let limits = ["--games", "4", "--move-time", &args.time, "--seed", "1"];
        yarra.play(&[&[game, agent, OPPONENT], &limits[..]].concat(), &file)?;
        let longest = saved_games(&file)?.iter().flat_map(own_times).fold(0.0, f64::max);
        writeln!(io::stdout(), "{game:<10} {agent:<22}{:8.3} ms", 1000.0 * longest)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that `yarra` accepts the time.
fn time(text: &str) -> Result<String, SpecError> {
    read_duration(text).map(|_| text.to_owned())
}

/// The seconds of each move of the random player's opponent.
fn own_times(game: &Value) -> Vec<f64> {
    // Red plays the even plies.
    let first = usize::from(game["red"].as_str() == Some(OPPONENT));
    let times = game["times"].as_array().into_iter().flatten();
    times.skip(first).step_by(2).filter_map(Value::as_f64).collect()
}
