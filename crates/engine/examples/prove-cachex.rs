//! Proves who wins openings of Cachex on a board too large for a table of all positions, and how.
//!
//! `cargo run --release -p yarra-engine --example prove-cachex -- MINUTES PROOFS [LOST] [OPTIONS]`, such as
//! `120 proofs.txt data/solved/cachex-5.bin table=2048`
//!
//! The champion searches every opening of one stone, which it may not steal, and of two, with ever more nodes until the
//! time is over: it never takes a guess for a win. Then it follows the winner's moves, with all answers to each, until a
//! short search sees the win by itself. Of two boards that are images of each other one is asked about. A proof goes to
//! the file at once, and what stands there is not asked about again: it can be stopped and run again. At the end `LOST`
//! gets the boards that the winner leads to, which is what the champion carries.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use yarra_engine::agent::unwatched;
use yarra_engine::champion::cachex::proven::number;
use yarra_engine::champion::cachex::solved::pack;
use yarra_engine::champion::cachex::{OPTIONS, Paths};
use yarra_engine::champion::{Champion, Options};
use yarra_engine::{Agent, AgentError, Limits, Settings};
use yarra_games::cachex::Cachex;
use yarra_games::{Game, Move, Player, Position, Record};

const USAGE: &str = "expected MINUTES PROOFS [LOST] [OPTIONS], such as 120 proofs.txt lost.bin table=2048";
const SIZE: usize = 5;
const N_CELLS: usize = SIZE * SIZE;
/// What a proof is tried with at first.
const FIRST_NODES: u64 = 1_000_000;
/// Openings of one stone and of two that are not proven with so many are left open.
const MOST_NODES: [u64; 2] = [4096 * FIRST_NODES, 4 * FIRST_NODES];
/// A win that so many nodes find need not be kept.
const EASY: u64 = 50_000;
const N_WORKERS: usize = 2;

type Board = Cachex<u64>;

/// The plies to a win of the player to move or, below 0, to his loss, and his best move.
#[derive(Clone, Copy)]
struct Proof {
    plies: i32,
    mv: Move,
}

/// What all workers know.
struct Known {
    until: Instant,
    file: Mutex<File>,
    /// By the text of a board in its own frame.
    proofs: Mutex<HashMap<String, Proof>>,
    /// Boards that a winner leads to, and whose answers were looked at.
    followed: Mutex<HashSet<u64>>,
    easy: Mutex<HashSet<u64>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (settings, paths): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.contains('='));
    let [minutes, proofs, lost @ ..] = &paths[..] else { return Err(USAGE.into()) };
    if 1 < lost.len() || 1 < settings.len() {
        return Err(USAGE.into());
    }
    let minutes: u64 = minutes.parse().map_err(|_| USAGE)?;
    let settings = Settings::read(OPTIONS, settings.first().map_or("table=1024", |text| text), 0)?;
    let options = Options::read(&settings)?;
    let file = OpenOptions::new().create(true).append(true).open(proofs)?;
    let known = Known {
        until: Instant::now() + Duration::from_secs(60 * minutes),
        proofs: Mutex::new(read(&std::fs::read_to_string(proofs)?)?),
        file: Mutex::new(file),
        followed: Mutex::default(),
        easy: Mutex::default(),
    };
    let mut workers: Vec<Worker<'_>> = (0..N_WORKERS).map(|_| Worker::new(&known, options)).collect();
    for n_stones in [1, 2] {
        settle(&known, &mut workers, n_stones)?;
    }
    let boards = lost_boards(&known);
    let _ = writeln!(io::stdout(), "{} boards are known to be lost", boards.len());
    if let [path] = lost {
        std::fs::write(path, pack(&boards))?;
    }
    Ok(())
}

