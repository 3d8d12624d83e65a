//! `yarra show`

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use serde_json::json;
use yarra_draw::{draw, svg};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{Ending, Move, MoveList, Player, Position, Record, find, names_game, read, start};

use crate::args::ColorArgs;
use crate::games::read_games;
use crate::words::{caption, costs, plural, printable};

/// Draw a board, or replay saved games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra show cachex:5
  yarra show cachex \"...../.r.../...../...../..... b 1\"
  yarra show games.jsonl --game 2 --ply 10
  yarra show hex:7 --svg > hex.svg")]
pub struct ShowArgs {
    /// A game, for instance `infexion` or `cachex:9`, or a file of saved games (`-` for standard input).
    #[arg(value_name = "GAME|FILE")]
    what: String,
    /// The position to draw instead of the start, in its notation.
    position: Option<String>,
    /// Show only game number N of a file, from 1.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Show only the position at ply N of each game.
    #[arg(long, value_name = "N")]
    ply: Option<u16>,
    /// Show only the last position of each game.
    #[arg(long, conflicts_with = "ply")]
    last: bool,
    /// Print one position as an SVG picture.
    #[arg(long, conflicts_with = "json")]
    svg: bool,
    /// Print one JSON object per position and line.
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
    if args.game.is_some() || args.ply.is_some() || args.last {
        bail!("--game, --ply and --last need a file, but `{}` is a game", args.what);
    }
    let pos = match &args.position {
        Some(text) => read(&args.what, text)?,
        None => start(&args.what)?,
    };
    show(args, &Moment::new(pos), out)
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
    let shows_one = (args.game.is_some() || games.len() == 1) && (args.last || args.ply.is_some());
    if args.svg && !shows_one {
        bail!("--svg draws one position: choose it with --game N and --ply N or --last");
    }
    for (n, game) in (1..).zip(&games) {
        if args.game.is_some_and(|game| game != n) {
            continue;
        }
        let (saved, record) = (&game.saved, &game.record()?);
        if !args.json && !args.svg {
            writeln!(out, "{}", header(n, saved, record))?;
        }
        show_game(args, n, (saved, record), out)?;
    }
    Ok(())
}

fn show_game(
    args: &ShowArgs,
    n: usize,
    (saved, record): (&SavedGame, &Record),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let plies = record.start().ply()..=record.now().ply();
    if let Some(ply) = args.ply.filter(|ply| !plies.contains(ply)) {
        bail!("expected a ply from {} to {} in game {n}, found {ply}", plies.start(), plies.end());
    }
    let only = if args.last { Some(*plies.end()) } else { args.ply };
    let mut moment = Moment::new(record.start().boxed());
    for ply in plies.clone() {
        if ply == *plies.end() {
            moment.ending = saved.ending(record);
            moment.fault.clone_from(&saved.fault);
        }
        if only.is_none_or(|only| only == ply) {
            show(args, &moment, out)?;
            if !args.json && !args.svg {
                writeln!(out)?;
            }
        }
        let idx = usize::from(ply - plies.start());
        if let Some(&m) = record.moves().get(idx) {
            moment.play(m);
            moment.costs = costs_of(saved, idx);
        }
    }
    Ok(())
}

/// A position of a game, with the moves before it.
struct Moment {
    pos: Box<dyn Position>,
    last_move: Option<(Box<dyn Position>, Move)>,
    ending: Option<Ending>,
    /// The costs of the last move, if they were measured.
    costs: Option<MoveCosts>,
    /// What a player did wrong, if that ended the game.
    fault: Option<SavedFault>,
}

/// The seconds of a move, the total of its player so far, and the player's memory in bytes.
struct MoveCosts {
    time: f64,
    total: f64,
    memory: u64,
}

impl Moment {
    fn new(pos: Box<dyn Position>) -> Moment {
        Moment { ending: pos.outcome().map(Ending::from), pos, last_move: None, costs: None, fault: None }
    }

