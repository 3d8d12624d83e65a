//! A match as data, to be stored, compared or sent to another machine.

use serde::{Deserialize, Serialize};
use yarra_engine::{AgentSpec, Limits};
use yarra_games::{GameSpec, ParseError, Position, Record, mixed, read};

use crate::{Openings, Round};

/// Two agents, and how they play each other. The spec alone determines the games, unless a clock does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSpec {
    /// The game and its size.
    #[serde(with = "yarra_files::names::text")]
    pub game: GameSpec,
    /// The notation of the start position, if it is not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The agents; the first one is red in even rounds.
    #[serde(with = "yarra_files::names::pair")]
    pub agents: [AgentSpec; 2],
    /// The limits of both, see [`Limits::within`].
    #[serde(with = "yarra_files::names::text")]
    pub limits: Limits,
    /// The first moves.
    #[serde(with = "yarra_files::names::text")]
    pub openings: Openings,
    /// The seed of all randomness.
    pub seed: u64,
    /// The number of games.
    pub games: u32,
}

impl MatchSpec {
    /// The start position.
    ///
    /// # Errors
    /// If the start position is invalid, with what was expected.
    pub fn start(&self) -> Result<Box<dyn Position>, ParseError> {
        match &self.start {
            Some(text) => read(&self.game.to_string(), text),
            None => Ok(self.game.start()),
        }
    }

    /// The rounds of the match.
    pub fn rounds(&self) -> impl Iterator<Item = Round> {
        Round::all(self.games)
    }

    /// The opening of a round, drawn from a start position.
    pub(crate) fn opening(&self, round: Round, start: &dyn Position) -> Record {
        self.openings.draw(start, mixed(self.seed, u64::from(round.opening())))
    }

    /// The seed of an agent in a round.
    pub(crate) fn seed_of(&self, round: Round, seat: usize) -> u64 {
        mixed(mixed(self.seed, !u64::from(round.0)), seat as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_a_spec_inverts_printing_it() {
        let text = r#"{"game":"cachex:5","start":"..r../...../...../...../..... b 1","agents":["tbd","python:a/b"],"limits":"depth=3,movetime=100ms","openings":"random:2","seed":7,"games":10}"#;
        let spec: MatchSpec = serde_json::from_str(text).expect("a spec");
        assert_eq!(serde_json::to_string(&spec).expect("JSON"), text);
        assert_eq!(spec.start().expect("a position").ply(), 1);
        let wrong = text.replace("random:2", "chess");
        let error = serde_json::from_str::<MatchSpec>(&wrong).expect_err("no openings").to_string();
        assert!(error.contains("random:K"), "{error}");
    }
}
