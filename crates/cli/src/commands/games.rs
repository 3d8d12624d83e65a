//! `yarra games`

use std::io::Write;
use std::process::ExitCode;

use yarra_games::{GAMES, find};

/// List the games, or explain one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra games
  yarra games infexion")]
pub struct GamesArgs {
    /// Show the rules of this game and how its moves are written.
    #[arg(conflicts_with = "json")]
    game: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &GamesArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if let Some(name) = &args.game {
        let game = find(name)?.0;
        writeln!(out, "{}: {}\n\n{}\n\n{}", game.name, game.about, game.rules, game.notation)?;
        return Ok(ExitCode::SUCCESS);
    }
    for &game in GAMES {
        let (min, max) = (game.sizes.start(), game.sizes.end());
        if args.json {
            let line = serde_json::json!({
                "name": game.name,
                "about": game.about,
                "sizes": [min, max],
                "default_size": game.default_size,
            });
            writeln!(out, "{line}")?;
            continue;
        }
        let sizes = if min == max {
            format!("{min} x {min}")
        } else {
            format!("{0}:{min} to {0}:{max}, {0}:{1} by default", game.name, game.default_size)
        };
        writeln!(out, "{:<10}{} ({sizes})", game.name, game.about)?;
    }
    Ok(ExitCode::SUCCESS)
}
