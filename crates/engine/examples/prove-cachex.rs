//! Proves who wins openings of Cachex on a board too large for a table of all positions, and how.
//!
//! `cargo run --release -p yarra-engine --example prove-cachex -- MINUTES PROOFS [LOST] [OPTIONS]`, such as
//! `120 proofs.txt data/solved/cachex-5.bin table=4096,lmr=2`
//!
//! The champion searches every opening of one stone, which it may not steal, and of two, with ever more nodes until the
//! time is over: it never takes a guess for a win. A first stone that stays open is left to its answers. Then it follows
//! the winner's moves, with all answers to each, until a short search sees the win by itself. Of two boards that are
//! images of each other one is asked about. A proof goes to the file at once, and what stands there is not asked about
//! again: it can be stopped and run again. At the end `LOST` gets the boards that the winner leads to, which is what the
//! champion carries, beside those that stood there before and were taken for proven.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use yarra_engine::agent::unwatched;
use yarra_engine::champion::cachex::proven::{number, numbered};
use yarra_engine::champion::cachex::solved::{pack, unpack};
use yarra_engine::champion::cachex::{OPTIONS, Paths};
use yarra_engine::pvs::{Pvs, PvsOptions};
use yarra_engine::{Agent, AgentError, Limits, Score, Settings};
use yarra_games::cachex::Cachex;
use yarra_games::{Game, Move, Player, Position, Record};

const USAGE: &str = "expected MINUTES PROOFS [LOST] [OPTIONS], such as 120 proofs.txt lost.bin table=2048";
const SIZE: usize = 5;
const N_CELLS: usize = SIZE * SIZE;
/// What a proof is tried with at first.
const FIRST_NODES: u64 = 1_000_000;
/// Openings of one stone and of two that are not proven with so many are left open, but for the answers to first stones
/// that are.
const MOST_NODES: [u64; 2] = [256 * FIRST_NODES, 4 * FIRST_NODES];
/// For so many moves of the winner answers to open first stones are pursued.
const PURSUED: u32 = 4;
/// A win that so many nodes find need not be kept.
const EASY: u64 = 50_000;
const N_WORKERS: usize = 2;
/// The share of the time for openings; the rest is for what follows from them.
const PROVING: f64 = 0.8;

type Board = Cachex<u64>;

/// The plies to a win of the player to move or, below 0, to his loss, and his best move.
#[derive(Clone, Copy)]
struct Proof {
    plies: i32,
    mv: Move,
}

/// What all workers know.
struct Known {
    /// When openings are no longer proven, and when nothing is.
    proving_until: Instant,
    until: Instant,
    file: Mutex<File>,
    /// By the text of a board in its own frame.
    proofs: Mutex<HashMap<String, Proof>>,
    /// The boards that were known to be lost before, by their numbers, with the plies to the end.
    lost: BTreeMap<u64, u8>,
    /// Boards that a winner leads to, and whose answers were looked at.
    followed: Mutex<HashSet<u64>>,
    easy: Mutex<HashSet<u64>>,
    /// The most nodes with which a board was asked about in vain, by its number and how far it was pursued.
    asked: Mutex<HashMap<(u64, u32), u64>>,
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
    let options = PvsOptions::read(&settings)?;
    let usual = PvsOptions::read(&Settings::read(OPTIONS, "", 0)?)?;
    let file = OpenOptions::new().create(true).append(true).open(proofs)?;
    let text = std::fs::read_to_string(proofs)?;
    // A crash may have left half a line.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    file.set_len(whole.len() as u64)?;
    let lost_before = match lost {
        [path] if Path::new(path).exists() => unpack(&std::fs::read(path)?),
        _ => Default::default(),
    };
    let started = Instant::now();
    let known = Known {
        proving_until: started + Duration::from_secs(60 * minutes).mul_f64(PROVING),
        until: started + Duration::from_secs(60 * minutes),
        proofs: Mutex::new(read(whole)?),
        file: Mutex::new(file),
        followed: Mutex::new(lost_before.0.iter().copied().collect()),
        lost: lost_before.0.into_iter().zip(lost_before.1).collect(),
        easy: Mutex::default(),
        asked: Mutex::default(),
    };
    let mut workers: Vec<Worker<'_>> = (0..N_WORKERS).map(|_| Worker::new(&known, options, usual)).collect();
    // What was lost before may have been followed less far.
    let lost_before = known.lost.keys().map(|&board| numbered(board)).collect::<Result<Vec<Board>, _>>()?;
    prove_all(&known, &mut workers)?;
    for boards in [openings(1), openings(2), lost_before] {
        follow_all(&known, &mut workers, &boards)?;
    }
    let boards = lost_boards(&known);
    let _ = writeln!(io::stdout(), "{} boards are known to be lost", boards.len());
    if let [path] = lost {
        std::fs::write(path, pack(&boards))?;
    }
    Ok(())
}

