//! `yarra match`

mod show;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use yarra_arena::{Finished, Job, Match, MatchSpec, News, Openings, Standing};
use yarra_catalog::{open, usual_openings};
use yarra_files::GameLog;

use crate::args::{ColorArgs, HostArgs, LimitArgs};
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::{self, Progress};
use crate::words::plural;

/// Play two agents against each other and estimate which is stronger.
///
/// Colors are swapped on each opening. Limits in an agent's spec take precedence over the options; an agent without any
/// limit gets 100 ms per move. An agent loses the game if it exceeds its time for a move by more than 100 ms, or its
/// clock at all. With a fixed depth or number of nodes, the same command plays the same games.
///
/// `python:DIR` is an unmodified course agent: DIR is the folder that contains its package. It runs in its own process
/// under the course's limits, and games start with the empty board unless --openings is given.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra match infexion negamax:depth=3 random
  yarra match cachex:7 deepening mcts --move-time 50ms --games 100 --jobs 2 --save games.jsonl
  yarra match infexion python:my-agent entourage --games 2

`yarra agents GAME` lists the agents. Repeating a command with --save plays only the missing games.")]
pub struct MatchArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// The first agent, for instance `negamax:depth=4`.
    #[arg(value_name = "A")]
    first: String,
    /// The second agent.
    #[arg(value_name = "B")]
    second: String,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    #[command(flatten)]
    limits: LimitArgs,
    /// Seed of the openings and of the agents' randomness.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Number of games in parallel; more than the number of cores distorts the clocks.
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Start with K random moves that do not end the game [default: 4 in Infexion, 2 elsewhere].
    #[arg(long, value_name = "random:K")]
    openings: Option<Openings>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Append each game to this file; games of this match that it already contains are not played again.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Show where the agents spend their time.
    #[arg(long)]
    profile: bool,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    host: HostArgs,
}

impl MatchArgs {
    fn spec(&self) -> anyhow::Result<MatchSpec> {
        let game = self.game.parse()?;
        let agents = [self.first.parse()?, self.second.parse()?];
        Ok(MatchSpec {
            game,
            start: None,
            limits: self.limits.limits(),
            openings: self.openings.unwrap_or_else(|| usual_openings(game, &agents)),
            agents,
            seed: self.seed,
            games: self.games,
        })
    }
}

pub fn run(args: &MatchArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let contest = open(args.spec()?, &args.host.host()?)?;
    let stop = interrupt::flag()?;
    let mut standing = Standing::new(&contest);
    if !args.json {
        writeln!(out, "{}", show::heading(&contest))?;
    }
    let mut log = None;
    if let Some(path) = &args.save {
        let n_old;
        (log, n_old) = resume(path, &contest, &mut standing)?;
        if 0 < n_old && !args.json {
            writeln!(out, "{} of this match from {}", plural(n_old, "game"), path.display())?;
        }
    }

    let mut progress = Progress::new("match");
    let is_live = progress::is_live() && args.jobs == 1;
    let job =
        Job { n_threads: args.jobs.into(), is_profiled: args.profile, reports_moves: is_live, stop: &stop };
    let mut failed = None;
    contest.run(&standing.missing(), &job, &mut |news| {
        let shown = match &news {
            News::Moved { .. } => {
                progress.picture(|| show::picture(&contest, &standing, &news, args.color.style()));
                Ok(())
            }
            News::Finished(game) => {
                let line = finish(game, &contest, &mut standing, log.as_mut());
                if !is_live {
                    progress.show(standing.fraction(), || show::short(&standing));
                }
                line.and_then(|line| match args.json {
                    true => Ok(()),
                    false => Ok(progress.aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?),
                })
            }
        };
        match shown {
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
        true => writeln!(out, "{}", show::json(&contest, &standing))?,
        false => write!(out, "{}", show::summary(&contest, &standing, args.profile))?,
    }
    let n_missing = standing.missing().len();
    if 0 < n_missing && stop.is_raised() {
        out.flush()?;
        writeln!(io::stderr(), "stopped: {} not played", plural(n_missing, "game"))?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the log and counts its games of this match.
fn resume(
    path: &Path,
    contest: &Match<'_>,
    standing: &mut Standing,
) -> anyhow::Result<(Option<GameLog>, usize)> {
    let opened = GameLog::open(path)?;
    if opened.was_torn {
        writeln!(io::stderr(), "{}: the last game is incomplete and is dropped", path.display())?;
    }
    let mut n_old = 0;
    for game in &opened.games {
        let Some(round) = contest.round_of(&game.saved).filter(|&round| !standing.is_done(round)) else {
            continue;
        };
        // A game with invalid moves must not count.
        game.record()?;
        standing.add(round, &game.saved);
        n_old += 1;
    }
    Ok((Some(opened.log), n_old))
}

/// Counts and saves a finished game, and returns a line about it.
fn finish(
    game: &Finished,
    contest: &Match<'_>,
    standing: &mut Standing,
    log: Option<&mut GameLog>,
) -> anyhow::Result<String> {
    let seconds = standing.add_played(game.round, &game.played);
    if let Some(log) = log {
        log.append(&game.played.saved)?;
    }
    Ok(show::line(contest, standing, game, seconds))
}
