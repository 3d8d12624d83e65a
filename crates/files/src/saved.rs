//! A game in a file: one line of JSON.

use serde::{Deserialize, Serialize};
use yarra_games::{ByPlayer, Cause, Ending, GameSpec, ParseError, Player, Record};

use crate::TextError;
use crate::trace::Trace;

/// A recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedGame {
    /// The game and its size.
    pub game: GameSpec,
    /// The notation of the start position, if it is not the default.
    pub start: Option<String>,
    /// The moves in their notation.
    pub moves: Vec<String>,
    /// How the game ended; `None` if it is not over.
    pub ending: Option<Ending>,
    /// The names of the players.
    pub players: ByPlayer<Option<String>>,
    /// The seed of the players' randomness.
    pub seed: Option<u64>,
    /// The limits of both players, as in an agent's spec: `movetime=100ms`.
    pub limits: Option<String>,
    /// How the first moves of the games of its match were chosen, such as `random:4`.
    pub openings: Option<String>,
    /// The game's number in its match, from 0.
    pub round: Option<u32>,
    /// The seconds each move took; 0 for moves of the opening.
    pub times: Vec<f64>,
    /// The most memory of the player in bytes during each move; 0 for moves of the opening.
    pub memory: Vec<u64>,
    /// How external agents were run.
    pub guests: ByPlayer<Option<SavedGuest>>,
    /// What a player did wrong, if that ended the game.
    pub fault: Option<SavedFault>,
    /// A note of the referee on the cause, such as how an agent failed.
    pub note: Option<String>,
}

