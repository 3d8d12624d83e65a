//! The CPU time of an agent's moves, and an estimate for the longest possible game.

use std::time::Duration;

/// The CPU time of moves, by ply.
#[derive(Clone, Debug, Default)]
pub struct MoveTimes {
    moves: Vec<(u16, Duration)>,
}

/// The thirds of the longest possible game.
pub const PHASES: [&str; 3] = ["early", "middle", "late"];

impl MoveTimes {
    /// Adds moves with their plies.
    pub fn add(&mut self, moves: &[(u16, Duration)]) {
        self.moves.extend(moves);
    }

    /// The slowest move: its ply and its time.
    pub fn worst(&self) -> Option<(u16, Duration)> {
        self.moves.iter().copied().max_by_key(|(_, time)| *time)
    }

    /// The mean time in each third of the plies up to the turn limit; `None` without a move.
    pub fn means(&self, turn_limit: u16) -> [Option<Duration>; 3] {
        [0, 1, 2].map(|phase| {
            let moves = self.moves.iter().filter(|(ply, _)| 3 * ply / turn_limit.max(1) == phase);
            let times: Vec<Duration> = moves.map(|(_, time)| *time).collect();
            (!times.is_empty()).then(|| times.iter().sum::<Duration>() / times.len() as u32)
        })
    }

    /// An estimate of one side's time for a game to the turn limit.
    pub fn whole_game(&self, turn_limit: u16) -> Option<Duration> {
        let means = self.means(turn_limit);
        // A third without moves counts like the one before it, or like the first one with moves.
        let first = means.iter().flatten().next().copied()?;
        let mut total = Duration::ZERO;
        let mut mean = first;
        for phase in 0..3u16 {
            mean = means[usize::from(phase)].unwrap_or(mean);
            let begin = |phase: u16| (phase * turn_limit).div_ceil(3);
            let n_moves = (begin(phase + 1) - begin(phase)).div_ceil(2);
            total += mean * u32::from(n_moves);
        }
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_game_is_estimated_from_its_thirds() {
        let second = Duration::from_secs(1);
        let mut times = MoveTimes::default();
        assert_eq!(times.whole_game(150), None);
        times.add(&[(0, second), (2, 3 * second)]);
        assert_eq!(times.means(150), [Some(2 * second), None, None]);
        assert_eq!(times.whole_game(150), Some(150 * second));
        times.add(&[(148, 4 * second)]);
        assert_eq!(times.whole_game(150), Some((50 + 50 + 100) * second));
        assert_eq!(times.worst(), Some((148, 4 * second)));
        let mut late = MoveTimes::default();
        late.add(&[(342, second)]);
        assert_eq!(late.whole_game(343), Some(172 * second));
    }
}
