//! `yarra bench`: speed of the rules, and the signature of the searches.

mod clock;
mod machine;
mod positions;
mod rules;
mod search;

use std::io::Write;
use std::process::ExitCode;

/// Measure the speed of the rules, or check that searches still play the same.
#[derive(clap::Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
Examples:
  yarra bench rules
  yarra bench search"
)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(clap::Subcommand)]
enum BenchCommand {
    Rules(rules::RulesArgs),
    Search(search::SearchArgs),
}

pub fn run(args: &BenchArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match &args.command {
        BenchCommand::Rules(args) => rules::run(args, out),
        BenchCommand::Search(args) => search::run(args, out),
    }
}
