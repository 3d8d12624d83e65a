//! `yarra ugi`

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use yarra_arena::foreign::Host;
use yarra_arena::ugi::{EngineOption, Program, serve};
use yarra_catalog::{agents, make, prepare};
use yarra_engine::options::LIMITS;
use yarra_engine::{AgentSpec, OptionInfo};
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
    agent: AgentSpec,
    /// Makes the agent's randomness the same each time.
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &UgiArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let start = start(&args.game)?;
    let host = Host::default();
    prepare(&args.agent, &*start, &host)?;
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let program = Program {
        name: format!("Yarra {}", args.agent),
        author: "the Yarra authors".to_owned(),
        game: args.game.clone(),
        options: options(&args.agent, &*start),
        make: &|pos, chosen| {
            let chosen = chosen.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            make(&args.agent.with(chosen)?, pos, seed, &host)
        },
    };
    serve(&program, BufReader::new(io::stdin()), out)?;
    Ok(ExitCode::SUCCESS)
}

/// The agent's own options and the limits that every agent takes, with the values that the spec gives. External
/// agents have none.
fn options(spec: &AgentSpec, pos: &dyn Position) -> Vec<EngineOption> {
    let game = pos.spec();
    let Some(own) = agents(&game).find(|info| info.name == spec.name()).map(|info| info.options) else {
        return Vec::new();
    };
    let given = |option: &OptionInfo| spec.options().iter().find(|(key, _)| key == option.name);
    let is_own = |limit: &OptionInfo| own.iter().any(|option| option.name == limit.name);
    let all = own.iter().chain(LIMITS.iter().filter(|limit| !is_own(limit)));
    all.map(|option| EngineOption {
        name: option.name.to_owned(),
        kind: "string".to_owned(),
        default: given(option).map_or(option.default, |(_, value)| value).to_owned(),
    })
    .collect()
}
