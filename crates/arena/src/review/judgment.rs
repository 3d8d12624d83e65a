//! Judgments of moves by the chance to win that they lost, and accuracy.

use std::fmt;

use serde::Serialize;

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgment {
    /// The analyst's move, the only legal move, or one that is as good.
    Best,
    /// Little was lost.
    Good,
    /// There was a clearly better move.
    Inaccuracy,
    /// It lost a large part of the chance.
    Mistake,
    /// It may have lost the game.
    Blunder,
}

impl Judgment {
    /// All judgments, best first.
    pub const ALL: [Judgment; 5] =
        [Judgment::Best, Judgment::Good, Judgment::Inaccuracy, Judgment::Mistake, Judgment::Blunder];

    /// The judgment of a move that lost this much chance to win, from 0 to 1.
    pub fn of_loss(loss: f64) -> Judgment {
        match loss {
            ..0.01 => Judgment::Best,
            ..0.05 => Judgment::Good,
            ..0.10 => Judgment::Inaccuracy,
            ..0.20 => Judgment::Mistake,
            _ => Judgment::Blunder,
        }
    }

    /// Whether a better move should be shown.
    pub fn is_error(self) -> bool {
        Judgment::Inaccuracy <= self
    }

    /// The annotation symbol, as in chess.
    pub fn sign(self) -> &'static str {
        match self {
            Judgment::Best | Judgment::Good => "",
            Judgment::Inaccuracy => "?!",
            Judgment::Mistake => "?",
            Judgment::Blunder => "??",
        }
    }

    /// `best`, `good`, `inaccuracy`, `mistake` or `blunder`.
    pub fn name(self) -> &'static str {
        match self {
            Judgment::Best => "best",
            Judgment::Good => "good",
            Judgment::Inaccuracy => "inaccuracy",
            Judgment::Mistake => "mistake",
            Judgment::Blunder => "blunder",
        }
    }
}

impl fmt::Display for Judgment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A move that loses this much chance is half as accurate as one that loses none.
const HALVING_LOSS: f64 = 0.15;

/// The accuracy of a move, from 0 to 1, by the chance to win that it lost.
pub fn accuracy(loss: f64) -> f64 {
    0.5_f64.powf(loss / HALVING_LOSS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgments_start_at_their_thresholds() {
        let table = [
            (0.0, Judgment::Best),
            (0.0099, Judgment::Best),
            (0.01, Judgment::Good),
            (0.0499, Judgment::Good),
            (0.05, Judgment::Inaccuracy),
            (0.0999, Judgment::Inaccuracy),
            (0.1, Judgment::Mistake),
            (0.1999, Judgment::Mistake),
            (0.2, Judgment::Blunder),
            (1.0, Judgment::Blunder),
        ];
        for (loss, judgment) in table {
            assert_eq!(Judgment::of_loss(loss), judgment, "{loss}");
            assert_eq!(judgment.is_error(), 0.05 <= loss, "{loss}");
        }
        assert!(Judgment::ALL.is_sorted());
    }

    #[test]
    fn accuracy_halves_with_each_fifteen_percent() {
        assert_eq!(accuracy(0.0), 1.0);
        assert!((accuracy(0.15) - 0.5).abs() < 1e-12);
        assert!((accuracy(0.30) - 0.25).abs() < 1e-12);
    }
}
