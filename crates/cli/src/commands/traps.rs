//! `yarra traps`

use std::io::Write;
use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;
use yarra_arena::Side;
use yarra_arena::traps::{Attempt, Trap, kinds, suite};
use yarra_catalog::{Host, prepare, seat};
use yarra_engine::{AgentSpec, Stop};
use yarra_games::find;

use crate::args::SearchArgs;
use crate::clean::stderr;
use crate::interrupt::{self, INTERRUPTED};

/// Test agents on trap positions and count how many they solve.
///
/// A trap is a position with an obvious but bad move; its good moves are proven by exhaustive search. Limits in an
/// agent's spec take precedence over the options; an agent without any limit gets 100 ms per move. Ctrl-C stops and shows
/// the results so far.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra traps infexion greedy entourage negamax:depth=4
  yarra traps cachex tbd deepening --move-time 50ms -v

`yarra agents GAME` lists the agents.")]
pub struct TrapsArgs {
    /// The game: `infexion`, `tetress` or `cachex`.
    game: String,
    /// The agents, for instance `negamax:depth=4`.
    #[arg(value_name = "AGENT", required = true)]
    agents: Vec<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Seed of the agents' randomness.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object per agent and trap.
    #[arg(long)]
    json: bool,
    /// Explain each trap that an agent fell for: its move, the good moves, and why.
    #[arg(long, short)]
    verbose: bool,
}

pub fn run(args: &TrapsArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let game = find(&args.game)?.0.name;
    let (kinds, traps) = (kinds(game)?, suite(game)?);
    let agents = args.agents.iter().map(|text| text.parse()).collect::<Result<Vec<AgentSpec>, _>>()?;
    for spec in &agents {
        if spec.is_python() {
            bail!("{spec}: a course agent cannot start at a position, because it is only told moves");
        }
        prepare(spec, traps[0].record()?.now(), &Host::default())?;
    }
    let width = agents.iter().map(|spec| spec.as_str().len()).max().unwrap_or_default();
    if !args.json {
        write!(out, "{:<width$}", game)?;
        for kind in kinds {
            write!(out, "  {kind}")?;
        }
        writeln!(out, "  total")?;
    }
    let stop = interrupt::flag()?;
    let mut failed = Vec::new();
    for spec in &agents {
        let attempts = attempts(args, spec, &traps, &stop)?;
        let was_stopped = attempts.len() < traps.len();
        let tries: Vec<(&Trap, &Attempt)> = traps.iter().zip(&attempts).collect();
        if args.json {
            for (trap, attempt) in &tries {
                writeln!(out, "{}", as_json(spec, trap, attempt))?;
            }
        } else {
            write!(out, "{spec:<width$}")?;
            for kind in kinds {
                let of_kind = tries.iter().filter(|(trap, _)| trap.kind == *kind);
                write!(out, "  {:>1$}", solved(of_kind), kind.len())?;
            }
            writeln!(out, "  {:>5}", solved(tries.iter()))?;
        }
        // Long runs show each agent as soon as it is done.
        out.flush()?;
        failed.extend(tries.iter().filter(|(_, attempt)| !attempt.is_solved).map(|(trap, attempt)| {
            let Trap { id, good, why, .. } = trap;
            format!("{spec} fell for {id}: {} instead of {}\n  {why}", attempt.answer, good.join(" or "))
        }));
        if was_stopped {
            break;
        }
    }
    if args.verbose && !args.json {
        for line in failed {
            writeln!(out, "\n{line}")?;
        }
    }
    if stop.is_raised() {
        out.flush()?;
        writeln!(stderr(), "stopped: not all traps were tried")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// What an agent does in each trap, until the flag is raised. A search that was stopped does not count.
fn attempts(args: &TrapsArgs, spec: &AgentSpec, traps: &[Trap], stop: &Stop) -> anyhow::Result<Vec<Attempt>> {
    let mut attempts = Vec::new();
    for trap in traps {
        let attempt = attempt(args, spec, trap, stop)?;
        if stop.is_raised() {
            break;
        }
        attempts.push(attempt);
    }
    Ok(attempts)
}

/// Each trap gets a new agent, so that nothing carries over from the trap before.
fn attempt(args: &TrapsArgs, spec: &AgentSpec, trap: &Trap, stop: &Stop) -> anyhow::Result<Attempt> {
    let game = trap.record()?;
    let shared = args.search.limits();
    let seat = seat(spec, game.now(), shared, &Host::default())?;
    let mut side = Side::new((seat.make)(args.seed)?, seat.limits.within(shared));
    Ok(trap.set(&mut side, &mut |_| stop.flow())?)
}

fn solved<'a>(tries: impl Iterator<Item = &'a (&'a Trap, &'a Attempt)>) -> String {
    let (mut n, mut n_solved) = (0, 0);
    for (_, attempt) in tries {
        n += 1;
        n_solved += usize::from(attempt.is_solved);
    }
    format!("{n_solved}/{n}")
}

fn as_json(spec: &AgentSpec, trap: &Trap, attempt: &Attempt) -> serde_json::Value {
    json!({
        "agent": spec.to_string(),
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
