//! Records of the official referees, and checking the rules against them.
//!
//! A [`Trace`] is a game with samples of its positions; a [`PerftSuite`] contains counts of move sequences. A
//! difference from our rules is a [`Disagreement`], which is data; a text that is not a trace is an error.

mod official;
mod suite;

use std::fmt;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use yarra_games::{Cell, GameSpec, ParseError, Player, Position, Reason, Record, find};

use crate::TextError;
pub use suite::{PerftChecked, PerftProgress, PerftSuite};

const UNFINISHED: &str = "unfinished";

/// One line of a file of traces, as JSON with these fields; others are ignored.
///
/// - `game`, `id`, and `size` where the game has several;
/// - `moves`: `{"spawn":[r,q]}` or `{"spread":[r,q],"dir":[dr,dq]}` in Infexion, `{"place":[[r,c],…]}` in
///   Tetress, `{"place":[r,q]}` or `{"steal":true}` in Cachex;
/// - `positions`: samples along the game, each with `ply`, `turn`, `cells` (`[r,q,"r" or "b",power]`, the
///   power in Infexion only), `legal` (the number of legal moves), `sha` (the SHA-256 of those moves as
///   compact JSON, sorted and joined by newlines), `legal_sample`, and optionally `rep`, how often the board
///   has occurred;
/// - `result`: `over`, `winner`, `reason`;
/// - `illegal_last`, if present: moves that must be rejected at the end.
#[derive(Debug)]
pub struct Trace {
    id: String,
    spec: GameSpec,
    moves: Vec<String>,
    samples: Vec<Sample>,
    is_over: bool,
    winner: Option<Player>,
    reason: Option<Reason>,
    refusals: Vec<String>,
}

#[derive(Debug)]
struct Sample {
    ply: usize,
    turn: Player,
    cells: Vec<Cell>,
    n_legal: usize,
    sha: String,
    legal: Vec<String>,
    n_repeats: Option<u16>,
}

/// The result of checking a trace.
#[derive(Debug, Default)]
pub struct Checked {
    /// The number of positions checked.
    pub n_positions: usize,
    /// The disagreements in the order of the game; empty if everything agrees.
    pub disagreements: Vec<Disagreement>,
}

/// A difference between a file and our rules.
#[derive(Debug)]
pub struct Disagreement {
    /// The number of moves made before.
    pub ply: usize,
    /// The position by our rules.
    pub position: Box<dyn Position>,
    /// What was expected and what was found.
    pub what: String,
}

impl Trace {
    /// Parses one line.
    ///
    /// # Errors
    /// If the line lacks a field above, or names an unknown game or size.
    pub fn read(line: &str) -> Result<Trace, TextError> {
        let expected = "a trace, a JSON object with game, id, moves, positions and result";
        let json = |error| TextError::Json { expected, error };
        let raw = serde_json::from_str::<RawTrace>(line).map_err(json)?;
        let spec = spec(&raw.game, raw.size)?;
        let texts = |moves: &[Value]| -> Result<Vec<String>, ParseError> {
            moves.iter().map(|m| official::read_move(spec, m)).collect()
        };
        let mut samples = Vec::new();
        for sample in raw.positions {
            if raw.moves.len() < sample.ply {
                let expected = format!("a position with a ply from 0 to {}", raw.moves.len());
                return Err(ParseError::new(expected, &sample.ply.to_string()).into());
            }
            samples.push(Sample {
                ply: sample.ply,
                turn: sample.turn.parse()?,
                cells: sample.cells.into_iter().map(read_cell).collect::<Result<_, _>>()?,
                n_legal: sample.legal,
                sha: sample.sha,
                legal: texts(&sample.legal_sample)?,
                n_repeats: sample.rep,
            });
        }
        Ok(Trace {
            id: raw.id,
            moves: texts(&raw.moves)?,
            samples,
            is_over: raw.result.over,
            winner: raw.result.winner.as_deref().map(str::parse).transpose()?,
            reason: read_reason(&raw.result.reason)?,
            refusals: texts(&raw.illegal_last)?,
            spec,
        })
    }

    /// The id of this game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Replays the moves.
    ///
    /// # Errors
    /// The first move that is not legal, with what was expected.
    pub fn record(&self) -> Result<Record, ParseError> {
        Record::read(&self.spec.to_string(), None, self.moves.iter().map(String::as_str))
    }

    /// Checks the trace against the rules, up to its first illegal move.
    pub fn check(&self) -> Checked {
        let mut check = Check::new(self.spec);
        for ply in 0..=self.moves.len() {
            for sample in self.samples.iter().filter(|sample| sample.ply == ply) {
                check.sample(sample);
            }
            let Some(text) = self.moves.get(ply) else { break };
            if let Err(error) = check.play(text) {
                check.note(format!("expected {text} to be legal, but the rules say: {error}"));
                return check.checked;
            }
        }
        for text in &self.refusals {
            check.refusal(text);
        }
        check.result(self);
        check.checked
    }
}

/// A check in progress.
struct Check {
    record: Record,
    checked: Checked,
}

impl Check {
    fn new(spec: GameSpec) -> Check {
        Check { record: Record::new(spec.start()), checked: Checked::default() }
    }

    fn play(&mut self, text: &str) -> Result<(), ParseError> {
        let m = self.record.read_move(text)?;
        self.record.play(m);
        Ok(())
    }

