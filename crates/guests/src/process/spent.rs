//! CPU time of a process tree, from the clocks of its processes.
//!
//! The kernel adds the time of an ended process to its parent's sum of ended children, but only if the parent waits for
//! it. A parent that ignores `SIGCHLD` does not, and the time vanishes.

use std::collections::HashMap;
use std::time::Duration;

use nix::unistd::Pid;

/// What is known about one process.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The process.
    pub pid: Pid,
    /// Its own CPU time, to the nanosecond; that of a supervisor does not count.
    pub clock: Duration,
    /// CPU time of its ended descendants that were waited for, in units of [`TICK`].
    pub ended: Duration,
}

/// The sums up to the last reading.
#[derive(Debug, Default)]
pub struct Spent {
    clocks: HashMap<Pid, Duration>,
    ended: Duration,
    /// CPU time of processes that have ended, less what their parents' sums have risen by, in nanoseconds.
    balance: i64,
    /// CPU time that nobody waited for.
    lost: Duration,
}

/// The unit of the kernel's sums of ended processes.
pub const TICK: Duration = Duration::from_millis(10);

impl Spent {
    /// CPU time of all processes, ended ones included, with a reading of all that exist.
    pub fn update(&mut self, readings: &[Reading]) -> Duration {
        let clocks: HashMap<Pid, Duration> =
            readings.iter().map(|reading| (reading.pid, reading.clock)).collect();
        let vanished = self.clocks.iter().filter(|(pid, _)| !clocks.contains_key(pid));
        let vanished: Duration = vanished.map(|(_, clock)| *clock).sum();
        let ended = readings.iter().map(|reading| reading.ended).sum();
        self.balance += nanos(vanished) + nanos(self.ended) - nanos(ended);
        (self.clocks, self.ended) = (clocks, ended);
        // A sum is cut to ticks, once for user and once for system time. The errors do not add up, because the kernel
        // itself counts in nanoseconds. Below the range are processes that were never seen but waited for.
        let n_parents = readings.iter().filter(|reading| !reading.ended.is_zero()).count();
        let range = nanos(2 * TICK) * (1 + n_parents as i64);
        self.lost += Duration::from_nanos((self.balance - range).max(0) as u64);
        self.balance = self.balance.clamp(-range, range);
        self.clocks.values().sum::<Duration>() + self.ended + self.lost
    }

    /// Whether the time of a process has vanished.
    pub fn has_lost(&self) -> bool {
        !self.lost.is_zero()
    }

    /// Adds time that was spent unseen.
    pub fn add(&mut self, time: Duration) {
        self.lost += time;
    }
}

fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(spent: &mut Spent, readings: &[(i32, u64, u64)]) -> u128 {
        let readings = readings.iter().map(|&(pid, clock, ended)| Reading {
            pid: Pid::from_raw(pid),
            clock: Duration::from_millis(clock),
            ended: Duration::from_millis(ended),
        });
        spent.update(&readings.collect::<Vec<_>>()).as_millis()
    }

    #[test]
    fn children_that_are_waited_for_count_once() {
        let mut spent = Spent::default();
        assert_eq!(total(&mut spent, &[(1, 100, 0), (2, 15, 0)]), 115);
        // Ten milliseconds more until its end, and cut to ticks.
        assert_eq!(total(&mut spent, &[(1, 100, 20)]), 120);
        // One that was never seen.
        assert_eq!(total(&mut spent, &[(1, 100, 520)]), 620);
        assert!(!spent.has_lost());
    }

    #[test]
    fn short_children_that_nobody_waits_for_add_up() {
        let mut spent = Spent::default();
        for pid in 2..1002 {
            total(&mut spent, &[(1, 0, 0), (pid, 15, 0)]);
        }
        let found = total(&mut spent, &[(1, 0, 0)]);
        assert!((14_900..=15_000).contains(&found), "{found}");
        assert!(spent.has_lost());
    }

    #[test]
    fn a_child_takes_its_own_children_with_it() {
        let mut spent = Spent::default();
        total(&mut spent, &[(1, 10, 0), (2, 100, 0), (3, 1000, 0)]);
        assert_eq!(total(&mut spent, &[(1, 10, 0), (2, 100, 1000)]), 1110);
        // Waited for.
        assert_eq!(total(&mut spent, &[(1, 10, 1100)]), 1110);
        // Not waited for.
        total(&mut spent, &[(1, 10, 1100), (4, 100, 0), (5, 1000, 0)]);
        total(&mut spent, &[(1, 10, 1100), (4, 100, 1000)]);
        let found = total(&mut spent, &[(1, 10, 1100)]);
        assert!((2150..=2210).contains(&found), "{found}");
    }
}
