//! `yarra analyze`

mod game;
mod position;
mod text;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, FromArgMatches};
use yarra_catalog::{Host, prepare, strongest};
use yarra_draw::Style;
use yarra_engine::options::read_duration;
use yarra_engine::{Agent, AgentSpec, Limits, Stop};
use yarra_files::{FiledGame, SavedGame, check_is_new};
use yarra_games::{Position, Record, find, names_game};

use crate::args::{ColorArgs, SearchArgs, StartArgs};
use crate::clean::stderr;
use crate::games::read_games;
use crate::interrupt::INTERRUPTED;
use crate::words::{plural, printable};

/// Find the best lines of a position, or review a saved game.
///
/// A review judges each move by the chance to win that it lost (best, good, inaccuracy, mistake, blunder), shows
/// better moves, and summarizes the play of both sides: accuracy is 100 % if no move lost any chance to win, and a move
/// that loses 15 % of it counts half. --html writes it as a page with a board to step through.
/// Without limits, a position gets 3 s, and each position of a reviewed game 300 ms. Ctrl-C stops and shows the results
/// so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra analyze infexion --moves \"3-3 2-2\" --lines 3
  yarra analyze mine.jsonl --game 2 --html review.html
  yarra analyze cachex mine.jsonl --ply 12 --move-time 10s

Files can come from `yarra match --save` and `yarra play --save`, or be traces of the official referee.")]
pub struct AnalyzeArgs {
    /// A game, for instance `infexion` or `cachex:9`, or a file of saved games (`-` for standard input).
    #[arg(value_name = "GAME|FILE")]
    what: String,
    /// A file of saved games, if the first argument is a game.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    start: StartArgs,
    /// Analyze game number N of a file, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Analyze the position at ply N of a saved game instead of reviewing the game.
    #[arg(long, value_name = "N")]
    ply: Option<u16>,
    /// The agent that searches, for instance `champion:table=256` [default: the game's champion].
    #[arg(long, value_name = "SPEC")]
    agent: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// The name of --move-time in version 0.1.
    #[arg(long, value_name = "TIME", value_parser = read_duration, hide = true, conflicts_with = "move_time")]
    time: Option<Duration>,
    /// Number of lines to show for a position, if the agent supports MultiPV [default: 3].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    lines: Option<u16>,
    /// Seed of the agent's randomness.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the review of a game as an HTML page.
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Let --html overwrite a file.
    #[arg(long, requires = "html")]
    force: bool,
    #[command(flatten)]
    color: ColorArgs,
}

const LINES: u16 = 3;
const TIME_OF_POSITION: Duration = Duration::from_secs(3);
const TIME_IN_REVIEW: Duration = Duration::from_millis(300);

