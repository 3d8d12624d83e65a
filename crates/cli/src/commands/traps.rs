//! `yarra traps`

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use serde_json::json;
use yarra_arena::Side;
use yarra_arena::foreign::Host;
use yarra_arena::traps::{Attempt, Trap, kinds, suite};
use yarra_catalog::{make, prepare};
use yarra_engine::{AgentSpec, Limits};
use yarra_games::find;

use super::match_::{USUAL_MOVE_TIME, time};

/// Set traps for agents and count how many they see through.
///
/// Every trap is a position whose good moves are proven by a search of all lines. Limits in an agent's
/// spec win over those given here; an agent without any has 100 ms a move.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra traps infexion greedy entourage negamax:depth=4
  yarra traps cachex tbd deepening --move-time 50ms -v

`yarra agents GAME` lists the agents.")]
pub struct TrapsArgs {
    /// The game: `infexion`, `tetress` or `cachex`.
    game: String,
    /// Agents, for instance `negamax:depth=4`.
    #[arg(value_name = "AGENT", required = true)]
    agents: Vec<AgentSpec>,
    /// Time for each move, as in `100ms`.
    #[arg(long, value_name = "TIME", value_parser = time)]
    move_time: Option<Duration>,
    /// Plies to look ahead.
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Positions, or playouts, to look at for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Where the agents' randomness comes from.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object for each agent and trap.
    #[arg(long)]
    json: bool,
    /// Tell of each trap that an agent fell for: its move, the good ones, and why.
    #[arg(long, short)]
    verbose: bool,
}

pub fn run(args: &TrapsArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let game = find(&args.game)?.0.name;
    let (kinds, traps) = (kinds(game)?, suite(game)?);
    for spec in &args.agents {
        if spec.is_python() {
            bail!(
                "{spec}: an agent of the course is told of moves only, so it cannot be set into a position"
            );
        }
        prepare(spec, traps[0].record()?.now(), &Host::default())?;
    }
    let width = args.agents.iter().map(|spec| spec.as_str().len()).max().unwrap_or_default();
    if !args.json {
        write!(out, "{:<width$}", game)?;
        for kind in kinds {
            write!(out, "  {kind}")?;
        }
        writeln!(out, "  total")?;
    }
    let mut failed = Vec::new();
    for spec in &args.agents {
        let attempts =
            traps.iter().map(|trap| attempt(args, spec, trap)).collect::<anyhow::Result<Vec<_>>>()?;
        let tries: Vec<(&Trap, &Attempt)> = traps.iter().zip(&attempts).collect();
        if args.json {
            for (trap, attempt) in tries {
                writeln!(out, "{}", as_json(spec.as_str(), trap, attempt))?;
            }
            continue;
        }
        write!(out, "{spec:<width$}")?;
        for kind in kinds {
            let of_kind = tries.iter().filter(|(trap, _)| trap.kind == *kind);
            write!(out, "  {:>1$}", solved(of_kind), kind.len())?;
        }
        writeln!(out, "  {:>5}", solved(tries.iter()))?;
        // A long time of thinking is shown agent by agent.
        out.flush()?;
        failed.extend(attempts.into_iter().enumerate().filter(|(_, attempt)| !attempt.is_solved).map(
            |(idx, attempt)| {
                let Trap { id, good, why, .. } = &traps[idx];
                format!("{spec} fell for {id}: {} instead of {}\n  {why}", attempt.answer, good.join(" or "))
            },
        ));
    }
    if args.verbose && !args.json {
        for line in failed {
            writeln!(out, "\n{line}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Agents are made anew for each trap: what one has learned in a trap is none of the next one's business.
fn attempt(args: &TrapsArgs, spec: &AgentSpec, trap: &Trap) -> anyhow::Result<Attempt> {
    let game = trap.record()?;
    let (agent, own) = make(spec, game.now(), args.seed, &Host::default())?;
    let shared = Limits { depth: args.depth, nodes: args.nodes, move_time: args.move_time, clock: None };
    let mut limits = own.within(shared);
    if limits == Limits::default() {
        limits.move_time = Some(USUAL_MOVE_TIME);
    }
    Ok(trap.set(&mut Side::new(agent, limits))?)
}

fn solved<'a>(tries: impl Iterator<Item = &'a (&'a Trap, &'a Attempt)>) -> String {
    let (mut n, mut n_solved) = (0, 0);
    for (_, attempt) in tries {
        n += 1;
        n_solved += usize::from(attempt.is_solved);
    }
    format!("{n_solved}/{n}")
}

fn as_json(spec: &str, trap: &Trap, attempt: &Attempt) -> serde_json::Value {
    json!({
        "agent": spec,
        "id": trap.id,
        "kind": trap.kind,
        "game": trap.game,
        "position": trap.position,
        "move": attempt.answer,
        "good": trap.good,
        "solved": attempt.is_solved,
        "why": trap.why,
    })
}
