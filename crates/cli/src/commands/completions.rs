//! `yarra completions`

use std::io::Write;
use std::process::ExitCode;

use clap::Command;
use clap_complete::{Shell, generate};

/// Print a script that lets a shell complete commands and options.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra completions bash > ~/.local/share/bash-completion/completions/yarra
  yarra completions zsh > ~/.zfunc/_yarra
  yarra completions fish > ~/.config/fish/completions/yarra.fish")]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, mut command: Command, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let name = command.get_name().to_owned();
    // `generate` panics if it cannot write, for instance to a closed pipe.
    let mut script = Vec::new();
    generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
