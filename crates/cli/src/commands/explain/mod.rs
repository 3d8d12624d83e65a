//! `yarra explain`

mod analysis;
mod show;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use yarra_arena::explain::explain;
use yarra_catalog::{Host, prepare};
use yarra_engine::{AgentSpec, Progress};
use yarra_games::Ending;

use crate::args::{ColorArgs, LimitArgs, StartArgs};
use crate::interrupt::{self, INTERRUPTED};

/// Show why an agent plays a move: its lines, its search statistics, and its evaluation term by term.
///
/// Without limits the agent uses its own default. Measuring the parts of a search takes time too: trust the
/// percentages, not the absolute times. Ctrl-C stops the search and explains its result so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra explain infexion entourage --moves \"3-3 2-2 3-4\"
  yarra explain cachex:7 deepening --move-time 500ms
  yarra explain hex:5 mcts:cut=6 --nodes 2000 --json

`yarra agents GAME` lists the agents.")]
pub struct ExplainArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// The agent, for instance `negamax:depth=4`.
    agent: String,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Seed of the agent's randomness.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    color: ColorArgs,
}

pub fn run(args: &ExplainArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let record = args.start.record(&args.game)?;
    if let Some(outcome) = record.outcome() {
        bail!("expected a game that is not over, found one that is: {}", Ending::from(outcome));
    }
    let spec: AgentSpec = args.agent.parse()?;
    let prepared = prepare(&spec, record.now(), &Host::default())?;
    let limits = prepared.limits.within(args.limits.limits());
    let stop = interrupt::flag()?;
    let agent = (prepared.make)(args.seed)?;
    let explanation = explain(agent, spec.as_str(), record, limits, &mut |_: &Progress<'_>| stop.flow())?;
    match args.json {
        true => writeln!(out, "{}", explanation.json())?,
        false => write!(out, "{}", show::text(&explanation, args.color.style()))?,
    }
    if stop.is_raised() {
        out.flush()?;
        writeln!(io::stderr(), "stopped: the search was not finished")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
