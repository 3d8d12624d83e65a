//! The plan of a run: what decides its result, as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use yarra_games::{GameInfo, GameSpec, ParseError, find};

use crate::RunError;

/// What a run does. Two runs of one plan reach the same bytes, if its length is given in rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The game as given: `cachex` stands for several sizes, `cachex:7` for one.
    pub game: String,
    /// The recipe's name.
    pub recipe: String,
    /// The seed of all randomness.
    pub seed: u64,
    /// The options of the recipe that were given.
    pub settings: BTreeMap<String, String>,
    /// How far it goes.
    pub length: Length,
    /// The version of the program that began it.
    pub program: String,
}

/// The length of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Minutes of wall-clock time; the round that exceeds them is the last.
    Minutes(f64),
    /// A number of rounds.
    Rounds(u64),
}

impl Plan {
    /// The game's entry, and the size if only one is trained.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game(&self) -> Result<(&'static GameInfo, Option<u8>), ParseError> {
        find(&self.game)
    }

    /// The game with one size: the given one, or the game's default.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game_spec(&self) -> Result<GameSpec, ParseError> {
        self.game.parse()
    }

    /// The settings as `key=value,key=value`.
    pub fn settings_text(&self) -> String {
        let pairs: Vec<_> = self.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        pairs.join(",")
    }

    /// Fails if another plan would give another result. Its length and the program may differ: a run can be extended.
    pub(super) fn check_same(&self, other: &Plan) -> Result<(), RunError> {
        let settings = |plan: &Plan| match plan.settings_text() {
            text if text.is_empty() => "none".to_owned(),
            text => text,
        };
        let facts = [
            ("game", self.game.clone(), other.game.clone()),
            ("recipe", self.recipe.clone(), other.recipe.clone()),
            ("seed", self.seed.to_string(), other.seed.to_string()),
            ("settings", settings(self), settings(other)),
        ];
        match facts.into_iter().find(|(_, here, there)| here != there) {
            None => Ok(()),
            Some((what, here, there)) => Err(RunError::new(format!(
                "this run has {what} {here}, not {there}; go on with the same, or choose another directory"
            ))),
        }
    }
}