/// Proves all openings of so many stones with ever more nodes, and then follows what the winner plays.
fn settle(known: &Known, workers: &mut [Worker<'_>], n_stones: usize) -> Result<(), AgentError> {
    let openings = openings(n_stones);
    let (mut open, mut nodes) = (openings.clone(), FIRST_NODES);
    while !open.is_empty() && nodes <= MOST_NODES[n_stones - 1] && Instant::now() < known.until {
        let still_open = Mutex::new(Vec::new());
        share(workers, &open, |worker, pos| {
            if worker.prove(pos, nodes)?.is_none() {
                lock(&still_open).push(*pos);
            }
            Ok(())
        })?;
        open = still_open.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (n_open, n_all) = (open.len(), openings.len());
        let _ = writeln!(io::stdout(), "{n_open} of {n_all} openings are open after {nodes} nodes for each");
        nodes *= 4;
    }
    for pos in &openings {
        let winner = lock(&known.proofs).get(&frame(pos).0).map(|proof| match 0 < proof.plies {
            true => pos.turn(),
            false => pos.turn().opponent(),
        });
        let verdict = winner.map_or("open".to_string(), |winner| format!("{winner} wins"));
        let _ = writeln!(io::stdout(), "{pos}: {verdict}");
    }
    let n_followed = AtomicUsize::new(0);
    share(workers, &openings, |worker, pos| {
        worker.follow_opening(pos)?;
        let (n_followed, n_proofs) = (n_followed.fetch_add(1, Relaxed) + 1, lock(&known.proofs).len());
        let _ = writeln!(io::stdout(), "{n_followed} openings are followed, {n_proofs} boards are proven");
        Ok(())
    })
}

/// Shares positions out among workers.
fn share<'a>(
    workers: &mut [Worker<'a>],
    positions: &[Board],
    work: impl Fn(&mut Worker<'a>, &Board) -> Result<(), AgentError> + Sync,
) -> Result<(), AgentError> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (next, work) = (&next, &work);
        let mut threads = Vec::new();
        for worker in workers {
            threads.push(scope.spawn(move || {
                let mut rest = std::iter::from_fn(|| positions.get(next.fetch_add(1, Relaxed)));
                rest.try_for_each(|pos| work(worker, pos))
            }));
        }
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })
}

/// One stone of the other, or one of each; of two images one.
fn openings(n_stones: usize) -> Vec<Board> {
    let mut seen = BTreeSet::new();
    let firsts = (0..N_CELLS).filter(|&cell| cell != N_CELLS / 2);
    let pairs = firsts.flat_map(|first| {
        let answers = (0..N_CELLS).filter(move |&answer| answer != first);
        let is_asked = move |answer: &Option<usize>| n_stones == 1 + usize::from(answer.is_some());
        [None].into_iter().chain(answers.map(Some)).filter(is_asked).map(move |answer| (first, answer))
    });
    let boards = pairs.filter_map(|(first, answer)| {
        let stone = |cell| match cell {
            _ if cell == first => 'r',
            _ if Some(cell) == answer => 'b',
            _ => '.',
        };
        // From the fourth ply on nothing can be stolen.
        Board::read(&text(stone, if answer.is_some() { "r 4" } else { "b 3" })).ok()
    });
    boards.filter(|pos| seen.insert(number(pos))).collect()
}

fn text(stone: impl Fn(usize) -> char, turn: &str) -> String {
    let row = |row: usize| (0..SIZE).map(|col| stone(SIZE * row + col)).collect::<String>();
    format!("{} {turn}", (0..SIZE).map(row).collect::<Vec<_>>().join("/"))
}

/// The frame in which a board is kept: red is to move, and of two half turns the one whose text comes first.
fn frame(pos: &Board) -> (String, usize) {
    let first = if pos.turn() == Player::Red { 0 } else { 2 };
    let text_of = |symmetry| {
        let image = pos.image(symmetry);
        let cells = image.cells();
        let stone = |cell: usize| match cells[cell].owner {
            Some(Player::Red) => 'r',
            Some(Player::Blue) => 'b',
            None => '.',
        };
        (text(stone, "r 4"), symmetry)
    };
    text_of(first).min(text_of(first + 1))
}

struct Worker<'a> {
    known: &'a Known,
    prover: Champion<Board, Paths>,
    quick: Champion<Board, Paths>,
}

