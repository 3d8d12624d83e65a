//! `yarra help`, with a `--help` and an example of its own, which clap's lacks.

use clap::Command;

/// Explain a command.
#[derive(clap::Args)]
#[command(after_help = "Example: yarra help match")]
pub struct HelpArgs {
    /// The command, or its parts, as in `bench rules`.
    command: Vec<String>,
}

/// Parses `yarra COMMAND --help`, which ends the program with the help, or with the error of an unknown command.
pub fn run(args: &HelpArgs, command: Command) -> ! {
    let words = ["yarra"].into_iter().chain(args.command.iter().map(String::as_str)).chain(["--help"]);
    command.get_matches_from(words);
    unreachable!("--help ends the program")
}