pub fn run(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let stop = match (names_game(&args.what), &args.file) {
        (true, None) => analyze_position(args, out)?,
        (true, Some(path)) => analyze_file(args, path, out)?,
        (false, None) => analyze_file(args, Path::new(&args.what), out)?,
        (false, Some(_)) => bail!("{}, before a file", find(&args.what).err().context("no game")?),
    };
    if stop.is_raised() {
        out.flush()?;
        writeln!(stderr(), "stopped: the analysis is not complete")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reviews a game with the usual settings, and writes the page to a file if one is given.
pub fn review(
    saved: &SavedGame,
    record: &Record,
    page: Option<&Path>,
    style: Style,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let color = if style.color { "always" } else { "never" };
    let mut words: Vec<OsString> = ["analyze", "-", "--color", color].map(OsString::from).to_vec();
    words.extend(page.into_iter().flat_map(|path| ["--html".into(), path.into()]));
    let mut command = AnalyzeArgs::augment_args(clap::Command::new("analyze"));
    let args = AnalyzeArgs::from_arg_matches(&command.try_get_matches_from_mut(words)?)?;
    if let Some(page) = page {
        check_is_new(page, "choose another file")?;
    }
    game::run(&args, saved, record, out)?;
    Ok(())
}

/// Whether two paths name one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|path| Some(path) == real(other))
}

fn analyze_position(args: &AnalyzeArgs, out: &mut impl Write) -> anyhow::Result<Stop> {
    if args.game.is_some() || args.ply.is_some() {
        bail!("--game and --ply need a file, but `{}` is a game", args.what);
    }
    position::run(args, &args.start.record(&args.what)?, out)
}

fn analyze_file(args: &AnalyzeArgs, path: &Path, out: &mut impl Write) -> anyhow::Result<Stop> {
    if path != Path::new("-") && !path.exists() {
        match find(&args.what) {
            Ok(_) => bail!("there is no file {}", path.display()),
            Err(error) => bail!("{error}, and there is no such file"),
        }
    }
    if args.start.position.is_some() || args.start.moves.is_some() {
        bail!(
            "--position and --moves need a game, but {} is a file: choose a position with --ply",
            path.display()
        );
    }
    if args.html.as_deref().is_some_and(|page| is_same(page, path)) {
        bail!("{} contains the games: choose another file for the page", path.display());
    }
    let game = choose_game(args, path)?;
    let mut record = game.record()?;
    let Some(ply) = args.ply else {
        return game::run(args, &game.saved, &record, out);
    };
    let plies = record.start().ply()..=record.now().ply();
    if !plies.contains(&ply) {
        bail!("expected a ply from {} to {}, found {ply}", plies.start(), plies.end());
    }
    while ply < record.now().ply() {
        record.undo();
    }
    position::run(args, &record, out)
}

/// The selected game of a file.
fn choose_game(args: &AnalyzeArgs, path: &Path) -> anyhow::Result<FiledGame> {
    let mut games = read_games(path)?;
    let n = match args.game {
        Some(n) if (1..=games.len()).contains(&n) => n,
        Some(n) => bail!("expected a game from 1 to {}, found {n}", games.len()),
        None if games.len() == 1 => 1,
        None => bail!(
            "{} contains {}; choose one with --game N: {}",
            path.display(),
            plural(games.len(), "game"),
            list(&games)
        ),
    };
    let game = games.swap_remove(n - 1);
    let spec = game.saved.game;
    if args.file.is_some() && !spec.is_named_by(&args.what)? {
        bail!("expected a game of {}, but game {n} of {} is {spec}", args.what, path.display());
    }
    Ok(game)
}

/// A short list of the first games of a file.
fn list(games: &[FiledGame]) -> String {
    const MOST: usize = 6;
    let about = |(n, game): (usize, &FiledGame)| {
        let ending = &game.saved.ending;
        let result = ending.as_ref().map_or("not over".to_owned(), |ending| ending.to_string());
        format!("{n} {result}")
    };
    let rest = if MOST < games.len() { ", …" } else { "" };
    let games: Vec<String> = (1..).zip(games).take(MOST).map(about).collect();
    printable(&games.join(", ")) + rest
}

/// The agent that searches, with its spec and the limits of each search.
struct Searcher {
    agent: Box<dyn Agent>,
    spec: AgentSpec,
    limits: Limits,
}

fn searcher(args: &AnalyzeArgs, pos: &dyn Position, usual_time: Duration) -> anyhow::Result<Searcher> {
    let spec: AgentSpec = args.agent.as_deref().unwrap_or(strongest(pos.info())).parse()?;
    if spec.is_python() {
        bail!(
            "expected an agent of `yarra agents {}`, because course agents give no scores, found {:?}",
            pos.spec(),
            spec.as_str()
        );
    }
    let prepared = prepare(&spec, pos, &Host::default())?;
    let shared = args.search.limits();
    let mut limits = prepared.limits.within(Limits { move_time: shared.move_time.or(args.time), ..shared });
    if limits == Limits::default() {
        limits.move_time = Some(usual_time);
    }
    Ok(Searcher { agent: (prepared.make)(args.seed)?, spec, limits })
}
