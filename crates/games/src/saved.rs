//! A game in a file: one line of JSON.

use serde::{Deserialize, Serialize};

use crate::{ParseError, Record};

/// A game as one JSON line. Fields that it does not know are ignored when it is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedGame {
    /// The game and its size, such as `cachex:9`.
    pub game: String,
    /// The notation of the start position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves in their notation.
    pub moves: Vec<String>,
    /// `red`, `blue`, or nothing for a draw and for a game that is not over.
    pub winner: Option<String>,
    /// Why the game is over, such as `turn_limit` or `resignation`; nothing if it is not.
    pub reason: Option<String>,
    /// Who played red.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub red: Option<String>,
    /// Who played blue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blue: Option<String>,
    /// Where the players' randomness came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What both players were allowed, as in an agent's spec: `movetime=100ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<String>,
    /// How the first moves of the games of its match were chosen, such as `random:4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The game's number in its match, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Seconds that each move took; 0 for moves of the opening.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
    /// Bytes that the player held after each move; 0 for moves of the opening.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<u64>,
    /// Strangers among the players, and how they were kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guests: Vec<SavedGuest>,
    /// How a player failed, if that ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<SavedFault>,
    /// What the referee has to say beside the reason, such as how an agent failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How a stranger's agent was kept during a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedGuest {
    /// `red` or `blue`.
    pub player: String,
    /// What it was allowed: `time=180s,memory=250MB,call=60s`.
    pub limits: String,
    /// The layers that kept it in its place.
    pub isolation: Vec<String>,
}

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedFault {
    /// `red` or `blue`.
    pub player: String,
    /// The position at which it failed.
    pub position: String,
    /// What happened: an exception's trace, for instance.
    pub message: String,
    /// The move that it wanted to make, in its own words.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The last that it wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

impl SavedGame {
    /// A game as it stands, with its outcome if it is over by the rules.
    pub fn new(record: &Record) -> SavedGame {
        let spec = record.start().spec();
        let usual = crate::start(&spec).map(|start| start.to_string());
        let start = record.start().to_string();
        let outcome = record.outcome();
        SavedGame {
            start: (usual.as_ref() != Ok(&start)).then_some(start),
            moves: record.moves().iter().map(|&m| record.now().show_move(m)).collect(),
            winner: outcome.and_then(|outcome| outcome.winner).map(|winner| winner.to_string()),
            reason: outcome.map(|outcome| outcome.reason.to_string()),
            game: spec,
            ..SavedGame::default()
        }
    }

    /// The line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers are always JSON")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// If the line is not a JSON object with `game` and `moves`.
    pub fn from_line(line: &str) -> Result<SavedGame, serde_json::Error> {
        serde_json::from_str(line)
    }

    /// Plays the moves through.
    ///
    /// # Errors
    /// The first text that is wrong, with what was expected.
    pub fn record(&self) -> Result<Record, ParseError> {
        Record::read(&self.game, self.start.as_deref(), self.moves.iter().map(String::as_str))
    }
}
