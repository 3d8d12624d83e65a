//! The `yarra` command: each subcommand is a file in `commands/`.

mod args;
mod clean;
mod commands;
mod games;
mod interrupt;
mod progress;
mod words;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use clean::Clean;
use commands::{
    agents, analyze, bench, completions, explain, games as games_command, help, man, match_, perft, play,
    show, train, traps, ugi, verify,
};
#[cfg(target_os = "linux")]
use commands::{doctor, export_agent};

/// Agents, a referee and analysis tools for Infexion, Tetress, Cachex and Hex.
#[derive(Parser)]
#[command(name = "yarra", version, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  yarra play infexion --blue champion
  yarra match tetress champion insight --games 10
  yarra analyze mine.jsonl --html review.html

`yarra help COMMAND` and `yarra COMMAND --help` explain a command.")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Agents(agents::AgentsArgs),
    Analyze(analyze::AnalyzeArgs),
    #[cfg(target_os = "linux")]
    Doctor(doctor::DoctorArgs),
    Explain(explain::ExplainArgs),
    #[cfg(target_os = "linux")]
    ExportAgent(export_agent::ExportAgentArgs),
    Games(games_command::GamesArgs),
    Match(match_::MatchArgs),
    Perft(perft::PerftArgs),
    Play(play::PlayArgs),
    Show(show::ShowArgs),
    Train(train::TrainArgs),
    Traps(traps::TrapsArgs),
    Ugi(ugi::UgiArgs),
    Bench(bench::BenchArgs),
    Verify(verify::VerifyArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Help(help::HelpArgs),
}

/// The exit code of an error; a negative answer has 1.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = BufWriter::new(Clean::new(io::stdout().lock()));
    let done = run(args.command, &mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match done {
        Ok(code) => code,
        // The reader has closed the pipe.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(clean::stderr(), "yarra: {}", words::printable(&format!("{error:#}")));
            ExitCode::from(ERROR)
        }
    }
}

fn run(command: Command, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match command {
        Command::Agents(args) => agents::run(&args, out),
        Command::Analyze(args) => analyze::run(&args, out),
        #[cfg(target_os = "linux")]
        Command::Doctor(args) => doctor::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        #[cfg(target_os = "linux")]
        Command::ExportAgent(args) => export_agent::run(&args, out),
        Command::Match(args) => match_::run(&args, out),
        Command::Games(args) => games_command::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Play(args) => play::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Train(args) => train::run(&args, out),
        Command::Traps(args) => traps::run(&args, out),
        Command::Ugi(args) => ugi::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Completions(args) => completions::run(&args, Args::command(), out),
        Command::Man(args) => man::run(&args, Args::command(), out),
        Command::Help(args) => help::run(&args, Args::command()),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = cause.downcast_ref::<io::Error>();
        io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
