//! Proves which first stones of Cachex win, on boards too large for a table of all positions.
//!
//! `cargo run --release -p yarra-engine --example prove-cachex -- SIZE MINUTES FILE [OPTIONS]`
//!
//! The champion answers every first stone, which it may not steal, with ever more nodes until the time is over: it never
//! takes a guess for a win. A stone that wins is to be stolen, one that loses is not. Of two stones that a half turn
//! maps to each other one is asked about. Proofs go to the file at once, whose first line names the game, and what
//! stands there is not asked about again: it can be stopped and run again.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use yarra_engine::agent::unwatched;
use yarra_engine::champion::cachex::{OPTIONS, Paths};
use yarra_engine::champion::{Champion, Options};
use yarra_engine::{Agent, Limits, Settings};
use yarra_games::cachex::Cachex;
use yarra_games::{Game, Move, Player, Position, Record};

const USAGE: &str = "expected SIZE MINUTES FILE [OPTIONS], such as 5 120 proofs.txt table=2048,threads=2; \
                     a size is 3 to 8";

const FIRST_NODES: u64 = 1_000_000;

/// Who wins after first stones on some cells.
type Proofs = BTreeMap<u16, Player>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [size, minutes, path, options @ ..] = &args[..] else {
        return Err(USAGE.into());
    };
    let minutes: u64 = minutes.parse().map_err(|_| USAGE)?;
    let start = size.parse().ok().and_then(Cachex::<u64>::start).ok_or(USAGE)?;
    let until = Instant::now() + Duration::from_secs(60 * minutes);
    let settings = Settings::read(OPTIONS, options.first().map_or("table=1024", String::as_str), 0)?;
    let expert = Paths { steals: false, ..Paths::default() };
    let mut champion = Champion::<Cachex<u64>, _>::new(expert, Options::read(&settings)?);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let kept = std::fs::read_to_string(path)?;
    if kept.is_empty() {
        writeln!(file, "{}", start.spec())?;
    }
    let mut proofs = read(&kept, &start.spec())?;
    let mut out = io::stdout().lock();
    let mut nodes = FIRST_NODES;
    while Instant::now() < until {
        let open: Vec<u16> = firsts(start.size()).filter(|first| !proofs.contains_key(first)).collect();
        if open.is_empty() {
            break;
        }
        writeln!(out, "{} first stones are open, {nodes} nodes for each", open.len())?;
        for first in open {
            let time = until.saturating_duration_since(Instant::now());
            if time.is_zero() {
                break;
            }
            let mut record = Record::new(start.boxed());
            record.play(Move(first));
            let limits = Limits { nodes: Some(nodes), move_time: Some(time), ..Limits::default() };
            let choice = champion.choose(&record, limits, &mut unwatched)?;
            let stone = start.show_move(Move(first));
            let score = choice.score.unwrap_or_default();
            let Some(plies) = score.plies_to_end() else {
                let depth = choice.stats.depth();
                writeln!(out, "{stone} is open after {depth} plies, worth {score} to blue")?;
                continue;
            };
            let winner = if 0 < plies { Player::Blue } else { Player::Red };
            proofs.insert(first, winner);
            let line = format!("{stone} {winner} {}", plies.unsigned_abs());
            writeln!(file, "{line}")?;
            writeln!(out, "{line}, {} nodes", choice.stats.nodes)?;
        }
        nodes *= 4;
    }
    for first in firsts(start.size()) {
        let verdict = proofs.get(&first).map_or("open".to_string(), |winner| format!("{winner} wins"));
        writeln!(out, "{}: {verdict}", start.show_move(Move(first)))?;
    }
    Ok(())
}

/// The first stones: half of the cells, for a half turn maps each to one of the others.
fn firsts(size: u8) -> impl Iterator<Item = u16> {
    let n_cells = u16::from(size) * u16::from(size);
    let is_center = move |cell: u16| n_cells % 2 == 1 && cell == n_cells / 2;
    (0..n_cells.div_ceil(2)).filter(move |&cell| !is_center(cell))
}

/// What a file has proven.
fn read(text: &str, game: &str) -> Result<Proofs, Box<dyn Error>> {
    let line = |line: &str| -> Option<(u16, Player)> {
        let words: Vec<&str> = line.split(' ').collect();
        let [first, winner, _] = words[..] else { return None };
        let winner = Player::BOTH.into_iter().find(|player| player.to_string() == winner)?;
        Some((Record::read(game, None, [first]).ok()?.moves().first()?.0, winner))
    };
    let mut lines = text.lines();
    if let Some(other) = lines.next().filter(|&first| first != game) {
        return Err(format!("expected a file that begins with the line '{game}', found '{other}'").into());
    }
    let expected = |text| format!("expected lines such as '0-4 red 29', found '{text}'");
    Ok(lines.map(|text| line(text).ok_or_else(|| expected(text))).collect::<Result<_, _>>()?)
}
