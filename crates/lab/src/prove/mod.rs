//! `lab prove`

mod boards;
mod known;
mod settle;
mod worker;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail, ensure};
use yarra_engine::champion::cachex::OPTIONS;
use yarra_engine::champion::cachex::proven::{number, numbered};
use yarra_engine::champion::cachex::solved::{pack, unpack};
use yarra_engine::pvs::PvsOptions;
use yarra_engine::{AgentError, Settings};
use yarra_games::Position;

use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use boards::{Board, children, openings};
use known::Known;
use settle::settle;
use worker::Worker;

/// The nodes of the first attempt at a proof.
const FIRST_NODES: u64 = 1_000_000;
/// Openings of one or two stones that are not proven with this many nodes stay open, except for the replies to open
/// first stones.
const MOST_NODES: [u64; 2] = [256 * FIRST_NODES, 4 * FIRST_NODES];
/// Replies to open first stones are pursued for this many moves of the winner.
const PURSUED: u32 = 4;
const N_WORKERS: usize = 2;

/// Prove who wins openings of Cachex on the 5 × 5 board, and how.
///
/// The champion searches every opening of one stone, without the steal, and of two stones, with increasing node
/// limits until four fifths of the time have passed; only forced wins count. If a first stone stays open, its replies
/// are searched. Then it follows the winner's moves, with all replies to each, until a short search finds the win.
/// Only one of several symmetric boards is searched.
///
/// Each proof is written to a file at once and not searched again: the same command continues after Ctrl-C. When the
/// time is over, the boards that the winner leads to are added to LOST, the table that is built into the champion, with bounds
/// that fall with every move of the winner. The boards already in it are assumed to be proven.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab prove 120 proofs.txt data/solved/cachex-5.bin table=4096,lmr=2")]
pub struct ProveArgs {
    /// How long to search.
    #[arg(value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    minutes: u64,
    /// The file of proofs; it is created if it is missing.
    proofs: PathBuf,
    /// The file of lost boards, as in data/solved.
    lost: Option<PathBuf>,
    /// Options of the champion.
    #[arg(default_value = "table=1024")]
    options: String,
}

pub fn run(args: &ProveArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = args.lost.as_ref().filter(|path| path.to_string_lossy().contains('=')) {
        bail!("expected the file of lost boards before the options, found `{}`", path.display());
    }
    let options = PvsOptions::read(&Settings::read(OPTIONS, &args.options)?);
    let usual = PvsOptions::read(&Settings::read(OPTIONS, "")?);
    let lost_before = match &args.lost {
        Some(path) if path.exists() => read_lost(path)?,
        _ => BTreeMap::new(),
    };
    let stop = interrupt::flag()?;
    let known = Known::open(&args.proofs, lost_before, args.minutes, &stop)?;
    // The old boards may have been followed less far.
    let lost_before = known.lost.keys().map(|&board| numbered(board)).collect::<Result<Vec<Board>, _>>()?;
    let mut workers: Vec<Worker<'_>> = (0..N_WORKERS).map(|_| Worker::new(&known, options, usual)).collect();
    prove_all(&known, &mut workers)?;
    for boards in [openings(1), openings(2), lost_before] {
        follow_all(&known, &mut workers, &boards)?;
    }
    let lost = known.lost_boards();
    let _ = writeln!(io::stdout(), "{} boards are known to be lost", lost.len());
    // Without new boards the bounds in the file are those to which all boards settle.
    if let Some(path) = args.lost.as_ref().filter(|path| lost != known.lost || !path.exists()) {
        let Some(settled) = settle(&mut workers[0], &lost)? else {
            let _ = writeln!(
                io::stdout(),
                "interrupted: {} stays as it was, the proofs are kept",
                path.display()
            );
            return Ok(ExitCode::from(INTERRUPTED));
        };
        let boards: Vec<(u64, u8)> = settled.into_iter().collect();
        let n_circles = lost.len() - boards.len();
        let _ = writeln!(io::stdout(), "{n_circles} of them lead in circles and are left out");
        std::fs::write(path, pack(&boards)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(if stop.is_raised() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The boards of a file such as data/solved/cachex-5.bin, with the plies to the end.
fn read_lost(path: &Path) -> anyhow::Result<BTreeMap<u64, u8>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (boards, plies) = unpack(&bytes);
    let lost: BTreeMap<u64, u8> = boards.into_iter().zip(plies).collect();
    // The file is overwritten at the end, so it must not contain anything else.
    let is_whole = pack(&lost.iter().map(|(&board, &plies)| (board, plies)).collect::<Vec<_>>()) == bytes;
    ensure!(is_whole, "expected a file of lost boards, found another: {}", path.display());
    Ok(lost)
}

/// Proves openings of one and of two stones with increasing node limits.
fn prove_all(known: &Known, workers: &mut [Worker<'_>]) -> Result<(), AgentError> {
    let [firsts, pairs] = [1, 2].map(openings);
    let is_open = |pos: &Board| known.proof(pos).is_none();
    let mut nodes = FIRST_NODES;
    while !known.is_over(known.proving_until) {
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

/// Follows the winners' moves from some boards.
fn follow_all(known: &Known, workers: &mut [Worker<'_>], boards: &[Board]) -> Result<(), AgentError> {
    let (n_followed, n_boards) = (AtomicUsize::new(0), boards.len());
    share(workers, boards, |worker, pos| {
        worker.follow_from(pos)?;
        let n_followed = n_followed.fetch_add(1, Relaxed) + 1;
        if n_followed.is_multiple_of(100) || n_followed == n_boards {
            let n_proofs = known.n_proofs();
            let _ = writeln!(
                io::stdout(),
                "{n_followed} of {n_boards} boards are followed, {n_proofs} are proven"
            );
        }
        Ok(())
    })
}

/// Distributes boards among workers.
fn share<'a>(
    workers: &mut [Worker<'a>],
    boards: &[Board],
    work: impl Fn(&mut Worker<'a>, &Board) -> Result<(), AgentError> + Sync,
) -> Result<(), AgentError> {
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::new("boards", boards.len() as u64));
    thread::scope(|scope| {
        let (next, work, progress) = (&next, &work, &progress);
        let mut threads = Vec::new();
        for worker in workers {
            threads.push(scope.spawn(move || {
                let mut rest = std::iter::from_fn(|| boards.get(next.fetch_add(1, Relaxed)));
                rest.try_for_each(|pos| {
                    work(worker, pos)?;
                    progress.lock().unwrap_or_else(PoisonError::into_inner).step();
                    Ok(())
                })
            }));
        }
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })
}
