//! `yarra ugi`

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use yarra_arena::ugi::{EngineOption, Program, serve};
use yarra_catalog::{Host, agents, prepare};
use yarra_engine::options::LIMITS;
use yarra_engine::{AgentSpec, OptionInfo, SpecError};
use yarra_games::GameSpec;

use super::play::seed_of_the_moment;

/// Run an agent as a UGI engine (Universal Game Interface), for other match runners.
///
/// It reads commands from standard input and writes replies to standard output, one per line. Limits in the agent's
/// spec take precedence over those of `go`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra ugi infexion entourage:depth=3
  printf 'position startpos moves 3-3\\ngo depth 3\\n' | yarra ugi infexion

`docs/protocol.md` documents all commands. `yarra agents GAME` lists the agents.")]
pub struct UgiArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// The agent, for instance `negamax:depth=4`.
    #[arg(default_value = "deepening")]
    agent: String,
    /// Seed of the agent's randomness [default: random].
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &UgiArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let game: GameSpec = args.game.parse()?;
    let spec: AgentSpec = args.agent.parse()?;
    let host = Host::default();
    prepare(&spec, &*game.start(), &host)?;
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let program = Program {
        name: format!("Yarra {spec}"),
        author: "the Yarra authors".to_owned(),
        game,
        options: options(&spec, game),
        make: &|pos, chosen| {
            let chosen = chosen.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            let prepared = prepare(&spec.with(chosen)?, pos, &host)?;
            let agent = (prepared.make)(seed).map_err(|error| SpecError::new(error.to_string()))?;
            Ok((agent, prepared.limits))
        },
    };
    serve(&program, BufReader::new(io::stdin()), out)?;
    Ok(ExitCode::SUCCESS)
}

/// The agent's own options and the limits for every agent, with the values in the spec as defaults.
fn options(spec: &AgentSpec, game: GameSpec) -> Vec<EngineOption> {
    let own = agents(game.info()).find(|info| info.name == spec.name()).map_or(&[][..], |info| info.options);
    let is_own = |limit: &OptionInfo| own.iter().any(|option| option.name == limit.name);
    let all = own.iter().chain(LIMITS.iter().filter(|limit| !is_own(limit)));
    all.map(|option| {
        let given = spec.options().iter().find(|(name, _)| name == option.name);
        EngineOption {
            name: option.name.to_owned(),
            kind: "string".to_owned(),
            default: given.map_or(option.default, |(_, value)| value).to_owned(),
        }
    })
    .collect()
}
