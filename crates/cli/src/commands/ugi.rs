//! `yarra ugi`

use std::collections::BTreeMap;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use yarra_guests::Host;
use yarra_arena::ugi::{EngineOption, Program, serve};
use yarra_catalog::{agents, check, make};
use yarra_engine::info::LIMITS;
use yarra_engine::{OptionInfo, SpecError};
use yarra_games::{Position, start};

use super::play::seed_of_the_moment;

/// Let an agent speak UGI, the Universal Game Interface, for other people's match runners.
///
/// Commands are read from the standard input, answers go to the standard output, one a line. Limits in the
/// agent's spec win over those of `go`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra ugi infexion entourage:depth=3
  printf 'position startpos moves 3-3\\ngo depth 3\\n' | yarra ugi infexion

`docs/protocol.md` has all commands; `yarra agents GAME` lists the agents.")]
pub struct UgiArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// The agent, for instance `negamax:depth=4`.
    #[arg(default_value = "deepening")]
    agent: String,
    /// Makes the agent's randomness the same each time.
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &UgiArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let start = start(&args.game)?;
    let host = Host::default();
    check(&args.agent, &*start, &host)?;
    let (name, given) = args.agent.split_once(':').unwrap_or((&args.agent, ""));
    let given: BTreeMap<&str, &str> = given.split(',').filter_map(|pair| pair.split_once('=')).collect();
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let program = Program {
        name: format!("Yarra {}", args.agent),
        author: "the Yarra authors".to_owned(),
        game: args.game.clone(),
        options: options(name, &given, &*start),
        make: &|pos, chosen| make(&spec(name, &given, chosen)?, pos, seed, &host),
    };
    serve(&program, BufReader::new(io::stdin()), out)?;
    Ok(ExitCode::SUCCESS)
}

/// The agent's own options and the limits that every agent takes, with the values that the spec gives.
fn options(name: &str, given: &BTreeMap<&str, &str>, pos: &dyn Position) -> Vec<EngineOption> {
    let game = pos.spec();
    let own = agents(&game).find(|info| info.name == name).map_or(&[][..], |info| info.options);
    let is_own = |limit: &OptionInfo| own.iter().any(|option| option.name == limit.name);
    let all = own.iter().chain(LIMITS.iter().filter(|limit| !is_own(limit)));
    all.map(|option| EngineOption {
        name: option.name.to_owned(),
        kind: "string".to_owned(),
        default: given.get(option.name).copied().unwrap_or(option.default).to_owned(),
    })
    .collect()
}

/// The agent's spec with what was chosen since; a comma would begin another option.
fn spec(
    name: &str,
    given: &BTreeMap<&str, &str>,
    chosen: &BTreeMap<String, String>,
) -> Result<String, SpecError> {
    if let Some((key, value)) = chosen.iter().find(|(_, value)| value.contains(',')) {
        return Err(SpecError::new(format!("{key}={value}: expected a value without a comma")));
    }
    let mut values = given.clone();
    values.extend(chosen.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    // An option without a value is not set, a limit no less than `eval`.
    let pairs = values.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key}={value}")).collect();
    Ok(format!("{name}:{}", pairs.join(",")))
}