    fn play(&mut self, m: Move) {
        self.last_move = Some((self.pos.boxed(), m));
        self.pos.play(m);
    }
}

fn show(args: &ShowArgs, moment: &Moment, out: &mut impl Write) -> anyhow::Result<()> {
    if args.json {
        writeln!(out, "{}", as_json(moment))?;
        return Ok(());
    }
    let before = moment.last_move.as_ref().map(|(before, _)| &**before);
    if args.svg {
        writeln!(out, "{}", svg(&*moment.pos, before))?;
        return Ok(());
    }
    if let Some((before, m)) = &moment.last_move {
        writeln!(out, "{}. {} plays {}", before.ply() + 1, before.turn(), before.show_move(*m))?;
    }
    writeln!(out, "{}", draw(&*moment.pos, before, args.color.style()))?;
    writeln!(out, "{}", caption(&*moment.pos, moment.ending.as_ref()))?;
    if let Some(MoveCosts { time, total, memory }) = moment.costs {
        writeln!(out, "{}", costs(time, total, memory))?;
    }
    if let Some(fault) = &moment.fault {
        write!(out, "{}", story(fault))?;
    }
    Ok(())
}

/// The costs of a move, and the total of its player's moves (every second one) up to it.
fn costs_of(saved: &SavedGame, idx: usize) -> Option<MoveCosts> {
    let (&time, &memory) = (saved.times.get(idx)?, saved.memory.get(idx)?);
    let total = saved.times[idx % 2..=idx].iter().step_by(2).sum();
    Some(MoveCosts { time, total, memory })
}

/// How a player failed, line by line.
fn story(fault: &SavedFault) -> String {
    let mut text = String::new();
    let mut tell = |title: &str, words: &str| {
        text.push_str(&format!("{title}\n"));
        text.extend(words.lines().map(|line| format!("  {}\n", printable(line))));
    };
    tell(&format!("{} failed:", fault.player), &fault.message);
    if let Some(said) = &fault.said {
        tell("its move:", said);
    }
    if !fault.output.is_empty() {
        tell("its last output:", &fault.output);
    }
    text
}

fn header(n: usize, saved: &SavedGame, record: &Record) -> String {
    let name = |player: Player| printable(saved.players[player].as_deref().unwrap_or("unknown"));
    let result = saved.ending(record).map_or("not over".to_owned(), |ending| ending.to_string());
    let mut guests = String::new();
    for (player, guest) in saved.guests.iter() {
        let Some(guest) = guest else { continue };
        let layers =
            if guest.isolation.is_empty() { "nothing".to_owned() } else { guest.isolation.join(", ") };
        guests += &(printable(&format!("{player} within {}, isolated by {layers}", guest.limits)) + "\n");
    }
    format!(
        "game {n}: {}, red: {}, blue: {}, {}, {}\n{guests}",
        record.start().spec(),
        name(Player::Red),
        name(Player::Blue),
        plural(record.moves().len(), "move"),
        printable(&result)
    )
}

fn as_json(moment: &Moment) -> serde_json::Value {
    let pos = &moment.pos;
    let mut moves = MoveList::new();
    if moment.ending.is_none() {
        pos.legal_moves(&mut moves);
    }
    let mut object = json!({
        "spec": pos.spec().to_string(),
        "position": pos.to_string(),
        "turn": pos.turn().name(),
        "ply": pos.ply(),
        "last_move": moment.last_move.as_ref().map(|(before, m)| before.show_move(*m)),
        "legal_moves": moves.iter().map(|&m| pos.show_move(m)).collect::<Vec<_>>(),
        "outcome": moment.ending.as_ref().map(|ending| json!({
            "winner": ending.winner.map(Player::name),
            "reason": ending.cause.name(),
        })),
    });
    if let Some(MoveCosts { time, total, memory }) = moment.costs {
        object["costs"] = json!({ "time": time, "total_time": total, "memory": memory });
    }
    if let Some(fault) = &moment.fault {
        object["fault"] = json!(fault);
    }
    object
}
