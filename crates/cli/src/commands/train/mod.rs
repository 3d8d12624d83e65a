//! `yarra train`

mod export;
mod recipes;
mod report;
mod show;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail};
use yarra_learn::run::{Length, Outcome, Runner, Working};
use yarra_learn::{Plan, recipe};

use crate::clean::stderr;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use crate::words::file_name;

/// Train an agent by self-play, on the CPU alone.
///
/// Goes on round by round: games against itself, then training, and now and then games against named opponents. Each
/// round is saved. A run that was stopped or killed goes on with the same command, and a longer --minutes extends one
/// that is complete. The directory is an agent from the first round on; the last line says how to play it.
///
/// Recipes: `zero` is AlphaZero for small machines: a convolution net with policy and value, and Gumbel search. `nnue`
/// fits the champion's evaluation to its own games, and trains a small net on top of it. `raccoons` is the AlphaZero of
/// report 004 as its authors built it; each of its faults is an option. `yarra train recipes` lists their options.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  yarra train infexion --recipe zero --out runs/zero --minutes 180
  yarra train infexion --recipe raccoons --set policy=softmax --out runs/softmax --minutes 5
  yarra match infexion zero:net=runs/zero raccoons --games 20
  yarra train report runs/zero --html zero.html"
)]
pub struct TrainArgs {
    #[command(subcommand)]
    command: Option<TrainCommand>,
    /// The game, for instance `infexion`; `cachex` trains one net for several sizes, `cachex:7` for one.
    #[arg(required = true)]
    game: Option<String>,
    /// The recipe: `zero`, `nnue` or `raccoons`.
    #[arg(long, value_name = "R", required = true)]
    recipe: Option<String>,
    /// The directory of the run, new or one to go on with.
    #[arg(long, value_name = "DIR", required = true)]
    out: Option<PathBuf>,
    /// Minutes of wall-clock time in all [default: 60].
    #[arg(long, value_name = "M", value_parser = read_minutes)]
    minutes: Option<f64>,
    /// A number of rounds instead of minutes: then the result is the same to the byte every time.
    #[arg(long, value_name = "N", conflicts_with = "minutes", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Number of threads [default: the number of cores].
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seed of all randomness.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Set an option of the recipe; can be given several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = read_pair)]
    set: Vec<(String, String)>,
    /// Short for --set from=WHAT: `nothing` starts without any hand-made knowledge.
    #[arg(long, value_name = "WHAT")]
    from: Option<String>,
    /// Print each round as one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum TrainCommand {
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Recipes(recipes::RecipesArgs),
}

/// The length of a run if none is given.
const USUAL_MINUTES: f64 = 60.0;

pub fn run(args: &TrainArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match &args.command {
        Some(TrainCommand::Report(args)) => report::run(args, out),
        Some(TrainCommand::Export(args)) => export::run(args, out),
        Some(TrainCommand::Recipes(args)) => recipes::run(args, out),
        None => train(args, out),
    }
}

impl TrainArgs {
    fn plan(&self) -> anyhow::Result<Plan> {
        let required = "a required argument";
        let mut settings = BTreeMap::new();
        let from = self.from.iter().map(|from| ("from".to_owned(), from.clone()));
        for (key, value) in self.set.iter().cloned().chain(from) {
            if settings.insert(key.clone(), value).is_some() {
                bail!("expected {key} to be set only once");
            }
        }
        let length = match self.rounds {
            Some(n) => Length::Rounds(n),
            None => Length::Minutes(self.minutes.unwrap_or(USUAL_MINUTES)),
        };
        Ok(Plan {
            game: self.game.clone().context(required)?,
            recipe: self.recipe.clone().context(required)?,
            seed: self.seed,
            settings,
            length,
            program: concat!(env!("CARGO_PKG_VERSION"), env!("YARRA_COMMIT")).to_owned(),
        })
    }

    fn n_jobs(&self) -> usize {
        self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), usize::from)
    }
}

fn train(args: &TrainArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    let info = recipe(&plan.recipe)?;
    let path = args.out.as_ref().context("a required argument")?;
    let n_jobs = args.n_jobs();
    let mut runner = Runner::begin(path, plan.clone(), info)?;
    let stop = interrupt::flag()?;
    if !args.json {
        let estimate = runner.estimate(info, n_jobs)?;
        write!(out, "{}", show::heading(&plan, path, n_jobs, &estimate, &runner))?;
        out.flush()?;
    }
    // A line for each round, with the progress of the next one below it on a terminal.
    let progress = Mutex::new(Progress::resumed("training", runner.share()));
    let locked = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let working = |at: Working<'_>| {
        let note = || format!("round {}: {} {:.0} %", at.round, at.what, 100.0 * at.fraction);
        locked().show(at.share, note);
    };
    let mut printed = Ok(());
    let ran = runner.run(n_jobs, &stop, &working, &mut |line| {
        let text = if args.json { show::json(line) } else { show::line(line) };
        let print = || {
            writeln!(out, "{text}")?;
            out.flush()
        };
        if let Err(error) = locked().aside(print) {
            // Nobody reads any more.
            stop.raise();
            printed = Err(error);
        }
    });
    drop(progress);
    printed?;
    match ran? {
        Outcome::Complete => {
            if !args.json {
                write!(out, "{}", show::ending(&plan, info, path))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Outcome::Stopped => {
            out.flush()?;
            let n = runner.log().len();
            let saved = format!("stopped: {n} rounds are saved in {}", file_name(path));
            writeln!(stderr(), "{saved}; the same command goes on")?;
            Ok(ExitCode::from(INTERRUPTED))
        }
    }
}

fn read_minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes: &f64| minutes.is_finite() && 0.0 < *minutes);
    minutes.ok_or_else(|| "expected a number of minutes above 0".to_owned())
}

fn read_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    pair.ok_or_else(|| "expected KEY=VALUE".to_owned())
}
