//! `yarra analyze`

mod game;
mod graph;
mod page;
mod position;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ColorChoice;
use yarra_arena::foreign::Host;
use yarra_catalog::{agents, make};
use yarra_engine::options::read_duration;
use yarra_engine::{Agent, AgentSpec, Limits, Stop};
use yarra_games::{GAMES, Position, Record, SavedGame, find};

use crate::files::read_games;
use crate::interrupt::INTERRUPTED;
use crate::verdict::Verdict;
use crate::words::{plural, printable};

/// Find the best lines of a position, or review a game that was played.
///
/// A review judges each move by the chance to win that it lost (best, good, inaccuracy, mistake, blunder), shows
/// what would have been better, and sums up how both players did. --html makes a page of it with a board to
/// step through. Ctrl-C shows what was found so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra analyze infexion --moves \"3-3 2-2\" --lines 3
  yarra analyze mine.jsonl --game 2 --html review.html
  yarra analyze cachex mine.jsonl --ply 12 --time 10s

Games are those of `yarra match --save`, `yarra play --save`, and traces of the official referee.")]
pub struct AnalyzeArgs {
    /// A game, for instance `infexion` or `cachex:9`, or a file of saved games (`-` for the standard input).
    #[arg(value_name = "GAME|FILE")]
    what: String,
    /// A file of saved games, if a game stands before it.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Analyze this position instead of the start, in its notation.
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Make these moves first, with blanks between.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Of a file with several games, take the one with this number, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Of a game in a file, analyze the position with this ply instead of reviewing the game.
    #[arg(long, value_name = "N")]
    ply: Option<u16>,
    /// Who looks, for instance `champion:table=256`; by default the game's champion.
    #[arg(long, value_name = "SPEC")]
    agent: Option<AgentSpec>,
    /// Time for the position, as in `10s`, or for each position of a game; 3 s and 300 ms if no limit is given.
    #[arg(long, value_name = "T", value_parser = read_duration)]
    time: Option<Duration>,
    /// Positions, or playouts, to look at for each position: the same command gives the same answer.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies to look ahead.
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// How many lines of a position to show, if the agent can tell as many; 3 if not given.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    lines: Option<u16>,
    /// Where the agent's randomness comes from.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the review of a game as one page for a browser.
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Whether to color boards and graphs.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

const LINES: u16 = 3;
const TIME_OF_POSITION: Duration = Duration::from_secs(3);
const TIME_IN_REVIEW: Duration = Duration::from_millis(300);

pub fn run(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let name = args.what.split(':').next().unwrap_or_default();
    let is_game = GAMES.iter().any(|game| game.name == name);
    let stop = match (is_game, &args.file) {
        (true, None) => analyze_position(args, out)?,
        (true, Some(path)) => analyze_file(args, path, out)?,
        (false, None) => analyze_file(args, Path::new(&args.what), out)?,
        (false, Some(_)) => bail!("{}, before a file", find(&args.what).err().context("no game")?),
    };
    if stop.is_raised() {
        out.flush()?;
        writeln!(io::stderr(), "stopped: not everything was looked at")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

fn analyze_position(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<Stop> {
    if args.game.is_some() || args.ply.is_some() {
        bail!("--game and --ply choose from a file, but `{}` is a game", args.what);
    }
    let moves = args.moves.as_deref().unwrap_or_default();
    let record = Record::read(&args.what, args.position.as_deref(), moves.split_whitespace())?;
    position::run(args, &record, out)
}

fn analyze_file(args: &AnalyzeArgs, path: &Path, out: &mut impl Write) -> anyhow::Result<Stop> {
    if path != Path::new("-") && !path.exists() {
        match find(&args.what) {
            Ok(_) => bail!("there is no file {}", path.display()),
            Err(error) => bail!("{error}, and there is no such file"),
        }
    }
    if args.position.is_some() || args.moves.is_some() {
        bail!(
            "--position and --moves go with a game, but {} is a file: --ply chooses from it",
            path.display()
        );
    }
    let (saved, record) = choose_game(args, path)?;
    let Some(ply) = args.ply else {
        return game::run(args, &saved, &record, out);
    };
    let plies = record.start().ply()..=record.now().ply();
    if !plies.contains(&ply) {
        bail!("expected a ply from {} to {}, found {ply}", plies.start(), plies.end());
    }
    let mut record = record;
    while ply < record.now().ply() {
        record.undo();
    }
    position::run(args, &record, out)
}

/// The one game of a file that is meant.
fn choose_game(args: &AnalyzeArgs, path: &Path) -> anyhow::Result<(SavedGame, Record)> {
    let mut games = read_games(path)?;
    let n = match args.game {
        Some(n) if (1..=games.len()).contains(&n) => n,
        Some(n) => bail!("expected a game from 1 to {}, found {n}", games.len()),
        None if games.len() == 1 => 1,
        None => bail!(
            "{} holds {}; choose one with --game N: {}",
            path.display(),
            plural(games.len(), "game"),
            list(&games)
        ),
    };
    let (_, saved, record) = games.swap_remove(n - 1);
    let (spec, asked) = (record.start().spec(), args.what.as_str());
    let is_asked = args.file.is_none() || spec == asked || spec.split(':').next() == Some(asked);
    if !is_asked {
        bail!("expected a game of {asked}, but game {n} of {} is {spec}", path.display());
    }
    Ok((saved, record))
}

/// The first games of a file in a few words each.
fn list(games: &[(usize, SavedGame, Record)]) -> String {
    const MOST: usize = 6;
    let about = |(n, (_, saved, record)): (usize, &(usize, SavedGame, Record))| {
        let result = Verdict::of(saved, record).map_or("not over".to_owned(), |verdict| verdict.to_string());
        format!("{n} {result}")
    };
    let rest = if MOST < games.len() { ", …" } else { "" };
    let games: Vec<String> = (1..).zip(games).take(MOST).map(about).collect();
    printable(&games.join(", ")) + rest
}

/// Whoever looks, with its spec and what it may spend on a look.
struct Looker {
    agent: Box<dyn Agent>,
    spec: AgentSpec,
    limits: Limits,
}

fn looker(args: &AnalyzeArgs, pos: &dyn Position, usual_time: Duration) -> anyhow::Result<Looker> {
    let spec = match &args.agent {
        Some(spec) if spec.is_python() => {
            bail!(
                "expected an agent of `yarra agents {}`, since agents of the course tell no scores, found {:?}",
                pos.spec(),
                spec.as_str()
            )
        }
        Some(spec) => spec.clone(),
        None => usual_agent(pos).parse()?,
    };
    let (agent, own) = make(&spec, pos, args.seed, &Host::default())?;
    let shared = Limits { depth: args.depth, nodes: args.nodes, move_time: args.time, clock: None };
    let mut limits = own.within(shared);
    if limits == Limits::default() {
        limits.move_time = Some(usual_time);
    }
    Ok(Looker { agent, spec, limits })
}

/// The strongest that plays the game.
fn usual_agent(pos: &dyn Position) -> &'static str {
    let has_champion = agents(&pos.spec()).any(|info| info.name == "champion");
    if has_champion { "champion" } else { "deepening" }
}
