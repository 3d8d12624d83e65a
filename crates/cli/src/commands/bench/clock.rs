//! Rates of work, by wall-clock time and by the CPU time of this thread.

use std::time::{Duration, Instant};

use yarra_engine::time::thread_time;

/// An amount of work, and the time it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lap {
    pub n_done: u64,
    pub wall: Duration,
    pub cpu: Duration,
}

impl Lap {
    /// Repeats `batch`, which returns its amount of work, until `seconds` have passed; at least once.
    pub fn run(seconds: f64, mut batch: impl FnMut() -> u64) -> Lap {
        let (started, cpu_before) = (Instant::now(), thread_time());
        let mut n_done = 0;
        loop {
            n_done += batch();
            let wall = started.elapsed();
            if seconds <= wall.as_secs_f64() {
                return Lap { n_done, wall, cpu: thread_time().saturating_sub(cpu_before) };
            }
        }
    }

    /// The work per second.
    pub fn rate(self) -> f64 {
        self.n_done as f64 / self.wall.as_secs_f64()
    }
}

impl std::iter::Sum for Lap {
    fn sum<I: Iterator<Item = Lap>>(laps: I) -> Lap {
        laps.fold(Lap::default(), |sum, lap| Lap {
            n_done: sum.n_done + lap.n_done,
            wall: sum.wall + lap.wall,
            cpu: sum.cpu + lap.cpu,
        })
    }
}

/// The same figure from several rounds.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Ascending; never empty.
    figures: Vec<f64>,
}

impl Rounds {
    pub fn new(figures: impl IntoIterator<Item = f64>) -> Rounds {
        let mut figures = figures.into_iter().collect::<Vec<_>>();
        figures.sort_by(f64::total_cmp);
        Rounds { figures }
    }

    pub fn median(&self) -> f64 {
        let middle = self.figures.len() / 2;
        if self.figures.len() % 2 == 1 {
            self.figures[middle]
        } else {
            f64::midpoint(self.figures[middle - 1], self.figures[middle])
        }
    }

    /// The difference between the best and the worst round, relative to the median.
    pub fn spread(&self) -> f64 {
        (self.max() - self.min()) / self.median()
    }

    fn min(&self) -> f64 {
        self.figures[0]
    }

    fn max(&self) -> f64 {
        self.figures[self.figures.len() - 1]
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({ "median": self.median(), "min": self.min(), "max": self.max() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle_of_the_rounds() {
        assert_eq!(Rounds::new([9.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(Rounds::new([4.0, 1.0, 9.0, 2.0]).median(), 3.0);
        assert_eq!(Rounds::new([9.0, 1.0, 2.0]).spread(), 4.0);
    }

    #[test]
    fn a_lap_runs_at_least_one_batch() {
        let lap = Lap::run(0.0, || 7);
        assert_eq!(lap.n_done, 7);
    }
}
