//! The proofs that all workers share, in memory and in the file of proofs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use yarra_engine::Stop;
use yarra_engine::champion::cachex::proven::number;
use yarra_games::{Game, Move, Position};

use super::boards::{Board, children, frame};

/// The share of the time for openings; the rest is for following the winners.
const PROVING: f64 = 0.8;

/// The plies to a win of the player to move or, below 0, to its loss, and its best move.
#[derive(Clone, Copy)]
pub struct Proof {
    pub plies: i32,
    pub mv: Move,
}

/// The proofs that all workers share.
pub struct Known<'a> {
    /// When to stop proving openings.
    pub proving_until: Instant,
    /// When to stop.
    pub until: Instant,
    stop: &'a Stop,
    file: Mutex<File>,
    /// By the canonical text of a board.
    proofs: Mutex<HashMap<String, Proof>>,
    /// The boards already known to be lost, by their numbers, with the plies to the end.
    pub lost: BTreeMap<u64, u8>,
    /// Boards that a winner leads to and whose replies have been searched.
    followed: Mutex<HashSet<u64>>,
    easy: Mutex<HashSet<u64>>,
    /// The most nodes of a failed search of a board, by its number and how far it was pursued.
    asked: Mutex<HashMap<(u64, u32), u64>>,
}

impl Known<'_> {
    /// Opens a file of proofs, or creates it. The clock starts now.
    pub fn open<'a>(
        path: &Path,
        lost: BTreeMap<u64, u8>,
        minutes: u64,
        stop: &'a Stop,
    ) -> anyhow::Result<Known<'a>> {
        let cannot = || format!("cannot open {}", path.display());
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(cannot)?;
        let text = std::fs::read_to_string(path).with_context(cannot)?;
        // A crash may have left an incomplete line.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let proofs = read(whole).with_context(|| path.display().to_string())?;
        file.set_len(whole.len() as u64)?;
        let (started, time) = (Instant::now(), Duration::from_secs(60 * minutes));
        Ok(Known {
            proving_until: started + time.mul_f64(PROVING),
            until: started + time,
            stop,
            file: Mutex::new(file),
            proofs: Mutex::new(proofs),
            followed: Mutex::new(lost.keys().copied().collect()),
            lost,
            easy: Mutex::default(),
            asked: Mutex::default(),
        })
    }

    /// Whether a deadline has passed or Ctrl-C was pressed.
    pub fn is_over(&self, until: Instant) -> bool {
        self.stop.is_raised() || until <= Instant::now()
    }

    /// For a search: cancels it after Ctrl-C.
    pub fn flow(&self) -> ControlFlow<()> {
        self.stop.flow()
    }

    /// The number of boards with a proof.
    pub fn n_proofs(&self) -> usize {
        lock(&self.proofs).len()
    }

    /// How a board ends, if it is proven or follows from other proofs.
    pub fn proof(&self, pos: &Board) -> Option<Proof> {
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
        // In a lost position any move will do.
        let lost = |&plies: &u8| Some(Proof { plies: -i32::from(plies), mv: children(pos).next()?.0 });
        proof.map(mapped).or_else(|| self.lost.get(&number(pos)).and_then(lost))
    }

    /// Whether a board has not been searched with this many nodes yet; marks it as searched.
    pub fn is_new(&self, pos: &Board, nodes: u64, n_pursued: u32) -> bool {
        let mut asked = lock(&self.asked);
        let most = asked.entry((number(pos), n_pursued)).or_insert(0);
        let is_new = *most < nodes;
        *most = nodes.max(*most);
        is_new
    }

    /// Stores a proof, in memory and in the file.
    pub fn keep(&self, pos: &Board, proof: Proof) {
        let (text, symmetry) = frame(pos);
        if lock(&self.proofs).contains_key(&text) {
            return;
        }
        let proof = Proof { mv: pos.image_move(symmetry, proof.mv), ..proof };
        let line = format!("{text} {} {}", proof.plies, pos.image(symmetry).show_move(proof.mv));
        // A proof that cannot be written is repeated next time.
        let _ = writeln!(lock(&self.file), "{line}");
        lock(&self.proofs).insert(text, proof);
    }

    /// Whether a winner leads to a board and its replies have been searched.
    pub fn is_followed(&self, pos: &Board) -> bool {
        lock(&self.followed).contains(&number(pos))
    }

    pub fn set_followed(&self, pos: &Board) {
        lock(&self.followed).insert(number(pos));
    }

    /// Whether a short search is known to find the win.
    pub fn is_easy(&self, pos: &Board) -> bool {
        lock(&self.easy).contains(&number(pos))
    }

    pub fn set_easy(&self, pos: &Board) {
        lock(&self.easy).insert(number(pos));
    }

    /// The boards lost for the player to move whose replies have all been searched, with the plies to the end.
    pub fn lost_boards(&self) -> BTreeMap<u64, u8> {
        let (mut lost, followed) = (self.lost.clone(), lock(&self.followed));
        for (text, proof) in lock(&self.proofs).iter() {
            let Ok(pos) = Board::read(text) else { continue };
            let (pos, plies) =
                if 0 < proof.plies { (pos.after(proof.mv), proof.plies - 1) } else { (pos, -proof.plies) };
            if followed.contains(&number(&pos)) {
                let least = lost.entry(number(&pos)).or_insert(plies as u8);
                *least = (plies as u8).min(*least);
            }
        }
        lost
    }
}

/// The proofs of a file.
fn read(text: &str) -> anyhow::Result<HashMap<String, Proof>> {
    let line = |line: &str| -> Option<(String, Proof)> {
        let words: Vec<&str> = line.split(' ').collect();
        let [board, turn, ply, plies, mv] = words[..] else { return None };
        let text = [board, turn, ply].join(" ");
        let mv = Board::read(&text).ok()?.read_move(mv).ok()?;
        Some((text, Proof { plies: plies.parse().ok()?, mv }))
    };
    let expected =
        |text| format!("expected lines such as '...../.r.../...../..b../..... r 4 23 2-2', found '{text}'");
    text.lines().map(|text| line(text).with_context(|| expected(text))).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
