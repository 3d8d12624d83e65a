//! `yarra match`

mod faults;
mod show;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use yarra_arena::{Finished, InOrder, Job, Match, MatchSpec, News, Openings, Standing};
use yarra_catalog::{open, usual_openings};
use yarra_files::GameLog;

use crate::args::{ColorArgs, HostArgs, LimitArgs, warn_of_unused};
use crate::clean::stderr;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::{self, Progress};
use crate::words::{file_name, plural, printable};

/// Play two agents against each other and estimate which is stronger.
///
/// Prints each game, then the score, the difference of strength in Elo with its 95 % interval, and the likelihood of
/// superiority (LOS): how likely it is that A is the stronger agent, by these games alone. 50 % means that nothing is
/// known; from 95 % on it is usually believed. A game lost by a fault counts like any other, so the faults of each agent
/// are listed, and a warning says when they, not strength, decided the match.
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
    /// Print one JSON object: the score, the faults of each agent, and every game with its reason.
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
    let spec = args.spec()?;
    let unused = args.host.unused_limit(spec.agents.iter());
    let contest = open(spec, &args.host.host()?)?;
    warn_of_unused(unused)?;
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
            writeln!(out, "{} of this match from {}", plural(n_old, "game"), file_name(path))?;
        }
    }

    // A game can take minutes.
    out.flush()?;
    let is_live = progress::is_live() && args.jobs == 1;
    let job =
        Job { n_threads: args.jobs.into(), is_profiled: args.profile, reports_moves: is_live, stop: &stop };
    let rounds = standing.missing();
    let mut in_order = InOrder::new(&rounds);
    let mut reporter =
        Reporter { args, contest: &contest, standing, progress: Progress::new("match"), is_live, out };
    let mut failed = None;
    let ran = contest.run(&rounds, &job, &mut |news| {
        let done = match news {
            News::Moved { .. } => {
                reporter.show_move(&news);
                Ok(())
            }
            // A game is saved when it is over, whatever becomes of the others, but printed in the order of rounds.
            News::Finished(game) => keep(&game, log.as_mut())
                .and_then(|()| in_order.add(game).iter().try_for_each(|game| reporter.finish(game))),
        };
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    in_order.rest().try_for_each(|game| reporter.finish(&game))?;
    let Reporter { standing, progress, out, .. } = reporter;
    drop(progress);
    match args.json {
        true => writeln!(out, "{}", show::json(&contest, &standing))?,
        false => write!(out, "{}", show::summary(&contest, &standing, args.profile))?,
    }
    let n_missing = standing.missing().len();
    if let Err(error) = ran {
        out.flush()?;
        writeln!(
            stderr(),
            "yarra: {}; {} not played",
            printable(&error.to_string()),
            plural(n_missing, "game")
        )?;
        return Ok(ExitCode::FAILURE);
    }
    if 0 < n_missing && stop.is_raised() {
        out.flush()?;
        writeln!(stderr(), "stopped: {} not played", plural(n_missing, "game"))?;
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
        writeln!(stderr(), "{}: the last game is incomplete and is dropped", file_name(path))?;
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

/// Saves a finished game.
fn keep(game: &Finished, log: Option<&mut GameLog>) -> anyhow::Result<()> {
    Ok(log.map_or(Ok(()), |log| log.append(&game.played.saved))?)
}

/// Counts what is played and prints it.
struct Reporter<'a, W> {
    args: &'a MatchArgs,
    contest: &'a Match<'a>,
    standing: Standing,
    progress: Progress,
    /// Whether the board of the running game is shown.
    is_live: bool,
    out: W,
}

impl<W: Write> Reporter<'_, W> {
    fn show_move(&mut self, news: &News) {
        let Reporter { args, contest, standing, .. } = self;
        self.progress.picture(|| show::picture(contest, standing, news, args.color.style()));
    }

    fn finish(&mut self, game: &Finished) -> anyhow::Result<()> {
        let Reporter { args, contest, standing, progress, is_live, out } = self;
        let seconds = standing.add_played(game.round, &game.played);
        if !*is_live {
            progress.show(standing.fraction(), || show::short(standing));
        }
        if !args.json {
            let line = show::line(contest, standing, game, seconds);
            progress.aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
        }
        Ok(())
    }
}
