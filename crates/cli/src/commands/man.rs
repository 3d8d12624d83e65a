//! `yarra man`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use yarra_files::check_is_new;

use crate::words::file_name;

/// Print the manual page, or write the pages of all commands into a folder.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra man > yarra.1
  yarra man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write one page per command into this folder.
    dir: Option<PathBuf>,
    /// Overwrite pages.
    #[arg(long, requires = "dir")]
    force: bool,
}

pub fn run(args: &ManArgs, mut command: Command, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    // Gives subcommands their full names, such as `yarra-bench-rules`.
    command.build();
    let Some(dir) = &args.dir else {
        Man::new(command).render(out)?;
        return Ok(ExitCode::SUCCESS);
    };
    let pages = pages(&command, dir)?;
    if !args.force {
        for (path, _) in &pages {
            check_is_new(path, "overwrite the pages with --force")?;
        }
    }
    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    for (path, text) in &pages {
        fs::write(path, text).with_context(|| path.display().to_string())?;
    }
    writeln!(out, "wrote {} pages to {}", pages.len(), file_name(dir))?;
    Ok(ExitCode::SUCCESS)
}

/// The page of a command and those of its subcommands, each with its file.
fn pages(command: &Command, dir: &Path) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    let mut pages = vec![(dir.join(format!("{name}.1")), text)];
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        pages.extend(self::pages(subcommand, dir)?);
    }
    Ok(pages)
}
