//! `yarra explain`

mod show;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::ColorChoice;
use yarra_arena::foreign::Host;
use yarra_catalog::make;
use yarra_engine::options::read_duration;
use yarra_engine::{AgentSpec, Choice, Limits, Progress, Stop, Term, profile};
use yarra_games::{Outcome, Record};

use crate::draw::Style;
use crate::interrupt::{self, INTERRUPTED};
use crate::verdict::Verdict;

/// Show why an agent plays a move: its lines, its work, and its evaluation term by term.
///
/// Without limits the agent thinks by its own habits. Measuring the parts of a search costs time too: the
/// shares are meant, not the seconds. Ctrl-C explains what was found so far.
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
    agent: AgentSpec,
    /// Explain the move at this position instead of the start, in its notation.
    #[arg(long)]
    position: Option<String>,
    /// Make these moves first, with blanks between.
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Time for the rest of the game, as in `180s`.
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    clock: Option<Duration>,
    /// Time for the move, as in `100ms`.
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    move_time: Option<Duration>,
    /// Plies to look ahead.
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Positions, or playouts, to look at.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Where the agent's randomness comes from.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Whether to color the board.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

pub fn run(args: &ExplainArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let record = Record::read(&args.game, args.position.as_deref(), args.moves.split_whitespace())?;
    if let Some(outcome) = record.outcome() {
        bail!("expected a game that goes on, found one that is over: {}", Verdict::from(outcome));
    }
    let stop = interrupt::flag()?;
    let explanation = explain(args, record, &stop)?;
    match args.json {
        true => writeln!(out, "{}", explanation.json())?,
        false => write!(out, "{}", explanation.text(Style::new(args.color)))?,
    }
    if stop.is_raised() {
        out.flush()?;
        writeln!(io::stderr(), "stopped: the search was not finished")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// A move, and all that is known about why it was chosen.
struct Explanation<'a> {
    agent: &'a AgentSpec,
    limits: Limits,
    record: Record,
    choice: Choice,
    time: Duration,
    /// The agent's evaluation before its move; empty if it has none.
    terms: Vec<Term>,
    after: After,
}

/// What the move leads to.
enum After {
    /// The evaluation there.
    GoesOn(Vec<Term>),
    Over(Outcome),
}

fn explain<'a>(args: &'a ExplainArgs, record: Record, stop: &Stop) -> anyhow::Result<Explanation<'a>> {
    let pos = record.now();
    let (mut agent, own) = make(&args.agent, pos, args.seed, &Host::default())?;
    let shared =
        Limits { depth: args.depth, nodes: args.nodes, move_time: args.move_time, clock: args.clock };
    let limits = own.within(shared);
    agent.begin(pos.turn(), &record, limits)?;
    let mut watch = |_: &Progress<'_>| stop.flow();
    profile::switch(true);
    let started = Instant::now();
    let chosen = agent.choose(&record, limits, &mut watch);
    let time = started.elapsed();
    profile::switch(false);
    let mut choice = chosen?;
    // Agents that do not search leave their profile where it was measured.
    choice.stats.parts.add(&profile::take());
    if !record.legal_moves().contains(&choice.mv) {
        bail!("expected a legal move of {}, found move number {}", args.agent, choice.mv.0);
    }
    let mut next = record.clone();
    next.play(choice.mv);
    let after = match next.outcome() {
        Some(outcome) => After::Over(outcome),
        None => After::GoesOn(agent.terms(&next)),
    };
    let terms = agent.terms(&record);
    Ok(Explanation { agent: &args.agent, limits, record, choice, time, terms, after })
}
