//! Whether an agent makes the same moves again.

use std::time::Duration;

use super::exam::{Examiner, Made};
use super::measurements::plain;
use super::trials::Stopped;
use super::{Check, Group, Status};

/// What the agent does when it is asked again.
#[derive(Default)]
struct Repeats {
    /// The number of positions at which it was asked again.
    n_asked: usize,
    /// Of those, where it moved differently although nothing had changed.
    n_changed: usize,
    /// Of those, where it moved differently with another seed.
    n_random: usize,
}

/// The CPU time that may be spent on asking again; fewer positions are tried with a slow agent.
const BUDGET: Duration = Duration::from_secs(60);
/// At so many positions it is asked again in any case.
const AT_LEAST: usize = 2;

impl Examiner<'_, '_> {
    /// Asks the agent again at the test positions, with the same seed and with another one.
    pub fn determinism(&mut self, moves: &[Made<'_>]) -> Result<Option<Check>, Stopped> {
        let mut moves = moves.to_vec();
        // The positions with the most legal moves tell most.
        moves.sort_by_key(|made| std::cmp::Reverse(made.game.now().n_legal_moves()));
        let (mut repeats, mut spent) = (Repeats::default(), Duration::ZERO);
        for Made { game, mv, time } in moves {
            // Two more trials at each position.
            spent += 2 * time;
            if AT_LEAST <= repeats.n_asked && BUDGET < spent || self.skips() {
                break;
            }
            let guest = self.at_ply(game.now());
            let seed = self.exam.seed;
            let [again, other] = [seed, seed.wrapping_add(1)]
                .map(|seed| self.trials.ask(&guest, game, seed, "the same positions again"));
            repeats.n_asked += 1;
            repeats.n_changed += usize::from(again?.mv != Some(mv));
            repeats.n_random += usize::from(other?.mv != Some(mv));
        }
        self.report.is_unsteady = 0 < repeats.n_changed;
        Ok((0 < repeats.n_asked).then(|| repeats.check()))
    }
}

impl Repeats {
    fn check(&self) -> Check {
        let Repeats { n_asked, n_changed, n_random } = self;
        let found = match (n_changed, n_random) {
            (0, 0) => format!("it moves the same way when asked again, at {n_asked} of {n_asked} positions"),
            (0, _) => format!(
                "it is not deterministic: with another seed it moved differently at {n_random} of {n_asked} positions. \
                 Here its random numbers follow from --seed, so that games can be repeated. The course's referee seeds \
                 nothing: to repeat games there, let the agent draw from its own generator, such as random.Random(1)"
            ),
            _ => format!(
                "it is not deterministic: asked again, it moved differently at {n_changed} of {n_asked} positions, even \
                 with the same seed. Its moves depend on something else: the time that is left, the clock, os.urandom, \
                 threads"
            ),
        };
        plain(Group::Habits, "determinism", found, Status::Ok, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn randomness_and_other_changes_are_told_apart() {
        let found = |n_changed, n_random| Repeats { n_asked: 9, n_changed, n_random }.check().found;
        assert!(found(0, 0).starts_with("it moves the same way"));
        assert!(found(0, 3).contains("with another seed it moved differently at 3 of 9"));
        assert!(found(1, 1).contains("at 1 of 9 positions, even with the same seed"));
    }
}
