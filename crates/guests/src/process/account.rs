//! A program's use of CPU time and memory, and whether it stays within its limits.

use std::time::{Duration, Instant};

use yarra_engine::Failure;

use super::meter::{MemoryUse, Meter};
use crate::Allowance;

/// What a program has used, as far as it counts.
pub struct Account {
    /// The source of all readings.
    pub meter: Meter,
    /// The limits.
    pub allowance: Allowance,
    /// CPU time on the clock, up to the last time it was stopped.
    used: Duration,
    /// The meter's CPU time when the clock was started, while it runs.
    running_since: Option<Duration>,
    /// The meter's CPU time when the program was suspended, while it is.
    suspended_at: Option<Duration>,
    /// CPU time off the clock, up to the last time the clock was started.
    off_clock: Duration,
    /// The meter's CPU time when the clock was stopped.
    off_clock_since: Duration,
    /// Memory of the program before the agent was loaded; `None` as long as memory does not count.
    baseline: Option<u64>,
    /// The peak at that moment: imports may need more for a moment than they keep.
    peak_before: u64,
    /// The highest memory of one process above the baseline.
    peak: u64,
    /// When memory was last read.
    memory_read: Instant,
}

/// A limit that was exceeded, and how.
pub struct Exceeded {
    /// The verdict.
    pub failure: Failure,
    /// The amount used and the limit, for people.
    pub message: String,
}

/// How often memory is read, which costs as much as all other readings.
const MEMORY_INTERVAL: Duration = Duration::from_millis(5);
/// All processes together may have as much memory as this many at their limit.
pub const MAX_FULL_PROCESSES: u64 = 4;
/// CPU time off the clock, for imports and the like, in addition to what the clock allows.
pub const OFF_CLOCK: Duration = Duration::from_secs(60);

impl Account {
    /// An account without any use so far. Memory counts from the first baseline on.
    pub fn new(meter: Meter, allowance: Allowance) -> Account {
        let zero = Duration::ZERO;
        Account {
            meter,
            allowance,
            used: zero,
            running_since: None,
            suspended_at: None,
            off_clock: zero,
            off_clock_since: zero,
            baseline: None,
            peak_before: 0,
            peak: 0,
            memory_read: Instant::now(),
        }
    }

    /// Counts memory above the present use from now on.
    pub fn set_baseline(&mut self) {
        self.meter.cpu();
        let now = self.meter.memory();
        (self.baseline, self.peak_before) = (Some(now.size), now.peak);
        self.peak = 0;
    }

    /// Counts all memory from the start.
    pub fn count_all_memory(&mut self) {
        self.baseline = Some(0);
    }

    /// Starts the clock.
    pub fn start_clock(&mut self) {
        let now = self.meter.cpu();
        // A suspended program uses no time. A process that escaped suspension does, and its time counts.
        let since = self.suspended_at.take().unwrap_or(now);
        self.off_clock += since.saturating_sub(self.off_clock_since);
        self.running_since = Some(since);
    }

    /// Starts the clock again from where it was stopped, after some CPU time that is free.
    pub fn continue_clock_after(&mut self, free: Duration) {
        self.running_since = Some(self.off_clock_since + free);
    }

    /// Stops the clock at a reading of the meter.
    pub fn stop_clock(&mut self, cpu: Duration) {
        if let Some(since) = self.running_since.take() {
            self.used += cpu.saturating_sub(since);
        }
        self.off_clock_since = cpu;
    }

    /// Suspends the program.
    pub fn suspend(&mut self) {
        self.meter.suspend();
        self.suspended_at = Some(self.meter.cpu());
    }

    /// CPU time on the clock so far.
    pub fn used(&self) -> Duration {
        self.used
    }

    /// CPU time that is left on the clock, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.allowance.time.map(|time| time.saturating_sub(self.used))
    }

    /// The highest memory of one process so far, above the baseline.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Checks the limits and returns the meter's CPU time.
    pub fn check(&mut self) -> Result<Duration, Exceeded> {
        let cpu = self.meter.cpu();
        self.check_time(cpu)?;
        // The kernel keeps the peak, so it can be read later.
        if MEMORY_INTERVAL.max(self.meter.pause()) <= self.memory_read.elapsed() {
            self.memory_read = Instant::now();
            let now = self.meter.memory();
            self.check_memory(now)?;
        }
        Ok(cpu)
    }

    fn check_time(&self, cpu: Duration) -> Result<(), Exceeded> {
        let Some(time) = self.allowance.time else { return Ok(()) };
        let (used, allowed, kind) = match self.running_since {
            Some(since) => (self.used + cpu.saturating_sub(since), time, ""),
            None => {
                let off_clock = self.off_clock + cpu.saturating_sub(self.off_clock_since);
                (off_clock, time + OFF_CLOCK, " outside the calls, for imports and the like")
            }
        };
        if used <= allowed {
            return Ok(());
        }
        let message = format!("used {used:.3?} of {allowed:?} CPU time{kind}");
        Err(Exceeded { failure: Failure::Time, message })
    }

    fn check_memory(&mut self, now: MemoryUse) -> Result<(), Exceeded> {
        let Some(baseline) = self.baseline else { return Ok(()) };
        let peak = if self.peak_before < now.peak { now.peak } else { now.size };
        self.peak = self.peak.max(peak.saturating_sub(baseline));
        let Some(limit) = self.allowance.memory else { return Ok(()) };
        if 0 < now.n_killed {
            let message = "the kernel has killed a process that was out of memory".to_owned();
            return Err(Exceeded { failure: Failure::Memory, message });
        }
        // Each process has the limit for itself, as in the course, but many must not exhaust the machine.
        let most = MAX_FULL_PROCESSES * limit;
        let (found, limit) = if limit < self.peak {
            (self.peak, limit)
        } else {
            (if most < now.total { self.meter.exact_total() } else { 0 }, most)
        };
        if found <= limit {
            return Ok(());
        }
        let megabytes = |bytes: u64| (bytes as f64 / f64::from(1 << 20) * 10.0).ceil() / 10.0;
        let message = format!("used {:.1} MB of {} MB memory", megabytes(found), megabytes(limit));
        Err(Exceeded { failure: Failure::Memory, message })
    }
}
