//! `yarra export-agent`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::Value;
use yarra_arena::foreign::Host;
use yarra_catalog::prepare;
use yarra_engine::AgentSpec;
use yarra_games::{find, start};

/// Write an agent as a Python package that the course's own referee can run.
///
/// The package starts this program with `yarra ugi` and passes moves back and forth. It keeps to the
/// referee's limit of time, that of the program included. The board's size comes from the referee.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra export-agent infexion entourage my_agent
  yarra export-agent cachex mcts:nodes=1000 teams/my_team --force

Then, in the folder that holds the package and the official `referee`:
  python -m referee my_agent other_agent

`yarra agents GAME` lists the agents. The environment variable YARRA tells the package of another program.")]
pub struct ExportAgentArgs {
    /// The game: `infexion`, `tetress` or `cachex`.
    game: String,
    /// The agent, for instance `negamax:depth=4`.
    agent: AgentSpec,
    /// The package's folder; Python imports it by its name.
    dir: PathBuf,
    /// The program that plays, instead of this one.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Write into a folder that holds files already.
    #[arg(long)]
    force: bool,
}

/// What differs between the games: the module with the agent's class, the class, and the module's text.
struct Template {
    game: &'static str,
    module: &'static str,
    class: &'static str,
    text: &'static str,
    /// What the referee wants to know before the names of the players.
    first_args: &'static str,
}

const TEMPLATES: [Template; 3] = [
    Template {
        game: "infexion",
        module: "program",
        class: "Agent",
        text: include_str!("../../../arena/python/export/infexion.py"),
        first_args: "",
    },
    Template {
        game: "tetress",
        module: "program",
        class: "Agent",
        text: include_str!("../../../arena/python/export/tetress.py"),
        first_args: "",
    },
    Template {
        game: "cachex",
        module: "player",
        class: "Player",
        text: include_str!("../../../arena/python/export/cachex.py"),
        first_args: "9 ",
    },
];

const ENGINE: &str = include_str!("../../../arena/python/export/engine.py");

pub fn run(args: &ExportAgentArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let template = template(&args.game)?;
    prepare(&args.agent, &*start(&args.game)?, &Host::default())?;
    let dir = absolute(&args.dir).with_context(|| format!("cannot write {}", args.dir.display()))?;
    let package = package_name(&dir)?;
    let binary = binary(args.binary.as_deref())?;
    if !args.force && is_in_use(&dir)? {
        bail!("{} is not empty; --force writes into it all the same", args.dir.display());
    }

    let Template { module, class, .. } = template;
    let program = template
        .text
        .replace("\"@YARRA@\"", &Value::from(binary).to_string())
        .replace("\"@AGENT@\"", &Value::from(args.agent.as_str()).to_string());
    let files = [
        ("__init__.py".to_owned(), format!("from .{module} import {class}\n")),
        (format!("{module}.py"), program),
        ("engine.py".to_owned(), ENGINE.to_owned()),
    ];
    fs::create_dir_all(&dir).with_context(|| format!("cannot create {}", args.dir.display()))?;
    for (name, text) in &files {
        let path = args.dir.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    writeln!(out, "\nto play against itself, beside the official referee:")?;
    writeln!(out, "  python -m referee {}{package} {package}", template.first_args)?;
    Ok(ExitCode::SUCCESS)
}

fn template(game: &str) -> anyhow::Result<&'static Template> {
    let name = find(game)?.0.name;
    let Some(template) = TEMPLATES.iter().find(|template| template.game == name) else {
        let names: Vec<_> = TEMPLATES.iter().map(|template| template.game).collect();
        bail!("expected a game with an official referee, one of {}, found {name:?}", names.join(", "));
    };
    Ok(template)
}

/// The name by which Python would import a folder, if it can.
fn package_name(dir: &Path) -> anyhow::Result<&str> {
    let name = dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_start = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    let is_name = name.starts_with(is_start) && name.chars().all(|c| is_start(c) || c.is_ascii_digit());
    if !is_name {
        bail!("expected a folder that Python can import, of letters, digits and _, found {name:?}");
    }
    if name == "referee" {
        bail!("expected a folder beside the official one of the name \"referee\", found that");
    }
    Ok(name)
}

/// The absolute path of the program that plays.
fn binary(given: Option<&Path>) -> anyhow::Result<String> {
    let path = match given {
        Some(path) => absolute(path)?,
        None => std::env::current_exe().context("cannot tell where this program is; --binary can")?,
    };
    if !path.is_file() {
        bail!("there is no program at {}", path.display());
    }
    let Some(text) = path.to_str() else {
        bail!("expected a program whose path is Unicode, found {}", path.display());
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
