//! How a champion shares out its time.

use std::time::Duration;

use yarra_games::Position;

use crate::{Iteration, Limits};

/// When the search for one move ends.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// What a move should take if nothing special happens; `None` if only a fixed time or work counts.
    soft: Option<Duration>,
    /// The search is cut after this time.
    pub hard: Option<Duration>,
}

/// The time of a move if nobody gives a limit.
const THINK_TIME: Duration = Duration::from_secs(1);
/// The clock is shared among so many moves of one's own, or as many as can still come.
const MOVES_AHEAD: u32 = 25;
/// A busy machine can hold up any move: so much of the clock is left alone for each that can still come, and so
/// much for the worst of them, or all but a twentieth of what there is.
const LAG: Duration = Duration::from_millis(2);
const WORST_LAG: Duration = Duration::from_millis(150);

impl Pace {
    /// The pace of a move at a position.
    pub fn new(pos: &dyn Position, limits: Limits) -> Pace {
        if limits == Limits::default() {
            let limits = Limits { move_time: Some(THINK_TIME), ..limits };
            return Pace { soft: None, hard: limits.hard_time() };
        }
        let Some(left) = limits.clock else {
            return Pace { soft: None, hard: limits.hard_time() };
        };
        let n_moves_left = u32::from(pos.turn_limit().saturating_sub(pos.ply()).div_ceil(2));
        let reserve = LAG * n_moves_left + WORST_LAG;
        let usable = left - reserve.min(left * 19 / 20);
        let soft = usable / n_moves_left.clamp(1, MOVES_AHEAD);
        // Three times its share may go into a move whose best answer keeps changing.
        let hard = (soft * 3).min(usable / 2);
        Pace { soft: Some(soft), hard: limits.hard_time().into_iter().chain([hard]).min() }
    }

    /// Whether the next depth is worth beginning, after `n_stable` depths in a row with the same move.
    pub fn has_time_for_another(&self, iterations: &[Iteration], n_stable: u32) -> bool {
        let (Some(soft), [.., last]) = (self.soft, iterations) else { return true };
        let begun = |idx: usize| idx.checked_sub(1).map_or(Duration::ZERO, |idx| iterations[idx].elapsed);
        let took = |idx: usize| iterations[idx].elapsed.saturating_sub(begun(idx));
        let idx = iterations.len() - 1;
        // The next depth grows as the last one did, and half of it may already show a better move.
        let before = took(idx.saturating_sub(1)).max(Duration::from_micros(1));
        let growth = (took(idx).as_secs_f64() / before.as_secs_f64()).clamp(1.5, 6.0);
        let useful = took(idx).mul_f64(growth / 2.0);
        // A move that stands for long needs less thought, a new one more.
        let patience = 1.5 - 0.2 * f64::from(n_stable.min(5));
        last.elapsed + useful <= soft.mul_f64(patience)
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::Game;
    use yarra_games::infexion::Infexion;

    use super::*;
    use crate::Score;

    fn pace(clock: Duration, ply: u16) -> Pace {
        let text = format!("r1b1...../......./......./......./......./......./....... r {ply}");
        let pos = Infexion::read(&text).expect("a position");
        Pace::new(&pos, Limits { clock: Some(clock), ..Limits::default() })
    }

    #[test]
    fn a_clock_outlasts_the_longest_game_of_the_longest_thoughts() {
        for clock in [180_000, 10_000, 1000] {
            let mut left = Duration::from_millis(clock);
            for ply in (2..343).step_by(2) {
                // A busy machine takes more than the search asked for, and once in a while much more.
                let lag = match ply {
                    300 => 110_000,
                    ply if ply % 50 == 0 => 10_000,
                    _ => 500,
                };
                let hard = pace(left, ply).hard.expect("a bound");
                left = left.checked_sub(hard + Duration::from_micros(lag)).expect("time is left");
            }
        }
    }

    #[test]
    fn a_move_that_stands_is_played_sooner() {
        let iteration = |depth, ms| Iteration {
            depth,
            score: Score::DRAW,
            line: Vec::new(),
            nodes: 1,
            elapsed: Duration::from_millis(ms),
        };
        let iterations = [iteration(1, 5), iteration(2, 15)];
        let pace = pace(Duration::from_secs(1), 2);
        assert!(pace.has_time_for_another(&iterations, 0));
        assert!(!pace.has_time_for_another(&iterations, 5));
        assert!(Pace { soft: None, hard: None }.has_time_for_another(&iterations, 5));
    }
}
