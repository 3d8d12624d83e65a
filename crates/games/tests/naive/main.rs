//! The rules again, written from their text with arrays and loops, and played in step with the fast ones.
//!
//! Only the numbering of moves is shared with the crate, so the two implementations are independent.

mod infexion;
#[path = "../random/mod.rs"]
mod random;
mod rhombus;
mod tetress;

use fastrand::Rng;
use random::{Mood, choose, crowded_infexion, late};
use yarra_games::{MoveList, Outcome, Player, Position, Record, start};

/// A naive implementation of a game.
pub trait Naive: Sized {
    /// The same position, with a history of one board.
    fn at(pos: &dyn Position) -> Self;
    /// The numbers of the legal moves, ascending; none if the game is over.
    fn legal_moves(&self) -> Vec<u16>;
    /// Makes a legal move.
    fn play(&mut self, m: u16);
    /// How the game ended, including by repetition.
    fn outcome(&self) -> Option<Outcome>;
    /// Owner and power of each cell, row by row.
    fn cells(&self) -> Vec<(Option<Player>, u8)>;
    /// Asserts the invariants of every board.
    fn check_board(&self);
}

#[test]
fn infexion_plays_by_its_rules() {
    play_from_start::<infexion::Naive>("infexion", 200);
    let mut rng = Rng::with_seed(11);
    for _ in 0..500 {
        let first = crowded_infexion(&mut rng);
        play_in_step::<infexion::Naive>(&*first, &mut rng, 30);
    }
}

#[test]
fn tetress_plays_by_its_rules() {
    play_from_start::<tetress::Naive>("tetress", 60);
}

#[test]
fn cachex_plays_by_its_rules_on_every_size() {
    for size in 3..=15 {
        let n_games = if size < 6 { 300 } else { 30 };
        play_from_start::<rhombus::Naive<true>>(&format!("cachex:{size}"), n_games);
    }
}

#[test]
fn hex_plays_by_its_rules_on_every_size() {
    for size in 3..=15 {
        play_from_start::<rhombus::Naive<false>>(&format!("hex:{size}"), 30);
    }
}

/// Plays complete games, and replays their last moves close to the turn limit.
#[track_caller]
fn play_from_start<N: Naive>(spec: &str, n_games: u64) {
    for seed in 0..n_games {
        let mut rng = Rng::with_seed(seed);
        let first = start(spec).unwrap();
        play_in_step::<N>(&*first, &mut rng, usize::MAX);
        let n_plies = 2 + rng.usize(..40);
        let middle = play_in_step::<N>(&*first, &mut rng, n_plies);
        play_in_step::<N>(&*late(middle.now(), &mut rng), &mut rng, usize::MAX);
    }
}

/// Plays up to `n_plies` moves with both implementations and compares everything after each.
#[track_caller]
fn play_in_step<N: Naive>(first: &dyn Position, rng: &mut Rng, n_plies: usize) -> Record {
    let mood = Mood::random(rng);
    let mut record = Record::new(first.boxed());
    let mut naive = N::at(first);
    for _ in 0..=n_plies {
        let pos = record.now();
        naive.check_board();
        let cells = pos.cells().iter().map(|cell| (cell.owner, cell.power)).collect::<Vec<_>>();
        assert_eq!(cells, naive.cells(), "the board at {pos}");
        assert_eq!(record.outcome(), naive.outcome(), "the outcome at {pos}");
        let mut moves = MoveList::new();
        if record.outcome().is_none() {
            pos.legal_moves(&mut moves);
        }
        let numbers = moves.iter().map(|m| m.0).collect::<Vec<_>>();
        assert_eq!(numbers, naive.legal_moves(), "the legal moves at {pos}");
        if moves.is_empty() || record.moves().len() == n_plies {
            break;
        }
        let m = choose(pos, &moves, mood, rng);
        naive.play(m.0);
        record.play(m);
    }
    record
}
