//! `yarra match`

mod show;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ColorChoice;
use yarra_arena::foreign::{Guest, Host};
use yarra_arena::{Job, Match, News, Openings, Seat};
use yarra_catalog::prepare;
use yarra_engine::options::read_duration;
use yarra_engine::{AgentSpec, Limits, SpecError};
use yarra_games::{Position, start};

use crate::draw::Style;
use crate::files::GameLog;
use crate::host::HostArgs;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::{self, Progress};
use crate::words::plural;
use show::Score;

/// Play two agents against each other and say who is stronger.
///
/// Colors are swapped on each opening. Limits in an agent's spec win over those given here; an agent
/// without any has 100 ms a move. Fixed nodes or depth give the same games each time.
///
/// `python:DIR` is an agent of the course, unchanged: the folder that holds its package. It plays in a process
/// of its own under the course's limits, from the empty board unless --openings says otherwise.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra match infexion negamax:depth=3 random
  yarra match cachex:7 deepening mcts --move-time 50ms --games 100 --jobs 2 --save games.jsonl
  yarra match infexion python:my-agent entourage --games 2

`yarra agents GAME` lists the agents. The same command with the same --save plays only what is missing.")]
pub struct MatchArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// The first agent, for instance `negamax:depth=4`.
    #[arg(value_name = "A")]
    first: AgentSpec,
    /// The second agent.
    #[arg(value_name = "B")]
    second: AgentSpec,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Time for all moves of a game, as in `180s`; who has used it up has lost.
    #[arg(long, value_name = "TIME", value_parser = time)]
    clock: Option<Duration>,
    /// Time for each move, as in `100ms`; who is late by more than another 100 ms has lost.
    #[arg(long, value_name = "TIME", value_parser = time)]
    move_time: Option<Duration>,
    /// Plies to look ahead.
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Positions, or playouts, to look at for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Where openings and the agents' randomness come from.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Games at the same time; more than the machine has processors is unfair to the clock.
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Begin with K random moves that do not end the game, by default 4 in Infexion and 2 elsewhere.
    #[arg(long, value_name = "random:K")]
    openings: Option<Openings>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Add each game to this file; games of the same match that it already holds are not played again.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Show which parts of the agents took the time.
    #[arg(long)]
    profile: bool,
    /// Whether to color the boards.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(flatten)]
    host: HostArgs,
}

/// What an agent gets if nobody says anything.
pub const USUAL_MOVE_TIME: Duration = Duration::from_millis(100);

pub fn run(args: &MatchArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let start = start(&args.game)?;
    let host = args.host.host()?;
    let limits =
        Limits { depth: args.depth, nodes: args.nodes, move_time: args.move_time, clock: args.clock };
    let contest = Match {
        start: &*start,
        seats: [seat(&args.first, &*start, limits, &host)?, seat(&args.second, &*start, limits, &host)?],
        limits,
        n_games: args.games,
        openings: args.openings.unwrap_or_else(|| usual_openings(args, &*start)),
        seed: args.seed,
    };
    let stop = interrupt::flag()?;
    let mut score = Score::new(&contest);
    let mut log = None;
    if !args.json {
        writeln!(out, "{}", show::heading(&contest))?;
    }
    if let Some(path) = &args.save {
        let (opened, games, is_torn) = GameLog::open(path)?;
        log = Some(opened);
        if is_torn {
            writeln!(io::stderr(), "{}: the last game was cut off and is dropped", path.display())?;
        }
        let n_old = games.iter().filter(|game| score.add_old(game)).count();
        if 0 < n_old && !args.json {
            writeln!(out, "{} of this match from {}", plural(n_old, "game"), path.display())?;
        }
    }

    let mut progress = Progress::new("match");
    let is_live = progress::is_live() && args.jobs == 1;
    let n_threads = args.jobs.into();
    let job = Job { n_threads, is_profiled: args.profile, tells_moves: is_live, stop: &stop };
    let mut failed = None;
    contest.run(&score.missing(), &job, &mut |news| {
        let told = match news {
            News::Moved { .. } => {
                progress.picture(|| show::picture(&score, &news, Style::new(args.color)));
                Ok(())
            }
            News::Finished(game) => {
                let line = score.add(game.round, &game.played);
                if !is_live {
                    progress.show(score.fraction(), || score.short());
                }
                let kept = log.as_mut().map_or(Ok(()), |log| log.append(&game.played.saved));
                kept.and_then(|()| match args.json {
                    true => Ok(()),
                    false => Ok(progress.aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?),
                })
            }
        };
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    drop(progress);
    if let Some(error) = failed {
        return Err(error);
    }
    match args.json {
        true => writeln!(out, "{}", score.json())?,
        false => write!(out, "{}", score.summary(args.profile))?,
    }
    let n_missing = score.missing().len();
    if 0 < n_missing && stop.is_raised() {
        out.flush()?;
        writeln!(io::stderr(), "stopped: {} not played", plural(n_missing, "game"))?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// The course's games begin with the empty board, and so do its agents.
fn usual_openings(args: &MatchArgs, start: &dyn Position) -> Openings {
    let has_guest = [&args.first, &args.second].into_iter().any(|spec| spec.is_external());
    if has_guest { Openings { n_plies: 0 } } else { Openings::usual(start) }
}

/// An agent of a match, with limits of its own if nobody gives it any.
pub fn seat<'a>(
    spec: &AgentSpec,
    start: &'a dyn Position,
    shared: Limits,
    host: &'a Host,
) -> anyhow::Result<Seat<'a>> {
    let recipe = prepare(spec, start, host)?;
    let mut limits = recipe.limits();
    if recipe.guest().is_none() && limits.within(shared) == Limits::default() {
        limits.move_time = Some(USUAL_MOVE_TIME);
    }
    Ok(Seat {
        name: spec.to_string(),
        limits,
        hears_limits: recipe.guest().is_none_or(Guest::hears_limits),
        guest: recipe.guest().map(Guest::saved),
        make: Box::new(move |seed| Ok(recipe.make(seed))),
    })
}

/// Reads a time as in `100ms`.
pub fn time(text: &str) -> Result<Duration, SpecError> {
    read_duration(text)
}
