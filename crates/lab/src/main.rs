//! The `lab` command: fits, proofs and measurements for the developers of Yarra. Each subcommand is a file or folder.

mod agents;
mod answers;
mod fit;
mod instructions;
mod interrupt;
mod mine;
mod nets;
mod openings;
mod overruns;
mod progress;
mod prove;
mod solve;
mod strength;
mod threshold;
mod yarra;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use yarra::Ended;

/// Fit, prove and measure the agents of Yarra.
#[derive(Parser)]
#[command(
    name = "lab",
    version,
    arg_required_else_help = true,
    after_help = "Example:\n  cargo run --release -p yarra-lab -- strength opponents cachex:7"
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fit(fit::FitArgs),
    Prove(prove::ProveArgs),
    Solve(solve::SolveArgs),
    Openings(openings::OpeningsArgs),
    Answers(answers::AnswersArgs),
    Mine(mine::MineArgs),
    Strength(strength::StrengthArgs),
    Overruns(overruns::OverrunsArgs),
    Nets(nets::NetsArgs),
    Threshold(threshold::ThresholdArgs),
    Instructions(instructions::InstructionsArgs),
}

/// The exit code of an error; a negative answer has 1.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(args.command) {
        Ok(code) => code,
        // The reader has closed the pipe.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if let Some(&Ended(code)) = error.downcast_ref() => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(io::stderr(), "lab: {error:#}");
            ExitCode::from(ERROR)
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Fit(args) => fit::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Openings(args) => openings::run(&args),
        Command::Answers(args) => answers::run(&args),
        Command::Mine(args) => mine::run(&args),
        Command::Strength(args) => strength::run(&args),
        Command::Nets(args) => nets::run(&args),
        Command::Overruns(args) => overruns::run(&args),
        Command::Threshold(args) => threshold::run(&args),
        Command::Instructions(args) => instructions::run(&args),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = cause.downcast_ref::<io::Error>();
        io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
