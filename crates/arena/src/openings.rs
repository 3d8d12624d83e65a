//! The first moves of a match's games.

use std::fmt;
use std::str::FromStr;

use yarra_games::{MoveList, ParseError, Position, Record};

/// Games that would all be the same begin with so many random moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Openings {
    /// How many plies are random.
    pub n_plies: u16,
}

impl Openings {
    /// What suits a game: four plies in Infexion, so that both colors have two stacks; two in the others,
    /// where more random moves would soon decide the game.
    pub fn usual(pos: &dyn Position) -> Openings {
        Openings { n_plies: if pos.spec() == "infexion" { 4 } else { 2 } }
    }

    /// A game whose first moves follow from the seed and do not end it.
    pub fn draw(&self, start: &dyn Position, seed: u64) -> Record {
        let mut rng = fastrand::Rng::with_seed(seed);
        // Some small boards have no game as long as that.
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
            if game.outcome().is_none() || n_plies == 0 {
                return game;
            }
        }
        unreachable!("without random moves the game is not over")
    }
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
        let expected = "`random:K` with a number K of plies, such as `random:4`";
        n_plies.map(|n_plies| Openings { n_plies }).ok_or_else(|| ParseError::new(expected, text))
    }
}
