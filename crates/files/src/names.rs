//! Serde adapters: types of the rules as the words that files use.

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
    /// If it is neither `red` nor `blue`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Any type with a text form, such as a game's or an agent's spec.
pub mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    /// Writes the text.
    ///
    /// # Errors
    /// Those of the format.
    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    /// Reads the text.
    ///
    /// # Errors
    /// If the text is invalid.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Two such values as an array of texts.
pub mod pair {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::Serialize;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    /// Writes both texts.
    ///
    /// # Errors
    /// Those of the format.
    pub fn serialize<T: Display, S: Serializer>(pair: &[T; 2], serializer: S) -> Result<S::Ok, S::Error> {
        pair.each_ref().map(T::to_string).serialize(serializer)
    }

    /// Reads both texts.
    ///
    /// # Errors
    /// If one of them is invalid.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[T; 2], D::Error> {
        let [first, second] = <[String; 2]>::deserialize(deserializer)?;
        Ok([first.parse().map_err(D::Error::custom)?, second.parse().map_err(D::Error::custom)?])
    }
}
