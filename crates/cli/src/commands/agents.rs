//! `yarra agents`

use std::io::Write;
use std::process::ExitCode;

use serde_json::{Value, json};
use yarra_catalog::{agents, evals};
use yarra_engine::options::LIMITS;
use yarra_engine::{AgentInfo, OptionInfo};
use yarra_games::{GAMES, GameInfo, find, start};

/// List the agents with their sources and options.
///
/// With a game also what differs from an agent's source or fills a gap in it, with the reason.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra agents
  yarra agents infexion

An agent's spec is NAME or NAME:key=value,key=value, for instance negamax:depth=4,eval=material")]
pub struct AgentsArgs {
    /// List only the agents of this game, with their options.
    game: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &AgentsArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let games: Vec<&GameInfo> = match &args.game {
        Some(spec) => vec![find(spec)?.0],
        None => GAMES.to_vec(),
    };
    for game in games {
        if args.json {
            for info in agents(game) {
                writeln!(out, "{}", as_json(game.name, info))?;
            }
            continue;
        }
        writeln!(out, "{}", game.name)?;
        let width = agents(game).map(|info| info.name.len()).max().unwrap_or_default();
        for info in agents(game) {
            let source = if info.source.is_empty() { String::new() } else { format!(" ({})", info.source) };
            writeln!(out, "  {:<width$}  {}{source}", info.name, info.about)?;
            if args.game.is_some() {
                for difference in info.differs {
                    writeln!(out, "    - {difference}")?;
                }
                write_options(info.options, out)?;
            }
        }
        let evals = evals(&*start(game.name)?);
        if args.game.is_none() {
            let names: Vec<_> = evals.iter().map(|eval| eval.name).collect();
            writeln!(out, "  evaluations: {}\n", names.join(", "))?;
            continue;
        }
        writeln!(out, "\nlimits for every agent")?;
        write_options(&LIMITS, out)?;
        writeln!(out, "\nevaluations for eval= (the first is the default)")?;
        for eval in evals {
            writeln!(out, "  {:<width$}  {}", eval.name, eval.about)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists options with their defaults.
pub fn write_options(options: &[OptionInfo], out: &mut impl Write) -> anyhow::Result<()> {
    let pair = |option: &OptionInfo| format!("{}={}", option.name, option.default);
    let width = options.iter().map(|option| pair(option).len()).max().unwrap_or_default();
    for option in options {
        writeln!(out, "    {:<width$}  {}", pair(option), option.about)?;
    }
    Ok(())
}

/// Options as JSON.
pub fn options_json(options: &[OptionInfo]) -> Value {
    let option = |option: &OptionInfo| json!({ "name": option.name, "default": option.default, "about": option.about });
    options.iter().map(option).collect()
}

fn as_json(game: &str, info: &AgentInfo) -> Value {
    json!({
        "game": game,
        "name": info.name,
        "about": info.about,
        "source": info.source,
        "differs": info.differs,
        "options": options_json(info.options),
    })
}
