//! `yarra export-agent`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;

use anyhow::{Context, Error, bail};
use yarra_catalog::{Host, prepare};
use yarra_engine::AgentSpec;
use yarra_games::GameSpec;
use yarra_guests::export::Package;

/// Write an agent as a Python package that the course's own referee can run.
///
/// The package runs this program as `yarra ugi` and relays moves. It stays within the referee's time limit, including
/// the time of the program. The referee determines the board size.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra export-agent infexion entourage my_agent
  yarra export-agent cachex mcts:nodes=1000 teams/my_team --force

Then, in the folder that contains the package and the official `referee`:
  python -m referee my_agent other_agent

`yarra agents GAME` lists the agents. The environment variable YARRA makes the package run another program.")]
pub struct ExportAgentArgs {
    /// The game: `infexion`, `tetress` or `cachex`.
    game: String,
    /// The agent, for instance `negamax:depth=4`.
    agent: String,
    /// The package's folder; its name is the Python module name.
    dir: PathBuf,
    /// The program that plays, instead of this one.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Write into a folder that is not empty.
    #[arg(long)]
    force: bool,
}

pub fn run(args: &ExportAgentArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let game: GameSpec = args.game.parse()?;
    let agent: AgentSpec = args.agent.parse()?;
    if agent.is_external() {
        bail!("expected one of our own agents (`yarra agents {}`), found {:?}", game.name(), agent.as_str());
    }
    let package = Package::new(game.info(), &agent, &binary(args.binary.as_deref())?).map_err(Error::msg)?;
    prepare(&agent, &*game.start(), &Host::default())?;
    let dir = absolute(&args.dir).with_context(|| format!("cannot write {}", args.dir.display()))?;
    let name = package_name(&dir)?;
    if !args.force && is_in_use(&dir)? {
        bail!("{} is not empty; use --force to write into it anyway", args.dir.display());
    }
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", args.dir.display()))?;
    for (name, text) in &package.files {
        let path = args.dir.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    writeln!(out, "\nto play against itself, in a folder with the official referee:")?;
    writeln!(out, "  {}", package.example(name))?;
    Ok(ExitCode::SUCCESS)
}

/// The module name of a folder, if Python can import it.
fn package_name(dir: &Path) -> anyhow::Result<&str> {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_start = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    let is_name = name.starts_with(is_start) && name.chars().all(|c| is_start(c) || c.is_ascii_digit());
    if !is_name {
        bail!("expected a folder that Python can import, of letters, digits and _, found {name:?}");
    }
    if name == "referee" {
        bail!("expected a folder other than \"referee\", which is the official one");
    }
    Ok(name)
}

/// The absolute path of the program that plays.
fn binary(given: Option<&Path>) -> anyhow::Result<String> {
    let path = match given {
        Some(path) => absolute(path)?,
        None => std::env::current_exe().context("cannot find this program; give its path with --binary")?,
    };
    if !path.is_file() {
        bail!("there is no program at {}", path.display());
    }
    let Some(text) = path.to_str() else {
        bail!("expected a program with a Unicode path, found {}", path.display());
    };
    Ok(text.to_owned())
}

fn is_in_use(dir: &Path) -> anyhow::Result<bool> {
    match fs::read_dir(dir) {
        Ok(mut files) => Ok(files.next().is_some()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", dir.display())),
    }
}
