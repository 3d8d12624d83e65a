//! The first moves of a match's games.

use std::fmt;
use std::str::FromStr;

use yarra_games::{GameSpec, MoveList, ParseError, Position, Record};

/// How the games of a match start: with random moves, so that they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Openings {
    /// How many plies are random.
    pub n_plies: u16,
}

/// More random moves leave hardly any game to play.
const MAX_PLIES: u16 = 100;

impl Openings {
    /// The default number of plies for a game.
    pub fn usual(game: GameSpec) -> Openings {
        Openings { n_plies: game.info().opening_plies }
    }

    /// No random moves.
    pub const NONE: Openings = Openings { n_plies: 0 };

    /// A game whose first moves are derived from the seed. They neither end it nor let the next move win it: such a
    /// game would say nothing about the players.
    pub fn draw(&self, start: &dyn Position, seed: u64) -> Record {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Some small boards have no game of that many plies.
        const TRIES: u16 = 20;
        for n_tries in 0.. {
            let n_plies = self.n_plies.saturating_sub(n_tries / TRIES);
            let mut game = Record::new(start.boxed());
            for _ in 0..n_plies {
                let mut moves = MoveList::new();
                game.now().legal_moves(&mut moves);
                let Some(&m) = rng.choice(&moves) else { break };
                game.play(m);
                if game.outcome().is_some() {
                    break;
                }
            }
            if n_plies == 0 || game.outcome().is_none() && !can_win_at_once(game.now()) {
                return game;
            }
        }
        unreachable!("without random moves the game is not over")
    }
}

fn can_win_at_once(pos: &dyn Position) -> bool {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    moves.into_iter().any(|m| {
        let mut next = pos.boxed();
        next.play(m);
        next.outcome().is_some_and(|outcome| outcome.winner == Some(pos.turn()))
    })
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "random:{}", self.n_plies)
    }
}

impl FromStr for Openings {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Openings, ParseError> {
        let n_plies = text.strip_prefix("random:").and_then(|n_plies| n_plies.parse().ok());
        let n_plies = n_plies.filter(|&n_plies| n_plies <= MAX_PLIES);
        let expected = format!("`random:K` with a number K of plies up to {MAX_PLIES}, such as `random:4`");
        n_plies.map(|n_plies| Openings { n_plies }).ok_or_else(|| ParseError::new(expected, text))
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::Game;
    use yarra_games::infexion::Infexion;

    use super::*;

    #[test]
    fn no_opening_is_won_by_the_next_move() {
        // About one in a hundred would be: a player's last stack within reach of the other.
        let start = Infexion::start(7).expect("the only size");
        for seed in 0..2000 {
            let game = Openings { n_plies: 4 }.draw(&start, seed);
            assert!(game.outcome().is_none() && game.now().ply() == 4);
            assert!(!can_win_at_once(game.now()), "seed {seed}: {}", game.now());
        }
    }

    #[test]
    fn immediate_wins_are_detected() {
        let read = |text| Infexion::read(text).expect("a position");
        let won = read("......./......./......./..r1b1.../......./......./....... r 2");
        assert!(can_win_at_once(&won));
        let open = read("......./......./......./..r1.b1../......./......./....... r 2");
        assert!(!can_win_at_once(&open));
    }
}
