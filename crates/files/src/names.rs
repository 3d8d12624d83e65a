//! Types of the rules as the words that files use.

/// A player as `red` or `blue`.
pub mod player {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;
    use yarra_games::Player;

    /// Writes the name.
    ///
    /// # Errors
    /// Those of the format.
    pub fn serialize<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(player.name())
    }

    /// Reads the name.
    ///
    /// # Errors
    /// If it is neither.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
