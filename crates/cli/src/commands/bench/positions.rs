//! The positions on which perft is timed.

use anyhow::Context;
use yarra_files::trace::PerftSuite;
use yarra_games::perft::{Leaves, perft};
use yarra_games::{GameSpec, Record};

const FILES: [(&str, &str); 3] = [
    ("infexion", include_str!("../../../../../data/conformance/infexion.perft.json")),
    ("tetress", include_str!("../../../../../data/conformance/tetress.perft.json")),
    ("cachex", include_str!("../../../../../data/conformance/cachex.perft.json")),
];
/// The number of random positions for boards without a perft file.
const N_SEEDED: u64 = 4;
/// In a tree with fewer sequences the root dominates the time.
const MIN_SEQUENCES: u64 = 10_000;
/// The maximum depth; even the smallest boards have large enough trees within it.
const MAX_DEPTH: u32 = 9;

/// A position with the depth to count to.
#[derive(Debug)]
pub struct Task {
    pub record: Record,
    pub depth: u32,
}

/// Positions in the middle of games, each with the deepest tree of up to about `max_sequences`.
///
/// They are those of the perft files; for other boards, positions with a quarter of the cells filled at random; and if
/// those are too close to the end, the start of the game.
pub fn tasks(game: GameSpec, max_sequences: u64) -> anyhow::Result<Vec<Task>> {
    let start = Record::new(game.start());
    let mut records = from_files(game)?;
    if records.is_empty() {
        records = (0..N_SEEDED).map(|seed| seeded(&start, seed)).collect();
    }
    let mut tasks = records.into_iter().filter_map(|record| task(record, max_sequences)).collect::<Vec<_>>();
    if tasks.is_empty() {
        tasks.extend(task(start, max_sequences));
    }
    Ok(tasks)
}

/// `None` if the tree is too small at any depth.
fn task(record: Record, max_sequences: u64) -> Option<Task> {
    let (mut n_before, mut n_now) = (1, perft(&record, 1, Leaves::Counted));
    let mut deepest = (n_now, 1);
    for depth in 2..=MAX_DEPTH {
        let n_next_about = n_now.saturating_mul(n_now) / n_before.max(1);
        if n_now == 0 || max_sequences < n_next_about {
            break;
        }
        (n_before, n_now) = (n_now, perft(&record, depth, Leaves::Counted));
        deepest = deepest.max((n_now, depth));
    }
    let (n_sequences, depth) = deepest;
    (MIN_SEQUENCES <= n_sequences).then_some(Task { record, depth })
}

fn seeded(start: &Record, seed: u64) -> Record {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut record = start.clone();
    for _ in 0..start.now().cells().len() / 4 {
        let mut moves = Vec::new();
        record.now().legal_moves(&mut moves);
        if let Some(&m) = rng.choice(&moves) {
            record.play(m);
        }
    }
    record
}

/// The positions of the perft files after at least one move.
fn from_files(game: GameSpec) -> anyhow::Result<Vec<Record>> {
    let mut records = Vec::new();
    for (name, text) in FILES.into_iter().filter(|(name, _)| *name == game.name()) {
        let suite = PerftSuite::read(text).with_context(|| format!("{name}.perft.json"))?;
        let of_game = suite.records().filter(|record| record.start().spec() == game);
        records.extend(of_game.filter(|record| !record.moves().is_empty()).cloned());
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_positions_of_a_fair_size() {
        for spec in ["infexion", "tetress", "cachex:3", "cachex:9", "cachex:15", "hex:3", "hex:11"] {
            let tasks = tasks(spec.parse().unwrap(), 10_000_000).unwrap();
            assert!(!tasks.is_empty(), "{spec}");
            assert!(tasks.iter().all(|task| task.record.outcome().is_none()), "{spec}");
        }
    }
}
