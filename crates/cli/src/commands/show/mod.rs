//! `yarra show`

mod list;
mod moment;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use yarra_draw::svg;
use yarra_games::{find, names_game, read, start};

use crate::args::ColorArgs;
use crate::games::read_games;
use moment::{Moment, Shown, header};

/// Draw a board, list the games of a file, or replay them.
///
/// A file of several games is listed, one game per line; --game N replays one of them with a board for each move. A file
/// of one game is replayed at once.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra show cachex:5
  yarra show cachex \"...../.r.../...../...../..... b 1\"
  yarra show games.jsonl
  yarra show games.jsonl --game 2 --ply 10
  yarra show hex:7 --svg > hex.svg")]
pub struct ShowArgs {
    /// A game, for instance `infexion` or `cachex:9`, or a file of saved games (`-` for standard input).
    #[arg(value_name = "GAME|FILE")]
    what: String,
    /// The position to draw instead of the start, in its notation.
    position: Option<String>,
    /// Replay game number N of a file, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Replay all games of a file instead of listing them.
    #[arg(long, conflicts_with = "game")]
    all: bool,
    /// Show only the position at ply N of each game.
    #[arg(long, value_name = "N")]
    ply: Option<u16>,
    /// Show only the last position of each game.
    #[arg(long, conflicts_with = "ply")]
    last: bool,
    /// Print one position as an SVG picture.
    #[arg(long, conflicts_with = "json")]
    svg: bool,
    /// Print one JSON object per position and line, of all games unless one is selected.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    color: ColorArgs,
}

pub fn run(args: &ShowArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if names_game(&args.what) {
        show_position(args, out)?;
    } else {
        show_file(args, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show_position(args: &ShowArgs, out: &mut impl Write) -> anyhow::Result<()> {
    if args.game.is_some() || args.all || args.ply.is_some() || args.last {
        bail!("--game, --all, --ply and --last need a file, but `{}` is a game", args.what);
    }
    let pos = match &args.position {
        Some(text) => read(&args.what, text)?,
        None => start(&args.what)?,
    };
    show(args, &Moment::alone(pos), out)
}

fn show_file(args: &ShowArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let path = Path::new(&args.what);
    if args.what != "-" && !path.exists() {
        let Err(error) = find(&args.what) else { unreachable!("a game was handled before") };
        bail!("{error}, and there is no such file");
    }
    if args.position.is_some() {
        bail!("a position needs a game, but `{}` is a file", args.what);
    }
    let games = read_games(path)?;
    if let Some(n) = args.game.filter(|&n| n == 0 || games.len() < n) {
        bail!("expected a game from 1 to {}, found {n}", games.len());
    }
    let has_one_game = args.game.is_some() || games.len() == 1;
    let has_one_ply = args.last || args.ply.is_some();
    if args.svg && !(has_one_game && has_one_ply) {
        bail!("--svg draws one position: choose it with --game N and --ply N or --last");
    }
    if !(has_one_game || has_one_ply || args.all || args.json) {
        write!(out, "{}", list::list(path, &games)?)?;
        return Ok(());
    }
    for (number, game) in (1..).zip(&games) {
        if args.game.is_some_and(|game| game != number) {
            continue;
        }
        let shown = Shown { number, saved: &game.saved, record: &game.record()? };
        if !args.json && !args.svg {
            writeln!(out, "{}", header(shown))?;
        }
        show_game(args, shown, out)?;
    }
    Ok(())
}

fn show_game(args: &ShowArgs, game: Shown<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let plies = game.record.start().ply()..=game.record.now().ply();
    if let Some(ply) = args.ply.filter(|ply| !plies.contains(ply)) {
        let (first, last) = (plies.start(), plies.end());
        bail!("expected a ply from {first} to {last} in game {}, found {ply}", game.number);
    }
    let only = if args.last { Some(*plies.end()) } else { args.ply };
    let mut moment = Moment::start(game);
    for ply in plies {
        if only.is_none_or(|only| only == ply) {
            show(args, &moment, out)?;
            if !args.json && !args.svg {
                writeln!(out)?;
            }
        }
        moment.next();
    }
    Ok(())
}

fn show(args: &ShowArgs, moment: &Moment<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    match (args.json, args.svg) {
        (true, _) => writeln!(out, "{}", moment.json())?,
        (_, true) => writeln!(out, "{}", svg(&*moment.pos, moment.last()))?,
        _ => write!(out, "{}", moment.text(args.color.style()))?,
    }
    Ok(())
}
