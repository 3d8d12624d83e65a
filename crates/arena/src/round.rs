//! A game of a match by its number, which determines colors and opening.

use std::fmt;

use yarra_games::Player;

/// The number of a game in its match, from 0. `Display` counts from 1.
///
/// Two rounds in a row share an opening with colors swapped: the first agent is red in even rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Round(pub u32);

impl Round {
    /// The rounds of a match of `n` games.
    pub fn all(n_games: u32) -> impl Iterator<Item = Round> {
        (0..n_games).map(Round)
    }

    /// Which of the match's two agents plays a color: 0 for the first, 1 for the second.
    pub fn seat_of(self, player: Player) -> usize {
        usize::from(player != self.color_of(0))
    }

    /// The color of the match's first (0) or second (1) agent.
    pub fn color_of(self, seat: usize) -> Player {
        if self.0.is_multiple_of(2) == (seat == 0) { Player::Red } else { Player::Blue }
    }

    /// The number of the opening, from 0.
    pub fn opening(self) -> u32 {
        self.0 / 2
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_swapped_on_each_opening() {
        for (n, red, opening) in [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)] {
            let round = Round(n);
            assert_eq!((round.seat_of(Player::Red), round.seat_of(Player::Blue)), (red, 1 - red));
            assert_eq!(round.color_of(red), Player::Red);
            assert_eq!(round.color_of(1 - red), Player::Blue);
            assert_eq!(round.opening(), opening);
        }
    }
}