    fn sample(&mut self, sample: &Sample) {
        self.checked.n_positions += 1;
        self.compare("the side to move to be", &sample.turn, &self.record.now().turn());
        let mut found = self.record.now().cells();
        found.retain(|cell| cell.owner.is_some());
        if let Some(what) = difference(&sample.cells, &found) {
            self.note(what);
        }
        let legal = legal_moves(&self.record);
        self.compare("the number of legal moves to be", &sample.n_legal, &legal.len());
        self.compare("the SHA-256 of the legal moves to be", &sample.sha, &sha(legal));
        for text in &sample.legal {
            if let Err(error) = self.record.read_move(text) {
                self.note(format!("expected {text} to be legal, but the rules say: {error}"));
            }
        }
        if let Some(n_repeats) = sample.n_repeats {
            let what = "the number of times that the board has occurred to be";
            self.compare(what, &n_repeats, &self.record.n_repeats());
        }
    }

    fn refusal(&mut self, text: &str) {
        if self.record.read_move(text).is_ok() {
            self.note(format!("expected {text} to be rejected, found it legal"));
        }
    }

    fn result(&mut self, trace: &Trace) {
        let outcome = self.record.outcome();
        let name = |player: Option<Player>| player.map_or("nobody", Player::name);
        let state = |is_over| if is_over { "over" } else { "going on" };
        self.compare("the game to be", state(trace.is_over), state(outcome.is_some()));
        let winner = outcome.and_then(|outcome| outcome.winner);
        self.compare("the winner to be", name(trace.winner), name(winner));
        let reason = outcome.map(|outcome| outcome.reason);
        self.compare("the reason to be", show_reason(trace.reason), show_reason(reason));
    }

    fn compare<T: PartialEq + fmt::Display + ?Sized>(&mut self, what: &str, expected: &T, found: &T) {
        if expected != found {
            self.note(format!("expected {what} {expected}, found {found}"));
        }
    }

    fn note(&mut self, what: String) {
        let position = self.record.now().boxed();
        self.checked.disagreements.push(Disagreement { ply: self.record.moves().len(), position, what });
    }
}

/// The legal moves in the official programs' form; none if the game is over.
fn legal_moves(record: &Record) -> Vec<String> {
    let mut moves = Vec::new();
    if record.outcome().is_none() {
        record.now().legal_moves(&mut moves);
    }
    moves.into_iter().map(|m| official::show_move(record.now(), m)).collect()
}

fn sha(mut moves: Vec<String>) -> String {
    moves.sort_unstable();
    let mut digits = String::new();
    for byte in Sha256::digest(moves.join("\n")) {
        write!(digits, "{byte:02x}").expect("a string takes everything");
    }
    digits
}

/// Describes the first cell that differs, if any.
fn difference(expected: &[Cell], found: &[Cell]) -> Option<String> {
    if expected == found {
        return None;
    }
    let missing = expected.iter().find(|cell| !found.contains(cell));
    let surplus = found.iter().find(|cell| !expected.contains(cell));
    let show = |cell: &Cell| {
        let owner = cell.owner.map_or("nothing", Player::name);
        format!("{owner} with power {} on {}-{}", cell.power, cell.row, cell.col)
    };
    Some(match (missing, surplus) {
        (Some(missing), Some(surplus)) => format!("expected {}, found {}", show(missing), show(surplus)),
        (Some(missing), None) => format!("expected {}, found the cell empty", show(missing)),
        (None, Some(surplus)) => format!("expected an empty cell, found {}", show(surplus)),
        (None, None) => "expected the cells in a different order or number".to_owned(),
    })
}

/// The spec of a game whose size is given separately.
fn spec(game: &str, size: Option<u8>) -> Result<GameSpec, ParseError> {
    let (info, None) = find(game)? else { return Err(ParseError::new("a game's name without a size", game)) };
    match size {
        None if info.has_sizes() => Err(ParseError::new(format!("a size, because {game} has several"), game)),
        None => game.parse(),
        Some(size) => format!("{game}:{size}").parse(),
    }
}

#[derive(Deserialize)]
struct RawTrace {
    game: String,
    id: String,
    size: Option<u8>,
    moves: Vec<Value>,
    positions: Vec<RawSample>,
    result: RawResult,
    #[serde(default)]
    illegal_last: Vec<Value>,
}

#[derive(Deserialize)]
struct RawSample {
    ply: usize,
    turn: String,
    cells: Vec<RawCell>,
    legal: usize,
    sha: String,
    legal_sample: Vec<Value>,
    rep: Option<u16>,
}

/// Row, column, color and power.
#[derive(Deserialize)]
struct RawCell(u8, u8, char, #[serde(default = "one")] u8);

fn one() -> u8 {
    1
}

#[derive(Deserialize)]
struct RawResult {
    over: bool,
    winner: Option<String>,
    reason: String,
}

fn read_cell(RawCell(row, col, letter, power): RawCell) -> Result<Cell, ParseError> {
    let owner = Player::BOTH.into_iter().find(|player| player.letter() == letter);
    if owner.is_none() {
        return Err(ParseError::new("`r` or `b` as the color of a cell", &letter.to_string()));
    }
    Ok(Cell { row, col, owner, power })
}

fn read_reason(name: &str) -> Result<Option<Reason>, ParseError> {
    if name == UNFINISHED {
        return Ok(None);
    }
    let reason = Reason::ALL.into_iter().find(|reason| reason.name() == name);
    let expected = || format!("{UNFINISHED} or one of {}", Reason::ALL.map(Reason::name).join(", "));
    reason.map(Some).ok_or_else(|| ParseError::new(expected(), name))
}

fn show_reason(reason: Option<Reason>) -> &'static str {
    reason.map_or(UNFINISHED, Reason::name)
}