/// Proves openings of one stone and of two with ever more nodes.
fn prove_all(known: &Known, workers: &mut [Worker<'_>]) -> Result<(), AgentError> {
    let [firsts, pairs] = [1, 2].map(openings);
    let is_open = |pos: &Board| known.proof(pos).is_none();
    let mut nodes = FIRST_NODES;
    while Instant::now() < known.proving_until {
        let firsts_asked = firsts.iter().filter(|pos| is_open(pos) && nodes <= MOST_NODES[0]);
        ask(workers, &firsts_asked.copied().collect::<Vec<_>>(), nodes, 0)?;
        let open_firsts = firsts.iter().filter(|pos| is_open(pos));
        let answers: HashSet<u64> = open_firsts.flat_map(children).map(|(_, child)| number(&child)).collect();
        let open_pairs = pairs.iter().copied().filter(is_open);
        let (answers, others): (Vec<Board>, Vec<Board>) =
            open_pairs.partition(|pos| answers.contains(&number(pos)));
        ask(workers, &answers, nodes, PURSUED)?;
        let is_more_asked = nodes <= MOST_NODES[1];
        if is_more_asked {
            ask(workers, &others, nodes, 0)?;
        }
        for (openings, n_stones) in [(&firsts, "one stone"), (&pairs, "two")] {
            let (n_open, n_all) = (openings.iter().filter(|pos| is_open(pos)).count(), openings.len());
            let _ = writeln!(
                io::stdout(),
                "{n_open} of {n_all} openings of {n_stones} are open after {nodes} nodes for each"
            );
        }
        if answers.is_empty() && !is_more_asked {
            break;
        }
        nodes *= 4;
    }
    for pos in firsts.iter().chain(&pairs) {
        let winner = known.proof(pos).map(|proof| match 0 < proof.plies {
            true => pos.turn(),
            false => pos.turn().opponent(),
        });
        let verdict = winner.map_or("open".to_string(), |winner| format!("{winner} wins"));
        let _ = writeln!(io::stdout(), "{pos}: {verdict}");
    }
    Ok(())
}

fn ask(workers: &mut [Worker<'_>], openings: &[Board], nodes: u64, n_pursued: u32) -> Result<(), AgentError> {
    share(workers, openings, |worker, pos| {
        let until = worker.known.proving_until;
        worker.prove(pos, nodes, until, n_pursued).map(|_| ())
    })
}

/// Follows what the winners of some boards play.
fn follow_all(known: &Known, workers: &mut [Worker<'_>], boards: &[Board]) -> Result<(), AgentError> {
    let (n_followed, n_boards) = (AtomicUsize::new(0), boards.len());
    share(workers, boards, |worker, pos| {
        worker.follow_from(pos)?;
        let n_followed = n_followed.fetch_add(1, Relaxed) + 1;
        if n_followed.is_multiple_of(100) || n_followed == n_boards {
            let n_proofs = lock(&known.proofs).len();
            let _ = writeln!(
                io::stdout(),
                "{n_followed} of {n_boards} boards are followed, {n_proofs} are proven"
            );
        }
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

fn children(pos: &Board) -> impl Iterator<Item = (Move, Board)> {
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    let pos = *pos;
    legal.into_iter().map(move |m| (m, pos.after(m)))
}

impl Known {
    /// How a board ends, if that was proven or follows from what was.
    fn proof(&self, pos: &Board) -> Option<Proof> {
        self.kept(pos).or_else(|| {
            let (mut win, mut loss) = (None, Some(Proof { plies: 0, mv: Move(0) }));
            for (mv, child) in children(pos) {
                let plies = self.kept(&child).map(|proof| -proof.plies - proof.plies.signum());
                win = win.max(plies.filter(|plies| 0 < *plies).map(|plies| (-plies, mv)));
                let later =
                    |loss: Proof, plies: i32| if plies < loss.plies { Proof { plies, mv } } else { loss };
                loss = loss.zip(plies.filter(|plies| *plies < 0)).map(|(loss, plies)| later(loss, plies));
            }
            win.map(|(plies, mv)| Proof { plies: -plies, mv }).or(loss)
        })
    }

    fn kept(&self, pos: &Board) -> Option<Proof> {
        let (text, symmetry) = frame(pos);
        let proof = lock(&self.proofs).get(&text).copied();
        // Every symmetry is its own inverse.
        let mapped = |proof: Proof| Proof { mv: pos.image_move(symmetry, proof.mv), ..proof };
        // Whoever has lost may play what he likes.
        let lost = |&plies: &u8| Some(Proof { plies: -i32::from(plies), mv: children(pos).next()?.0 });
        proof.map(mapped).or_else(|| self.lost.get(&number(pos)).and_then(lost))
    }

    /// Whether a board has not been asked about so thoroughly yet; from now on it has.
    fn is_new(&self, pos: &Board, nodes: u64, n_pursued: u32) -> bool {
        let mut asked = lock(&self.asked);
        let most = asked.entry((number(pos), n_pursued)).or_insert(0);
        let is_new = *most < nodes;
        *most = nodes.max(*most);
        is_new
    }

    fn keep(&self, pos: &Board, proof: Proof) {
        let (text, symmetry) = frame(pos);
        if lock(&self.proofs).contains_key(&text) {
            return;
        }
        let proof = Proof { mv: pos.image_move(symmetry, proof.mv), ..proof };
        let line = format!("{text} {} {}", proof.plies, pos.image(symmetry).show_move(proof.mv));
        // What cannot be written is only proven again.
        let _ = writeln!(lock(&self.file), "{line}");
        lock(&self.proofs).insert(text, proof);
    }
}

struct Worker<'a> {
    known: &'a Known,
    prover: Pvs<Board, Paths>,
    /// Searches as the champion plays.
    quick: Pvs<Board, Paths>,
}

impl Worker<'_> {
    fn new(known: &Known, options: PvsOptions, usual: PvsOptions) -> Worker<'_> {
        let quick = PvsOptions { table_bytes: 1 << 20, ..usual };
        let champion = |options| Pvs::new(Paths::default(), options);
        Worker { known, prover: champion(options), quick: champion(quick) }
    }

    /// Keeps how a board is won, if that is proven.
    fn follow_from(&mut self, pos: &Board) -> Result<(), AgentError> {
        match self.prove(pos, 1, self.known.until, 0)? {
            Some(proof) if 0 < proof.plies => self.follow(pos),
            Some(_) => self.follow_answers(pos),
            None => Ok(()),
        }
    }

    /// Asks a search of so many nodes who wins. If it does not know, it is asked again after each answer to the move of
    /// whom it holds for the winner, and so on for `n_pursued` moves of his.
    fn prove(
        &mut self,
        pos: &Board,
        nodes: u64,
        until: Instant,
        n_pursued: u32,
    ) -> Result<Option<Proof>, AgentError> {
        if let Some(proof) = self.known.proof(pos) {
            self.known.keep(pos, proof);
            return Ok(Some(proof));
        }
        let time = until.saturating_duration_since(Instant::now());
        if time.is_zero() || pos.outcome().is_some() || !self.known.is_new(pos, nodes, n_pursued) {
            return Ok(None);
        }
        let limits = Limits { nodes: Some(nodes), move_time: Some(time), ..Limits::default() };
        let choice = self.prover.choose(&Record::new(pos.boxed()), limits, &mut unwatched)?;
        let score = choice.score.unwrap_or_default();
        if let Some(plies) = score.plies_to_end() {
            let proof = Proof { plies, mv: choice.mv };
            self.known.keep(pos, proof);
            return Ok(Some(proof));
        }
        if n_pursued == 0 {
            return Ok(None);
        }
        let is_ahead = Score::DRAW < score;
        let board = if is_ahead { pos.after(choice.mv) } else { *pos };
        let expected = choice.line.get(usize::from(is_ahead)).copied();
        let mut answers: Vec<(Move, Board)> = children(&board).collect();
        answers.sort_by_key(|&(m, _)| Some(m) != expected);
        for (_, answer) in answers {
            let proof = self.prove(&answer, nodes, until, n_pursued - 1)?;
            if proof.is_none_or(|proof| proof.plies < 0) {
                return Ok(None);
            }
        }
        if let Some(loss) = self.known.proof(&board) {
            self.known.keep(&board, loss);
        }
        Ok(self.known.proof(pos))
    }

    /// Keeps how the player to move wins.
    fn follow(&mut self, pos: &Board) -> Result<(), AgentError> {
        let is_followed = |(_, child): (Move, Board)| lock(&self.known.followed).contains(&number(&child));
        if children(pos).any(is_followed) || self.is_easy(pos)? {
            return Ok(());
        }
        let mut nodes = FIRST_NODES;
        while Instant::now() < self.known.until {
            if let Some(proof) = self.prove(pos, nodes, self.known.until, 0)? {
                return self.follow_answers(&pos.after(proof.mv));
            }
            nodes *= 4;
        }
        Ok(())
    }

    fn follow_answers(&mut self, pos: &Board) -> Result<(), AgentError> {
        lock(&self.known.followed).insert(number(pos));
        children(pos).try_for_each(|(_, child)| self.follow(&child))
    }

    fn is_easy(&mut self, pos: &Board) -> Result<bool, AgentError> {
        let board = number(pos);
        let is_known = lock(&self.known.easy).contains(&board);
        if is_known || self.known.until <= Instant::now() {
            return Ok(is_known);
        }
        // Some images take twice as many nodes as others, and the champion may meet any.
        for symmetry in 0..pos.n_symmetries() {
            if !self.is_seen(&pos.image(symmetry))? {
                return Ok(false);
            }
        }
        lock(&self.known.easy).insert(board);
        Ok(true)
    }

    /// Whether a short search sees the win.
    fn is_seen(&mut self, pos: &Board) -> Result<bool, AgentError> {
        let record = Record::new(pos.boxed());
        self.quick.begin(pos.turn(), &record, Limits::default())?;
        let limits = Limits { nodes: Some(EASY), ..Limits::default() };
        let score = self.quick.choose(&record, limits, &mut unwatched)?.score.unwrap_or_default();
        Ok(score.plies_to_end().is_some_and(|plies| 0 < plies))
    }
}

/// The boards that are lost for the player to move and whose answers were all looked at, with the plies to the end.
fn lost_boards(known: &Known) -> Vec<(u64, u8)> {
    let (mut lost, followed) = (known.lost.clone(), lock(&known.followed));
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
