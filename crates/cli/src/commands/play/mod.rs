//! `yarra play`

mod help;
mod session;
mod table;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use clap::ColorChoice;
use yarra_engine::AgentSpec;
use yarra_games::{Record, find};

use crate::draw::Style;
use crate::host::HostArgs;
use crate::interrupt;
use session::Session;
use table::{HUMAN, Table};

/// Play at the terminal, against a person or any agent.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra play cachex:7 --blue negamax:depth=3 --think
  yarra play infexion --red mcts:movetime=1s --save game.json
  yarra play infexion --load game.json

At the prompt, type a move or `help`. `yarra agents GAME` lists the agents.")]
pub struct PlayArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// Who plays red: `human`, or an agent such as `negamax:depth=3`.
    #[arg(long, value_name = "WHO", default_value = HUMAN)]
    red: AgentSpec,
    /// Who plays blue.
    #[arg(long, value_name = "WHO", default_value = HUMAN)]
    blue: AgentSpec,
    /// Makes the agents' randomness the same each time.
    #[arg(long)]
    seed: Option<u64>,
    /// Show what the agents think of their moves.
    #[arg(long)]
    think: bool,
    /// Begin at this position, in its notation.
    #[arg(long, conflicts_with = "load")]
    position: Option<String>,
    /// Go on with the last game of this file.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Keep the game in this file, written anew after each move.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Whether to color the boards.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(flatten)]
    host: HostArgs,
}

pub fn run(args: &PlayArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    // Each move has been saved before the next is waited for.
    interrupt::leave_at_once()?;
    let record = Record::read(&args.game, args.position.as_deref(), [])?;
    let seats = [args.red.clone(), args.blue.clone()];
    let has_agent = seats.iter().any(|seat| seat.as_str() != HUMAN);
    let seed = has_agent.then(|| args.seed.unwrap_or_else(seed_of_the_moment));
    let (host, style) = (args.host.host()?, Style::new(args.color));
    let table = Table { seats, seed, thinks_aloud: args.think, host, style };
    let mut session = Session::new(record, table)?;
    if let Some(path) = &args.load {
        let news = session.load(path)?;
        check_game(&args.game, &session.spec()).with_context(|| path.display().to_string())?;
        writeln!(out, "{news}")?;
    }
    if let Some(path) = &args.save {
        check_is_free(path, args.load.as_deref())?;
        session.keep_in(path)?;
    }
    session.run(&mut io::stdin().lock(), out)?;
    Ok(ExitCode::SUCCESS)
}

/// A loaded game has its own size, but it must be the game that was asked for.
fn check_game(asked: &str, loaded: &str) -> anyhow::Result<()> {
    let is_same_size = !asked.contains(':') || find(asked)?.1 == find(loaded)?.1;
    if find(asked)?.0.name != find(loaded)?.0.name || !is_same_size {
        bail!("expected a game of {asked}, found one of {loaded}");
    }
    Ok(())
}

/// Whoever begins a game does not want to lose another.
fn check_is_free(path: &Path, loaded: Option<&Path>) -> anyhow::Result<()> {
    let is_used = fs::metadata(path).is_ok_and(|file| 0 < file.len());
    if is_used && loaded != Some(path) {
        bail!("{} exists; choose another file, or go on with its game by --load", path.display());
    }
    Ok(())
}

/// Short enough to be typed again.
pub fn seed_of_the_moment() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(time.subsec_nanos())
}
