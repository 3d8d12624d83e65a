//! The two players, and a value for each of them.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use crate::ParseError;

/// One of the two players; red moves first in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Moves at even plies.
    Red,
    /// Moves at odd plies.
    Blue,
}

impl Player {
    /// Both players in the order of their moves.
    pub const BOTH: [Player; 2] = [Player::Red, Player::Blue];

    /// The player to move after `ply` moves. No game allows passing.
    #[inline(always)]
    pub fn at_ply(ply: u16) -> Player {
        if ply.is_multiple_of(2) { Player::Red } else { Player::Blue }
    }

    /// The other player.
    #[inline(always)]
    pub fn opponent(self) -> Player {
        match self {
            Player::Red => Player::Blue,
            Player::Blue => Player::Red,
        }
    }

    /// `red` or `blue`.
    pub fn name(self) -> &'static str {
        match self {
            Player::Red => "red",
            Player::Blue => "blue",
        }
    }

    /// `Red` or `Blue`, for the start of a sentence.
    pub fn capitalized(self) -> &'static str {
        match self {
            Player::Red => "Red",
            Player::Blue => "Blue",
        }
    }

    /// `r` or `b`, as in the notation of positions.
    pub fn letter(self) -> char {
        match self {
            Player::Red => 'r',
            Player::Blue => 'b',
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Player {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Player, ParseError> {
        let player = Player::BOTH.into_iter().find(|player| player.name() == name);
        player.ok_or_else(|| ParseError::new("`red` or `blue`", name))
    }
}

/// A value for each player, indexed by [`Player`].
///
/// ```
/// use yarra_games::{ByPlayer, Player};
///
/// let mut wins = ByPlayer::default();
/// wins[Player::Blue] += 1;
/// assert_eq!(wins, ByPlayer { red: 0, blue: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByPlayer<T> {
    /// Red's.
    pub red: T,
    /// Blue's.
    pub blue: T,
}

impl<T> ByPlayer<T> {
    /// Calls `value` for each player, red first.
    pub fn from_fn(mut value: impl FnMut(Player) -> T) -> ByPlayer<T> {
        ByPlayer { red: value(Player::Red), blue: value(Player::Blue) }
    }

    /// Applies `change` to both values.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByPlayer<U> {
        ByPlayer { red: change(self.red), blue: change(self.blue) }
    }

    /// References to both values.
    pub fn as_ref(&self) -> ByPlayer<&T> {
        ByPlayer { red: &self.red, blue: &self.blue }
    }

    /// Both values, red's first.
    pub fn into_array(self) -> [T; 2] {
        [self.red, self.blue]
    }

    /// Each player with its value, red first.
    pub fn iter(&self) -> impl Iterator<Item = (Player, &T)> {
        [(Player::Red, &self.red), (Player::Blue, &self.blue)].into_iter()
    }
}

impl<T> Index<Player> for ByPlayer<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, player: Player) -> &T {
        match player {
            Player::Red => &self.red,
            Player::Blue => &self.blue,
        }
    }
}

impl<T> IndexMut<Player> for ByPlayer<T> {
    #[inline(always)]
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::Red => &mut self.red,
            Player::Blue => &mut self.blue,
        }
    }
}