impl Worker<'_> {
    fn new(known: &Known, options: Options) -> Worker<'_> {
        let quick = Options { threads: 1, table_bytes: 1 << 20, ..options };
        let champion = |options| Champion::new(Paths::default(), options);
        Worker { known, prover: champion(options), quick: champion(quick) }
    }

    /// Keeps how an opening is won, if that is proven.
    fn follow_opening(&mut self, pos: &Board) -> Result<(), AgentError> {
        match self.prove(pos, 1)? {
            Some(proof) if 0 < proof.plies => self.follow(pos),
            Some(_) => self.follow_answers(pos),
            None => Ok(()),
        }
    }

    fn prove(&mut self, pos: &Board, nodes: u64) -> Result<Option<Proof>, AgentError> {
        let (text, symmetry) = frame(pos);
        // Every symmetry is its own inverse.
        let mapped = |proof: Proof| Proof { mv: pos.image_move(symmetry, proof.mv), ..proof };
        let proof = lock(&self.known.proofs).get(&text).copied();
        let time = self.known.until.saturating_duration_since(Instant::now());
        if proof.is_some() || time.is_zero() {
            return Ok(proof.map(mapped));
        }
        let limits = Limits { nodes: Some(nodes), move_time: Some(time), ..Limits::default() };
        let choice = self.prover.choose(&Record::new(pos.boxed()), limits, &mut unwatched)?;
        let Some(plies) = choice.score.unwrap_or_default().plies_to_end() else { return Ok(None) };
        let kept = mapped(Proof { plies, mv: choice.mv });
        let line = format!("{text} {plies} {}", pos.image(symmetry).show_move(kept.mv));
        // What cannot be written is only proven again.
        let _ = writeln!(lock(&self.known.file), "{line}");
        lock(&self.known.proofs).insert(text, kept);
        Ok(Some(Proof { plies, mv: choice.mv }))
    }

    /// Keeps how the player to move wins.
    fn follow(&mut self, pos: &Board) -> Result<(), AgentError> {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        let is_followed = |m: &Move| lock(&self.known.followed).contains(&number(&pos.after(*m)));
        if legal.iter().any(is_followed) || self.is_easy(pos)? {
            return Ok(());
        }
        let mut nodes = FIRST_NODES;
        while Instant::now() < self.known.until {
            if let Some(proof) = self.prove(pos, nodes)? {
                return self.follow_answers(&pos.after(proof.mv));
            }
            nodes *= 4;
        }
        Ok(())
    }

    fn follow_answers(&mut self, pos: &Board) -> Result<(), AgentError> {
        lock(&self.known.followed).insert(number(pos));
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        legal.into_iter().try_for_each(|m| self.follow(&pos.after(m)))
    }

    fn is_easy(&mut self, pos: &Board) -> Result<bool, AgentError> {
        let board = number(pos);
        let is_known = lock(&self.known.easy).contains(&board);
        if is_known || self.known.until <= Instant::now() {
            return Ok(is_known);
        }
        let record = Record::new(pos.boxed());
        self.quick.begin(pos.turn(), &record, Limits::default())?;
        let limits = Limits { nodes: Some(EASY), ..Limits::default() };
        let score = self.quick.choose(&record, limits, &mut unwatched)?.score.unwrap_or_default();
        let is_easy = score.plies_to_end().is_some_and(|plies| 0 < plies);
        if is_easy {
            lock(&self.known.easy).insert(board);
        }
        Ok(is_easy)
    }
}

/// The boards that are lost for the player to move and whose answers were all looked at, with the plies to the end.
fn lost_boards(known: &Known) -> Vec<(u64, u8)> {
    let (mut lost, followed) = (BTreeMap::new(), lock(&known.followed));
    for (text, proof) in lock(&known.proofs).iter() {
        let Ok(pos) = Board::read(text) else { continue };
        let (pos, plies) =
            if 0 < proof.plies { (pos.after(proof.mv), proof.plies - 1) } else { (pos, -proof.plies) };
        if followed.contains(&number(&pos)) {
            let least = lost.entry(number(&pos)).or_insert(plies as u8);
            *least = (plies as u8).min(*least);
        }
    }
    lost.into_iter().collect()
}

/// What a file has proven.
fn read(text: &str) -> Result<HashMap<String, Proof>, Box<dyn Error>> {
    let line = |line: &str| -> Option<(String, Proof)> {
        let words: Vec<&str> = line.split(' ').collect();
        let [board, turn, ply, plies, mv] = words[..] else { return None };
        let text = [board, turn, ply].join(" ");
        let mv = Board::read(&text).ok()?.read_move(mv).ok()?;
        Some((text, Proof { plies: plies.parse().ok()?, mv }))
    };
    let expected =
        |text| format!("expected lines such as '...../.r.../...../..b../..... r 4 23 2-2', found '{text}'");
    Ok(text.lines().map(|text| line(text).ok_or_else(|| expected(text))).collect::<Result<_, _>>()?)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
