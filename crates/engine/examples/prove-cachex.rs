//! Proves who wins Cachex after a stone of each, on boards too large for a table of all positions.
//!
//! `cargo run --release -p yarra-engine --example prove-cachex -- SIZE MINUTES FILE [OPTIONS]`
//!
//! The champion searches every opening, with ever more nodes until the time is over: it never takes a guess for a win.
//! Of two openings that are images of each other one is asked about. Proofs go to the file at once, and openings that
//! stand there are left out: it can be stopped and run again. A first stone that is not stolen wins if it wins against
//! every answer, and loses if one answer wins.

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
use yarra_games::{Player, Record};

const FIRST_NODES: u64 = 1_000_000;

/// The cells of the first stone and of the answer.
type Opening = (u16, u16);

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [size, minutes, path, options @ ..] = &args[..] else {
        return Err(
            "expected SIZE MINUTES FILE [OPTIONS], such as 5 120 proofs.txt table=2048,threads=2".into()
        );
    };
    let (size, minutes): (u16, u64) = (size.parse()?, minutes.parse()?);
    let until = Instant::now() + Duration::from_secs(60 * minutes);
    let settings = Settings::read(OPTIONS, options.first().map_or("table=1024", String::as_str), 0)?;
    let mut champion = Champion::<Cachex<u64>, _>::new(Paths::default(), Options::read(&settings)?);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let mut proofs = read(&std::fs::read_to_string(path)?, size)?;
    let mut out = io::stdout().lock();
    let mut nodes = FIRST_NODES;
    while Instant::now() < until && proofs.len() < openings(size).count() {
        let open: Vec<Opening> = openings(size).filter(|opening| !proofs.contains_key(opening)).collect();
        writeln!(out, "{} openings are open, {nodes} nodes for each", open.len())?;
        for (first, answer) in open {
            let time = until.saturating_duration_since(Instant::now());
            if time.is_zero() {
                break;
            }
            let record = Record::read(&format!("cachex:{size}"), Some(&board(size, first, answer)), [])?;
            let limits = Limits { nodes: Some(nodes), move_time: Some(time), ..Limits::default() };
            let score = champion.choose(&record, limits, &mut unwatched)?.score;
            if let Some(plies) = score.and_then(Score::plies_to_end) {
                let winner = if 0 < plies { Player::Red } else { Player::Blue };
                proofs.insert((first, answer), winner);
                let line =
                    format!("{} {} {winner} {}", name(first, size), name(answer, size), plies.unsigned_abs());
                writeln!(file, "{line}")?;
                writeln!(out, "{line}")?;
            }
        }
        nodes *= 4;
    }
    for first in firsts(size) {
        let of = |winner: Player| {
            proofs.iter().filter(|&(&(cell, _), &proven)| cell == first && proven == winner).count()
        };
        let n_answers = openings(size).filter(|&(cell, _)| cell == first).count();
        let (red, blue) = (of(Player::Red), of(Player::Blue));
        let verdict = if 0 < blue {
            "blue wins"
        } else if red == n_answers {
            "red wins"
        } else {
            "open"
        };
        writeln!(out, "{}: {verdict}; of {n_answers} answers {red} lose and {blue} win", name(first, size))?;
    }
    Ok(())
}

/// The first stones: half of the cells, for a half turn maps each to one of the others.
fn firsts(size: u16) -> impl Iterator<Item = u16> {
    let is_center = move |cell: u16| size % 2 == 1 && cell == size * size / 2;
    (0..(size * size).div_ceil(2)).filter(move |&cell| !is_center(cell))
}

fn openings(size: u16) -> impl Iterator<Item = Opening> {
    firsts(size).flat_map(move |first| {
        (0..size * size).filter(move |&answer| answer != first).map(move |answer| (first, answer))
    })
}

/// What a file has proven.
fn read(text: &str, size: u16) -> Result<BTreeMap<Opening, Player>, Box<dyn Error>> {
    let cell = |name: &str| -> Option<u16> {
        let (row, col) = name.split_once('-')?;
        Some(row.parse::<u16>().ok()? * size + col.parse::<u16>().ok()?)
    };
    let line = |line: &str| -> Option<(Opening, Player)> {
        let words: Vec<&str> = line.split(' ').collect();
        let [first, answer, winner, _] = words[..] else { return None };
        let winner = Player::BOTH.into_iter().find(|player| player.to_string() == winner)?;
        Some(((cell(first)?, cell(answer)?), winner))
    };
    let expected = |text| format!("expected lines such as '0-4 0-0 red 15', found '{text}'");
    Ok(text.lines().map(|text| line(text).ok_or_else(|| expected(text))).collect::<Result<_, _>>()?)
}

fn name(cell: u16, size: u16) -> String {
    format!("{}-{}", cell / size, cell % size)
}

/// Red is to move after a stone of each.
fn board(size: u16, first: u16, answer: u16) -> String {
    let letter = |cell: u16| match cell {
        _ if cell == first => 'r',
        _ if cell == answer => 'b',
        _ => '.',
    };
    let row = |row: u16| (0..size).map(|col| letter(row * size + col)).collect::<String>();
    format!("{} r 2", (0..size).map(row).collect::<Vec<_>>().join("/"))
}
