//! How long a program's tasks were ready to run but had to wait for a CPU.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

use nix::unistd::Pid;

/// The kernel's sums of such waits (`schedstat`) at the last reading. Kernels without them count no waits.
#[derive(Debug, Default)]
pub struct RunDelays {
    /// By thread.
    sums: HashMap<u32, Duration>,
}

impl RunDelays {
    /// Reads the sums of all threads of some processes and returns the largest increase since the last reading.
    pub fn increase(&mut self, processes: impl Iterator<Item = Pid>) -> Duration {
        let before = std::mem::take(&mut self.sums);
        let tasks = processes.flat_map(|pid| fs::read_dir(format!("/proc/{pid}/task"))).flatten().flatten();
        let sums = tasks.filter_map(|task| {
            let id = task.file_name().to_str()?.parse().ok()?;
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let nanoseconds = text.split_whitespace().nth(1)?.parse().ok()?;
            Some((id, Duration::from_nanos(nanoseconds)))
        });
        self.sums.extend(sums);
        let increase =
            |(id, sum): (&u32, &Duration)| sum.saturating_sub(before.get(id).copied().unwrap_or_default());
        self.sums.iter().map(increase).max().unwrap_or_default()
    }
}
