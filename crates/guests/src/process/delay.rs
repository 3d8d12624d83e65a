//! How long a program's tasks were ready to run but had to wait for a CPU.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::unistd::Pid;

/// The kernel's sums of such waits (`schedstat`) at the last reading. Kernels without them count no waits.
#[derive(Debug, Default)]
pub struct RunDelays {
    /// By thread.
    sums: HashMap<u32, Duration>,
    /// That of the referee's own thread: an answer may have come while it was waiting.
    own: Option<Duration>,
}

impl RunDelays {
    /// Reads the sums of all threads of some processes and returns the largest increase since the last reading, and
    /// that of this thread in addition: on one CPU, one waits after the other.
    pub fn increase(&mut self, processes: impl Iterator<Item = Pid>) -> Duration {
        let before = std::mem::take(&mut self.sums);
        let tasks = processes.flat_map(|pid| fs::read_dir(format!("/proc/{pid}/task"))).flatten().flatten();
        let sums = tasks.filter_map(|task| {
            let id = task.file_name().to_str()?.parse().ok()?;
            Some((id, sum_of(&task.path())?))
        });
        self.sums.extend(sums);
        let increase =
            |(id, sum): (&u32, &Duration)| sum.saturating_sub(before.get(id).copied().unwrap_or_default());
        let largest = self.sums.iter().map(increase).max().unwrap_or_default();
        let own_before = std::mem::replace(&mut self.own, sum_of(Path::new("/proc/thread-self")));
        let own = self.own.zip(own_before).map(|(now, before)| now.saturating_sub(before));
        largest + own.unwrap_or_default()
    }
}

/// The sum of a thread, given by its folder in `/proc`.
fn sum_of(thread: &Path) -> Option<Duration> {
    let text = fs::read_to_string(thread.join("schedstat")).ok()?;
    let nanoseconds = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::*;

    /// Two threads of this test on one CPU: each waits for the other.
    #[test]
    fn the_referees_own_waits_count_too() {
        let mut delays = RunDelays::default();
        delays.increase(std::iter::empty());
        if delays.own.is_none() {
            // This kernel keeps no sums.
            return;
        }
        let usable = sched_getaffinity(Pid::from_raw(0)).unwrap();
        let first = (0..CpuSet::count()).find(|&idx| usable.is_set(idx) == Ok(true)).unwrap();
        let mut one = CpuSet::new();
        one.set(first).unwrap();
        let pin = || sched_setaffinity(Pid::from_raw(0), &one).unwrap();
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                pin();
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
            scope.spawn(|| {
                pin();
                let mut delays = RunDelays::default();
                let mut waited = Duration::ZERO;
                while waited < Duration::from_millis(20) {
                    waited += delays.increase(std::iter::empty());
                }
                is_done.store(true, Ordering::Relaxed);
            });
        });
    }
}
