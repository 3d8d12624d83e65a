//! Suites of perft counts.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::Value;

use yarra_games::Record;
use yarra_games::perft::{Leaves, divide};

use super::{Disagreement, official, spec};
use crate::TextError;

/// A file of perft counts: a JSON object with these fields; others are ignored.
///
/// - `game`;
/// - `positions`: each with `size` if the game has several, the `moves` that lead there in the form
///   that [`Trace`](super::Trace) has, and `perft`, the number of sequences of 1, 2, … legal moves.
#[derive(Debug)]
pub struct PerftSuite {
    cases: Vec<Case>,
}

#[derive(Debug)]
struct Case {
    record: Record,
    counts: Vec<u64>,
}

/// The progress of checking a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftProgress {
    /// The current position, from 0.
    pub position_idx: usize,
    /// The number of positions.
    pub n_positions: usize,
    /// The length of the sequences being counted.
    pub depth: usize,
    /// The number counted so far.
    pub n_nodes: u64,
    /// The number in the suite.
    pub n_expected: u64,
}

/// The result of checking a suite.
#[derive(Debug, Default)]
pub struct PerftChecked {
    /// The number of counts that agree.
    pub n_agreeing: usize,
    /// The number of counts above the limit, which were skipped.
    pub n_skipped: usize,
    /// The counts that differ.
    pub disagreements: Vec<Disagreement>,
}

#[derive(Deserialize)]
struct RawSuite {
    game: String,
    positions: Vec<RawCase>,
}

#[derive(Deserialize)]
struct RawCase {
    size: Option<u8>,
    moves: Vec<Value>,
    perft: Vec<u64>,
}

impl PerftSuite {
    /// Parses a file.
    ///
    /// # Errors
    /// If the text lacks a field above, names an unknown game or size, or contains an illegal move.
    pub fn read(text: &str) -> Result<PerftSuite, TextError> {
        let expected = "a perft suite, a JSON object with game and positions, each with moves and perft";
        let json = |error| TextError::Json { expected, error };
        let raw = serde_json::from_str::<RawSuite>(text).map_err(json)?;
        let mut cases = Vec::new();
        for case in raw.positions {
            let spec = spec(&raw.game, case.size)?;
            let mut moves = Vec::new();
            for m in &case.moves {
                moves.push(official::read_move(spec, m)?);
            }
            let record = Record::read(&spec.to_string(), None, moves.iter().map(String::as_str))?;
            cases.push(Case { record, counts: case.perft });
        }
        Ok(PerftSuite { cases })
    }

    /// The positions, each as a game that leads there.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.cases.iter().map(|case| &case.record)
    }

    /// Checks every count of at most `max_nodes`, at each position up to the first that differs. `watch` is told the
    /// progress and may break, which skips the rest.
    pub fn check(
        &self,
        max_nodes: u64,
        mut watch: impl FnMut(PerftProgress) -> ControlFlow<()>,
    ) -> PerftChecked {
        let mut checked = PerftChecked::default();
        let n_positions = self.cases.len();
        for (position_idx, case) in self.cases.iter().enumerate() {
            for (depth, &n_expected) in (1..).zip(&case.counts) {
                if max_nodes < n_expected {
                    checked.n_skipped += 1;
                    continue;
                }
                let mut progress = PerftProgress { position_idx, n_positions, depth, n_nodes: 0, n_expected };
                if case.count(&mut progress, &mut watch).is_break() {
                    return checked;
                }
                if progress.n_nodes != n_expected {
                    checked.disagreements.push(disagreement(case, progress));
                    // Longer sequences would add nothing, and a malformed file could ask for any length.
                    break;
                }
                checked.n_agreeing += 1;
            }
        }
        checked
    }
}

impl Case {
    fn count(
        &self,
        progress: &mut PerftProgress,
        mut watch: impl FnMut(PerftProgress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        divide(&self.record, progress.depth as u32, Leaves::Counted, &mut |_, n| {
            progress.n_nodes += n;
            watch(*progress)
        })
    }
}

fn disagreement(case: &Case, progress: PerftProgress) -> Disagreement {
    let PerftProgress { position_idx, depth, n_nodes, n_expected, .. } = progress;
    Disagreement {
        ply: case.record.moves().len(),
        position: case.record.now().boxed(),
        what: format!(
            "expected {n_expected} sequences of {depth} moves from position {}, found {n_nodes}",
            position_idx + 1
        ),
    }
}
