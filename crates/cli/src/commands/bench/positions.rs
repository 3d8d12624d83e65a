//! The positions whose move sequences are counted against the clock.

use anyhow::{Context, bail};
use serde_json::Value;
use yarra_games::infexion::Direction;
use yarra_games::perft::{Leaves, perft};
use yarra_games::{Record, start};

const FILES: [(&str, &str); 3] = [
    ("infexion", include_str!("../../../../../data/conformance/infexion.perft.json")),
    ("tetress", include_str!("../../../../../data/conformance/tetress.perft.json")),
    ("cachex", include_str!("../../../../../data/conformance/cachex.perft.json")),
];
/// Positions made up for the boards that no file has any of.
const N_SEEDED: u64 = 4;
/// A tree with fewer sequences than this says more about its root than about the rules.
const MIN_SEQUENCES: u64 = 10_000;
/// No board is so small that it takes more moves to know its tree.
const MAX_DEPTH: u32 = 9;

/// A position with the depth to count to.
#[derive(Debug)]
pub struct Task {
    pub record: Record,
    pub depth: u32,
}

/// Positions in the middle of games of `spec`, each with the deepest tree of up to about `max_sequences`.
///
/// They are those of the perft files; where these have none, positions after a quarter of the cells has
/// been filled at random; and where those are too near the end, the start of the game.
pub fn tasks(spec: &str, max_sequences: u64) -> anyhow::Result<Vec<Task>> {
    let start = Record::new(start(spec)?);
    let mut records = from_files(&start.now().spec())?;
    if records.is_empty() {
        records = (0..N_SEEDED).map(|seed| seeded(&start, seed)).collect();
    }
    let mut tasks = records.into_iter().filter_map(|record| task(record, max_sequences)).collect::<Vec<_>>();
    if tasks.is_empty() {
        tasks.extend(task(start, max_sequences));
    }
    Ok(tasks)
}

/// `None` if the tree is too small whatever the depth.
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

/// The positions of the perft files in which a move has been made.
fn from_files(spec: &str) -> anyhow::Result<Vec<Record>> {
    let mut records = Vec::new();
    for (game, text) in FILES {
        let file = serde_json::from_str::<Value>(text).with_context(|| format!("{game}.perft.json"))?;
        for position in list(&file["positions"])? {
            let its_spec = match &position["size"] {
                Value::Null => game.to_owned(),
                size => format!("{game}:{size}"),
            };
            let moves = list(&position["moves"])?;
            if its_spec != spec || moves.is_empty() {
                continue;
            }
            let moves = moves.iter().map(move_text).collect::<anyhow::Result<Vec<_>>>()?;
            records.push(Record::read(spec, None, moves.iter().map(String::as_str))?);
        }
    }
    Ok(records)
}

/// A move of the perft files in our own notation.
fn move_text(m: &Value) -> anyhow::Result<String> {
    if m["steal"] == true {
        return Ok("steal".to_owned());
    }
    if let Ok(from) = list(&m["spread"]) {
        let step = list(&m["dir"])?;
        let is_step = |direction: &Direction| {
            let (row, col) = direction.vector();
            step == [Value::from(row), Value::from(col)]
        };
        let direction = Direction::ALL.into_iter().find(is_step).with_context(|| format!("no step: {m}"))?;
        return Ok(cell_text(from)? + direction.letters());
    }
    if let Ok(cell) = list(&m["spawn"]) {
        return cell_text(cell);
    }
    let place = list(&m["place"])?;
    if place.iter().all(Value::is_array) {
        let cells = place.iter().map(|cell| cell_text(list(cell)?)).collect::<anyhow::Result<Vec<_>>>()?;
        return Ok(cells.join(","));
    }
    cell_text(place)
}

fn cell_text(cell: &[Value]) -> anyhow::Result<String> {
    let [row, col] = cell else { bail!("expected a row and a column, found {cell:?}") };
    Ok(format!("{row}-{col}"))
}

fn list(value: &Value) -> anyhow::Result<&[Value]> {
    value.as_array().map(Vec::as_slice).with_context(|| format!("expected a list, found {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_positions_of_a_fair_size() {
        for spec in ["infexion", "tetress", "cachex:3", "cachex:9", "cachex:15", "hex:3", "hex:11"] {
            let tasks = tasks(spec, 10_000_000).unwrap();
            assert!(!tasks.is_empty(), "{spec}");
            assert!(tasks.iter().all(|task| task.record.outcome().is_none()), "{spec}");
        }
    }
}
