//! Proves who wins Cachex after a stone of each, on boards too large for a table of all positions.
//!
//! `cargo run --release -p yarra-engine --example prove-cachex -- SIZE MINUTES FILE [OPTIONS]`
//!
//! The champion searches every opening, with ever more nodes until the time is over: it never takes a guess for a win.
//! Of two openings that are images of each other one is asked about. A first stone that is not stolen wins if it wins
//! against every answer, and loses if one answer wins: no other one is asked about then. Proofs go to the file at once,
//! whose first line names the game, and what stands there is not asked about again: it can be stopped and run again.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use yarra_engine::agent::unwatched;
use yarra_engine::champion::cachex::{OPTIONS, Paths};
use yarra_engine::champion::{Champion, Options};
use yarra_engine::{Agent, Limits, Score, Settings};
use yarra_games::cachex::Cachex;
use yarra_games::{Game, Move, Player, Position, Record};

const FIRST_NODES: u64 = 1_000_000;

/// The cells of the first stone and of the answer.
type Opening = [u16; 2];

type Proofs = BTreeMap<Opening, Player>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [size, minutes, path, options @ ..] = &args[..] else {
        return Err(
            "expected SIZE MINUTES FILE [OPTIONS], such as 5 120 proofs.txt table=2048,threads=2".into()
        );
    };
    let (size, minutes): (u16, u64) = (size.parse()?, minutes.parse()?);
    let start =
        u8::try_from(size).ok().and_then(Cachex::<u64>::start).ok_or("expected a size from 3 to 8")?;
    let game = format!("cachex:{size}");
    let until = Instant::now() + Duration::from_secs(60 * minutes);
    let settings = Settings::read(OPTIONS, options.first().map_or("table=1024", String::as_str), 0)?;
    let mut champion = Champion::<Cachex<u64>, _>::new(Paths::default(), Options::read(&settings)?);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let kept = std::fs::read_to_string(path)?;
    if kept.is_empty() {
        writeln!(file, "{game}")?;
    }
    let mut proofs = read(&kept, &game)?;
    let mut out = io::stdout().lock();
    let mut nodes = FIRST_NODES;
    while Instant::now() < until {
        let open: Vec<Opening> = openings(size).filter(|&opening| is_open(&proofs, opening)).collect();
        if open.is_empty() {
            break;
        }
        writeln!(out, "{} openings are open, {nodes} nodes for each", open.len())?;
        for opening in open {
            let time = until.saturating_duration_since(Instant::now());
            if !is_open(&proofs, opening) || time.is_zero() {
                continue;
            }
            let mut record = Record::new(start.boxed());
            opening.iter().for_each(|&cell| record.play(Move(cell)));
            let limits = Limits { nodes: Some(nodes), move_time: Some(time), ..Limits::default() };
            let choice = champion.choose(&record, limits, &mut unwatched)?;
            let stones = opening.map(|cell| start.show_move(Move(cell))).join(" ");
            let Some(plies) = choice.score.and_then(Score::plies_to_end) else {
                writeln!(out, "{stones} is open after {} plies", choice.stats.depth())?;
                continue;
            };
            let winner = if 0 < plies { Player::Red } else { Player::Blue };
            proofs.insert(opening, winner);
            let line = format!("{stones} {winner} {}", plies.unsigned_abs());
            writeln!(file, "{line}")?;
            writeln!(out, "{line}")?;
        }
        nodes *= 4;
    }
    for first in firsts(size) {
        let n_answers = openings(size).filter(|opening| opening[0] == first).count();
        let [red, blue] = Player::BOTH.map(|winner| count(&proofs, first, winner));
        let verdict = if 0 < blue {
            "blue wins"
        } else if red == n_answers {
            "red wins"
        } else {
            "open"
        };
        writeln!(
            out,
            "{}: {verdict}; of {n_answers} answers {red} lose and {blue} win",
            start.show_move(Move(first))
        )?;
    }
    Ok(())
}

fn count(proofs: &Proofs, first: u16, winner: Player) -> usize {
    proofs.iter().filter(|&(opening, &proven)| opening[0] == first && proven == winner).count()
}

/// Whether it is worth knowing who wins.
fn is_open(proofs: &Proofs, opening: Opening) -> bool {
    !proofs.contains_key(&opening) && count(proofs, opening[0], Player::Blue) == 0
}

/// The first stones: half of the cells, for a half turn maps each to one of the others.
fn firsts(size: u16) -> impl Iterator<Item = u16> {
    let is_center = move |cell: u16| size % 2 == 1 && cell == size * size / 2;
    (0..(size * size).div_ceil(2)).filter(move |&cell| !is_center(cell))
}

fn openings(size: u16) -> impl Iterator<Item = Opening> {
    firsts(size).flat_map(move |first| {
        (0..size * size).filter(move |&answer| answer != first).map(move |answer| [first, answer])
    })
}

/// What a file has proven.
fn read(text: &str, game: &str) -> Result<Proofs, Box<dyn Error>> {
    let line = |line: &str| -> Option<(Opening, Player)> {
        let words: Vec<&str> = line.split(' ').collect();
        let [first, answer, winner, _] = words[..] else { return None };
        let winner = Player::BOTH.into_iter().find(|player| player.to_string() == winner)?;
        let record = Record::read(game, None, [first, answer]).ok()?;
        Some((record.moves().try_into().map(|moves: [Move; 2]| moves.map(|m| m.0)).ok()?, winner))
    };
    let mut lines = text.lines();
    if let Some(other) = lines.next().filter(|&first| first != game) {
        return Err(format!("expected a file that begins with the line '{game}', found '{other}'").into());
    }
    let expected = |text| format!("expected lines such as '0-4 0-0 red 15', found '{text}'");
    Ok(lines.map(|text| line(text).ok_or_else(|| expected(text))).collect::<Result<_, _>>()?)
}
