//! CPU time of processes that have ended.
//!
//! The kernel adds the time of an ended process to its parent's sum of ended children, but only if the parent waits for
//! it. If the parent ignores `SIGCHLD`, the time vanishes.

use std::time::Duration;

/// CPU time of a tree's ended processes, from scans of those that exist.
#[derive(Debug, Default)]
pub struct Spent {
    /// The sum of ended children of all existing processes.
    ended: Duration,
    /// CPU time of processes that are gone, less what the sum has risen by, in nanoseconds.
    balance: i64,
    /// How much of it was too much at the last scan.
    excess: i64,
    /// CPU time that nobody waited for.
    lost: Duration,
}

/// The unit of the kernel's sums of ended processes.
pub const TICK: Duration = Duration::from_millis(10);

impl Spent {
    /// Counts a scan. Since the last one, processes are `gone` with that much CPU time; below 0, some have come back,
    /// because they changed their parent during the last scan. `ended` is the present sum of ended children, which
    /// consists of `n_sums` numbers other than 0. It was read before the lists of children.
    pub fn scan(&mut self, gone: i64, ended: Duration, n_sums: usize) {
        self.balance += gone + nanos(self.ended) - nanos(ended);
        self.ended = ended;
        // A sum is cut to ticks, once for user and once for system time. The errors do not add up, because the kernel
        // itself counts in nanoseconds. Below the range are processes that were never seen but waited for.
        let range = nanos(2 * TICK) * (1 + n_sums as i64);
        self.balance = self.balance.max(-range);
        // A process may have been waited for after its parent's sum was read. Then it is in the next one.
        let excess = (self.balance - range).max(0);
        let lost = excess.min(self.excess);
        self.balance -= lost;
        self.excess = excess - lost;
        self.lost += Duration::from_nanos(lost as u64);
    }

    /// CPU time of all processes that have ended.
    pub fn total(&self) -> Duration {
        self.ended + self.lost
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

/// A time in nanoseconds, for differences.
pub fn nanos(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The total in milliseconds after scans with `gone` and `ended` in milliseconds.
    fn total(spent: &mut Spent, scans: &[(i64, u64)]) -> u128 {
        for &(gone, ended) in scans {
            spent.scan(gone * 1_000_000, Duration::from_millis(ended), usize::from(0 < ended));
        }
        spent.total().as_millis()
    }

    #[test]
    fn children_that_are_waited_for_count_once() {
        let mut spent = Spent::default();
        // More until its end than was seen, and cut to ticks.
        assert_eq!(total(&mut spent, &[(0, 0), (315, 320), (0, 320)]), 320);
        // The sum was read before it was waited for.
        assert_eq!(total(&mut spent, &[(500, 320), (0, 820), (0, 820)]), 820);
        // One that was never seen.
        assert_eq!(total(&mut spent, &[(0, 1320), (0, 1320)]), 1320);
        assert!(!spent.has_lost());
    }

    #[test]
    fn short_children_that_nobody_waits_for_add_up() {
        let mut spent = Spent::default();
        let found = total(&mut spent, &[(15, 0); 1000]);
        assert!((14_900..=15_000).contains(&found), "{found}");
        assert!(spent.has_lost());
    }

    #[test]
    fn a_child_takes_its_own_children_with_it() {
        let mut spent = Spent::default();
        // Waited for by its own parent: its 100 and the 1000 of its children.
        assert_eq!(total(&mut spent, &[(1000, 1000), (100, 0), (0, 1100), (0, 1100)]), 1100);
        let found = total(&mut spent, &[(1000, 2100), (100, 1100), (0, 1100), (0, 1100)]);
        assert!((2140..=2200).contains(&found), "{found}");
    }

    #[test]
    fn a_process_that_was_missed_once_is_not_lost() {
        let mut spent = Spent::default();
        assert_eq!(total(&mut spent, &[(700, 0), (-700, 0), (0, 0), (0, 0)]), 0);
    }
}
