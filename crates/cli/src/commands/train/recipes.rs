//! `yarra train recipes`

use std::io::Write;
use std::process::ExitCode;

use serde_json::json;
use yarra_learn::RECIPES;

use crate::commands::agents::{options_json, write_options};

/// List the recipes with their options.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  yarra train recipes")]
pub struct RecipesArgs {
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &RecipesArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    for info in RECIPES {
        let games = info.games.join(", ");
        if args.json {
            let options = options_json(info.options);
            let (name, about, agent) = (info.name, info.about, info.agent);
            let recipe = json!({ "name": name, "about": about, "games": info.games, "agent": agent, "options": options });
            writeln!(out, "{recipe}")?;
            continue;
        }
        writeln!(out, "{}: {}\n  for {games}; agent {}", info.name, info.about, info.agent)?;
        write_options(info.options, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
