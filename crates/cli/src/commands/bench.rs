//! `yarra bench`: how fast things are, one file a subject.

mod clock;
mod machine;
mod positions;
mod rules;

use std::io::Write;
use std::process::ExitCode;

/// Measure speed.
#[derive(clap::Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(clap::Subcommand)]
enum BenchCommand {
    Rules(rules::RulesArgs),
}

pub fn run(args: &BenchArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match &args.command {
        BenchCommand::Rules(args) => rules::run(args, out),
    }
}
