//! How good a position is for the player to move.

use std::fmt;
use std::ops::Neg;

/// Hundredths of whatever unit an evaluation counts in, or a win or loss in so many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// Neither side is ahead.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(WIN + 1);
    /// No evaluation goes beyond this.
    pub const MAX_EVALUATION: Score = Score(WIN - MAX_PLIES - 1);

    /// A win after so many more plies: the sooner the better.
    pub fn win_in(n_plies: u32) -> Score {
        Score(WIN - (n_plies as i32).min(MAX_PLIES))
    }

    /// An evaluation in its own unit, kept apart from wins and losses.
    #[inline(always)]
    pub fn from_units(units: f64) -> Score {
        Score((units * 100.0).round() as i32).clamped()
    }

    /// An evaluation in hundredths, kept apart from wins and losses.
    #[inline(always)]
    pub fn clamped(self) -> Score {
        let max = Score::MAX_EVALUATION.0;
        Score(self.0.clamp(-max, max))
    }

    /// In the evaluation's own unit.
    pub fn units(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The number of plies to a forced win (positive) or loss (negative), if that is what it is.
    pub fn plies_to_end(self) -> Option<i32> {
        if self.0.abs() <= Score::MAX_EVALUATION.0 {
            return None;
        }
        Some((WIN - self.0.abs()) * self.0.signum())
    }
}

const WIN: i32 = 100_000_000;
const MAX_PLIES: i32 = 1000;

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.plies_to_end() {
            Some(plies) if 0 < self.0 => format!("win in {plies}"),
            Some(plies) => format!("loss in {}", -plies),
            None => format!("{:+.2}", self.units()),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_are_better_and_later_losses_too() {
        assert!(Score::win_in(3) < Score::win_in(1));
        assert!(-Score::win_in(1) < -Score::win_in(3));
        assert!(Score::MAX_EVALUATION < Score::win_in(5000));
        assert_eq!(Score::from_units(1e12), Score::MAX_EVALUATION);
    }

    #[test]
    fn scores_read_as_people_say_them() {
        assert_eq!(Score::from_units(1.55).to_string(), "+1.55");
        assert_eq!((-Score::win_in(4)).to_string(), "loss in 4");
        assert_eq!(Score::win_in(0).to_string(), "win in 0");
    }
}
