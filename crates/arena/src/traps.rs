//! Traps: positions with an obvious but bad move, each with its good moves and their proof.
//!
//! The suites are in `data/traps`, one JSON object per line. A proof searches all legal moves to its depth;
//! [`Trap::prove`] repeats it.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use yarra_engine::Watch;
use yarra_engine::prove::{ALL, By, Prover};
use yarra_games::{MoveList, ParseError, Record, read};

use crate::Side;

/// A position, the moves that are good in it, and why.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trap {
    /// Its name in the suite, such as `domino-2`.
    pub id: String,
    /// What it tests, one of the game's kinds.
    pub kind: String,
    /// The game and its size, such as `cachex:5`.
    pub game: String,
    /// The position's notation.
    pub position: String,
    /// All moves that are good.
    pub good: Vec<String>,
    /// What makes them good.
    pub proof: Proof,
    /// Agents that fall for it with every seed.
    pub fools: Vec<String>,
    /// An explanation in one sentence.
    pub why: String,
}

/// What was searched to tell good moves from others.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// What the search counts: `win`, `hold` or `score`.
    #[serde(deserialize_with = "read_by")]
    pub by: By,
    /// The depth in plies, including the move itself.
    pub depth: u32,
    /// The proof holds at every depth from this one to `depth`; without it, at `depth` alone. Material at one
    /// depth favors the side that moves last: a move that is best at five plies can lose its stack at the sixth.
    pub from: Option<u32>,
    /// How much better the worst good move is than the best other move; 1 for wins and holds.
    #[serde(default = "one")]
    pub margin: i32,
}

fn one() -> i32 {
    1
}

fn read_by<'de, D: Deserializer<'de>>(from: D) -> Result<By, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// Why a trap is not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Its text is invalid.
    Text(ParseError),
    /// It has no good move, or only good moves.
    NoChoice,
    /// A good move is not better than this one by the margin.
    NotBetter(String),
    /// The search exceeded its node limit.
    TooLong,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Text(error) => error.fmt(f),
            Doubt::NoChoice => f.write_str("expected both good and other moves"),
            Doubt::NotBetter(m) => write!(f, "the good moves are not better than {m} by the margin"),
            Doubt::TooLong => f.write_str("the proof takes too many nodes"),
        }
    }
}

impl std::error::Error for Doubt {}

impl From<ParseError> for Doubt {
    fn from(error: ParseError) -> Doubt {
        Doubt::Text(error)
    }
}

/// The games with traps, their kinds, and the suites.
const SUITES: [(&str, &[&str], &str); 3] = [
    (
        "infexion",
        &["domino", "evaluation", "anti-greedy"],
        include_str!("../../../data/traps/infexion.jsonl"),
    ),
    (
        "tetress",
        &["line-clear", "blocking", "elimination"],
        include_str!("../../../data/traps/tetress.jsonl"),
    ),
    ("cachex", &["capture", "double-threat", "steal"], include_str!("../../../data/traps/cachex.jsonl")),
];

/// The kinds of traps of a game.
///
/// # Errors
/// Lists the games that have traps.
pub fn kinds(game: &str) -> Result<&'static [&'static str], ParseError> {
    find(game).map(|(kinds, _)| kinds)
}

/// The traps of a game.
///
/// # Errors
/// Lists the games that have traps.
///
/// # Panics
/// If a line of the suite is not a trap; a test parses them all.
pub fn suite(game: &str) -> Result<Vec<Trap>, ParseError> {
    let (_, lines) = find(game)?;
    Ok(lines.lines().map(|line| serde_json::from_str(line).expect("tested")).collect())
}

fn find(game: &str) -> Result<(&'static [&'static str], &'static str), ParseError> {
    let found = SUITES.iter().find(|(name, ..)| *name == game);
    found.map(|&(_, kinds, lines)| (kinds, lines)).ok_or_else(|| {
        let names: Vec<_> = SUITES.iter().map(|(name, ..)| *name).collect();
        ParseError::new(format!("a game with traps, one of {}", names.join(", ")), game)
    })
}

/// What an agent did in a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its move, or how it failed.
    pub answer: String,
    /// Whether the move is one of the good ones.
    pub is_solved: bool,
}

impl Trap {
    /// The game at the trap's position, without history.
    ///
    /// # Errors
    /// If the text is invalid.
    pub fn record(&self) -> Result<Record, ParseError> {
        Ok(Record::new(read(&self.game, &self.position)?))
    }

    /// Lets an agent choose.
    ///
    /// # Errors
    /// If the trap's text is invalid. An agent that fails has not solved it.
    pub fn set(&self, side: &mut Side, watch: &mut Watch<'_>) -> Result<Attempt, ParseError> {
        let game = self.record()?;
        let begun = side.begin(game.now().turn(), &game);
        Ok(match begun.and_then(|()| side.choose(&game, watch)) {
            Ok(turn) => {
                let answer = game.now().show_move(turn.choice.mv);
                Attempt { is_solved: self.good.contains(&answer), answer }
            }
            Err(fault) => Attempt { answer: fault.to_string(), is_solved: false },
        })
    }

    /// Verifies by search that the good moves are better than all others, as the proof says.
    ///
    /// # Errors
    /// Why it is not proven; one reason is that it takes more than `max_nodes` nodes.
    pub fn prove(&self, max_nodes: u64) -> Result<(), Doubt> {
        let pos = read(&self.game, &self.position)?;
        let good = self.good.iter().map(|text| pos.read_move(text)).collect::<Result<Vec<_>, _>>()?;
        let mut others = MoveList::new();
        pos.legal_moves(&mut others);
        others.retain(|m| !good.contains(m));
        if good.is_empty() || others.is_empty() {
            return Err(Doubt::NoChoice);
        }
        let Proof { by, depth, from, margin } = self.proof;
        for depth in from.map_or(depth, |from| from.min(depth))..=depth {
            let prover = Prover { by, depth, max_nodes };
            let worths = prover.worths(&*pos, &good, ALL).ok_or(Doubt::TooLong)?;
            let floor = worths.into_iter().min().expect("not empty") - margin;
            let worths = prover.worths(&*pos, &others, (floor, floor + 1)).ok_or(Doubt::TooLong)?;
            if let Some(idx) = worths.into_iter().position(|worth| floor < worth) {
                return Err(Doubt::NotBetter(pos.show_move(others[idx])));
            }
        }
        Ok(())
    }
}
