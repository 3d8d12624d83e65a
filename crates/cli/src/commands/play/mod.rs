//! `yarra play`

mod help;
mod hint;
mod input;
mod prompt;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use yarra_arena::session::{SeatingError, Session};
use yarra_catalog::prepare;
use yarra_engine::AgentSpec;
use yarra_files::{FileError, check_is_new};
use yarra_games::{ByPlayer, GameSpec, Position, Record};

use crate::args::{ColorArgs, HostArgs, warn_of_unused};
use crate::{ERROR, clean, interrupt};
use prompt::Prompt;

/// The spec of a person at this terminal.
const HUMAN: &str = "human";

/// Play at the terminal, against another person or any agent.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra play infexion --blue champion
  yarra play cachex:7 --blue negamax:depth=3 --think
  yarra play infexion --red mcts:movetime=1s --save game.json
  yarra play infexion --load game.json

At the prompt, type a move or `help`. `yarra agents GAME` lists the agents.")]
pub struct PlayArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// Who plays red: `human`, or an agent such as `negamax:depth=3`.
    #[arg(long, value_name = "WHO", default_value = HUMAN)]
    red: String,
    /// Who plays blue.
    #[arg(long, value_name = "WHO", default_value = HUMAN)]
    blue: String,
    /// Seed of the agents' randomness [default: random].
    #[arg(long)]
    seed: Option<u64>,
    /// Show the agents' scores, expected lines, time and memory.
    #[arg(long)]
    think: bool,
    /// Start at this position, in its notation, instead of the start position.
    #[arg(long, conflicts_with = "load")]
    position: Option<String>,
    /// Continue the last game of this file.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the game to this file after each move.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    host: HostArgs,
}

pub fn run(args: &PlayArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    // Each move is saved before the next prompt.
    interrupt::leave_at_once()?;
    let record = Record::read(&args.game, args.position.as_deref(), [])?;
    let host = args.host.host()?;
    let players = ByPlayer { red: args.red.clone(), blue: args.blue.clone() };
    let specs = players.as_ref().map(|text| (text != HUMAN).then(|| text.parse()).transpose());
    let specs: ByPlayer<Option<AgentSpec>> = ByPlayer { red: specs.red?, blue: specs.blue? };
    let unused = args.host.unused_limit([&specs.red, &specs.blue].into_iter().flatten());
    // Agents play under only their own limits.
    let seat = move |player, pos: &dyn Position| {
        specs[player].as_ref().map(|spec| prepare(spec, pos, &host)).transpose()
    };
    let session = match Session::new(record, Box::new(seat), args.seed.unwrap_or_else(seed_of_the_moment)) {
        Err(SeatingError::Fault(fault)) => {
            write!(clean::stderr(), "yarra: {}", prompt::told(&fault))?;
            return Ok(ExitCode::from(ERROR));
        }
        session => session?,
    };
    warn_of_unused(unused)?;
    let mut prompt = Prompt::new(session, players, args.color.style())?;
    prompt.thinks_aloud = args.think;
    if let Some(path) = &args.load {
        let news = prompt.load(path)?;
        check_game(&args.game, prompt.session.record().start().spec())
            .with_context(|| path.display().to_string())?;
        writeln!(out, "{news}")?;
    }
    if let Some(path) = &args.save {
        check_is_free(path, args.load.as_deref())?;
        prompt.keep_in(path)?;
    }
    prompt.run(out)
}

/// A loaded game may have another size, but it must be the requested game.
fn check_game(asked: &str, loaded: GameSpec) -> anyhow::Result<()> {
    if !loaded.is_named_by(asked)? {
        bail!("expected a game of {asked}, found one of {loaded}");
    }
    Ok(())
}

/// A new game must not overwrite another file.
fn check_is_free(path: &Path, loaded: Option<&Path>) -> Result<(), FileError> {
    if loaded == Some(path) {
        return Ok(());
    }
    check_is_new(path, "choose another file, or continue its game with --load")
}

/// A seed that is short enough to retype.
pub fn seed_of_the_moment() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(time.subsec_nanos())
}
