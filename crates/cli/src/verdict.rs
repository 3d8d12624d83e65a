//! How a game ended, by its rules or by what its file says.

use std::fmt;

use yarra_files::SavedGame;
use yarra_games::{Outcome, Player, Record};

/// The end of a game. Unlike an [`Outcome`] it can be a resignation, or whatever a referee decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Who won; `None` is a draw.
    pub winner: Option<Player>,
    /// Why, in the words of files.
    pub reason: String,
}

impl Verdict {
    /// How a game from a file ended, if it has: the rules come before the file.
    pub fn of(saved: &SavedGame, record: &Record) -> Option<Verdict> {
        if let Some(outcome) = record.outcome() {
            return Some(outcome.into());
        }
        let reason = saved.reason.clone()?;
        let winner = Player::BOTH.into_iter().find(|player| saved.winner.as_deref() == Some(player.name()));
        Some(Verdict { winner, reason })
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Verdict {
        Verdict { winner: outcome.winner, reason: outcome.reason.to_string() }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins")?,
            None => f.write_str("draw")?,
        }
        write!(f, " ({})", self.reason.replace('_', " "))
    }
}