/// How an external agent was run during a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGuest {
    /// Its limits: `time=180s,memory=250MB,call=60s`.
    pub limits: String,
    /// The layers of its sandbox.
    pub isolation: Vec<String>,
}

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedFault {
    /// The player.
    #[serde(with = "crate::names::player")]
    pub player: Player,
    /// The position at which it failed.
    pub position: String,
    /// What happened, such as the traceback of an exception.
    pub message: String,
    /// The move that it tried to make, as the agent wrote it.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// The last output of the agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Whether it failed before the game began: in its import, its constructor or its handshake.
    #[serde(default, skip_serializing_if = "is_false")]
    pub at_start: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

const EXPECTED: &str = "a saved game as a JSON object";

impl SavedGame {
    /// A game in its current state, with its ending if the rules ended it.
    pub fn new(record: &Record) -> SavedGame {
        let start = record.start();
        SavedGame {
            game: start.spec(),
            start: (!GameSpec::is_start(start)).then(|| start.to_string()),
            moves: record.moves().iter().map(|&m| record.now().show_move(m)).collect(),
            ending: record.outcome().map(Ending::from),
            players: ByPlayer::default(),
            seed: None,
            limits: None,
            openings: None,
            round: None,
            times: Vec::new(),
            memory: Vec::new(),
            guests: ByPlayer::default(),
            fault: None,
            note: None,
        }
    }

    /// The game as a line of JSON, without the line ending.
    pub fn to_line(&self) -> String {
        serde_json::to_string(&Line::from(self)).expect("strings and numbers are always JSON")
    }

    /// Parses a line. Unknown fields are ignored.
    ///
    /// # Errors
    /// If the line is not a JSON object with `game` and `moves`, or a field is invalid. Moves are not checked:
    /// [`SavedGame::record`] does that.
    pub fn from_line(line: &str) -> Result<SavedGame, TextError> {
        let line: Line =
            serde_json::from_str(line).map_err(|error| TextError::Json { expected: EXPECTED, error })?;
        Ok(line.try_into()?)
    }

    /// Parses a line that is a saved game or a trace of an official referee.
    ///
    /// # Errors
    /// If the line is neither.
    pub fn from_line_or_trace(line: &str) -> Result<SavedGame, TextError> {
        match SavedGame::from_line(line) {
            // A trace writes moves as objects, so it never parses as a saved game.
            Err(TextError::Json { .. }) if line.contains("\"positions\"") => {
                Ok(SavedGame::new(&Trace::read(line)?.record()?))
            }
            read => read,
        }
    }

    /// Replays the moves.
    ///
    /// # Errors
    /// The first text that is invalid, with what was expected.
    pub fn record(&self) -> Result<Record, ParseError> {
        Record::read(&self.game.to_string(), self.start.as_deref(), self.moves.iter().map(String::as_str))
    }

    /// How the game ended, if it has. The rules take precedence over the file.
    pub fn ending(&self, record: &Record) -> Option<Ending> {
        record.outcome().map(Ending::from).or_else(|| self.ending.clone())
    }
}

/// The line in JSON. The names and the order of the fields are those of version 0.1.
#[derive(Serialize, Deserialize)]
struct Line {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: Vec<String>,
    winner: Option<String>,
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    red: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blue: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    openings: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    times: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    memory: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    guests: Vec<GuestEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<SavedFault>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct GuestEntry {
    #[serde(with = "crate::names::player")]
    player: Player,
    limits: String,
    isolation: Vec<String>,
}

impl From<&SavedGame> for Line {
    fn from(game: &SavedGame) -> Line {
        let game = game.clone();
        let (winner, cause) = game.ending.map_or((None, None), |ending| (ending.winner, Some(ending.cause)));
        let guests = game.guests.iter().filter_map(|(player, guest)| {
            let SavedGuest { limits, isolation } = guest.clone()?;
            Some(GuestEntry { player, limits, isolation })
        });
        Line {
            guests: guests.collect(),
            game: game.game.to_string(),
            start: game.start,
            moves: game.moves,
            winner: winner.map(|winner| winner.to_string()),
            reason: cause.map(|cause| cause.name().to_owned()),
            red: game.players.red,
            blue: game.players.blue,
            seed: game.seed,
            limits: game.limits,
            openings: game.openings,
            round: game.round,
            times: game.times,
            memory: game.memory,
            fault: game.fault,
            note: game.note,
        }
    }
}

impl TryFrom<Line> for SavedGame {
    type Error = ParseError;

    fn try_from(line: Line) -> Result<SavedGame, ParseError> {
        let winner = line.winner.as_deref().map(read_winner).transpose()?;
        let mut guests = ByPlayer::default();
        for GuestEntry { player, limits, isolation } in line.guests {
            guests[player] = Some(SavedGuest { limits, isolation });
        }
        Ok(SavedGame {
            game: line.game.parse()?,
            start: line.start,
            moves: line.moves,
            ending: line.reason.map(|reason| Ending { winner, cause: Cause::from_name(reason) }),
            players: ByPlayer { red: line.red, blue: line.blue },
            seed: line.seed,
            limits: line.limits,
            openings: line.openings,
            round: line.round,
            times: line.times,
            memory: line.memory,
            guests,
            fault: line.fault,
            note: line.note,
        })
    }
}

fn read_winner(name: &str) -> Result<Player, ParseError> {
    name.parse().map_err(|_| ParseError::new("winner \"red\", \"blue\" or null", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of version 0.1 with every field.
    const LINE: &str = r#"{"game":"cachex:5","start":"..r../...../...../...../..... b 1","moves":["steal"],"winner":"red","reason":"illegal_move","red":"tbd","blue":"python:agents/mine","seed":7,"limits":"movetime=100ms","openings":"random:0","round":3,"times":[0.25],"memory":[1024],"guests":[{"player":"blue","limits":"time=25s,memory=100MB,call=35s","isolation":["files","network"]}],"fault":{"player":"blue","position":"p","message":"m","move":"steal twice","output":"oh"},"note":"blue: m"}"#;

    #[test]
    fn printing_a_line_inverts_parsing_it() {
        let saved = SavedGame::from_line(LINE).expect("a saved game");
        assert_eq!(saved.to_line(), LINE);
        assert_eq!(saved.ending.map(|ending| ending.to_string()).as_deref(), Some("red wins (illegal move)"));
        let short = r#"{"game":"infexion","moves":[],"winner":null,"reason":null}"#;
        assert_eq!(SavedGame::from_line(short).expect("a saved game").to_line(), short);
    }

    #[test]
    fn errors_say_what_was_expected() {
        let table = [
            ("nonsense", "a saved game"),
            ("{}", "missing field `game`"),
            (r#"{"game":"chess","moves":[],"winner":null,"reason":null}"#, "a game, one of"),
            (
                r#"{"game":"hex:5","moves":[],"winner":"green","reason":"time"}"#,
                "winner \"red\", \"blue\" or null",
            ),
        ];
        for (line, expected) in table {
            let error = SavedGame::from_line(line).expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
