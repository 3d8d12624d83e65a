//! The time for which the referee waits for a program.

use std::time::{Duration, Instant};

/// Wall-clock time for which the referee has waited for a program, without the time for which the program wanted to run
/// and the machine was busy with others.
#[derive(Debug)]
pub struct Waiting {
    /// In the present call.
    call: Duration,
    /// In all calls before it.
    earlier: Duration,
    /// When it was last counted.
    counted: Instant,
}

/// The longest time between two counts that is not the machine's own pause.
const MAX_INTERVAL: Duration = Duration::from_millis(250);
/// How many times as long a program may take on a busy machine. A task of low priority may never run, and its program
/// must not wait for it for ever.
const MAX_SLOWDOWN: u32 = 20;

impl Waiting {
    /// Nothing so far.
    pub fn new() -> Waiting {
        Waiting { call: Duration::ZERO, earlier: Duration::ZERO, counted: Instant::now() }
    }

    /// A call begins.
    pub fn start_call(&mut self) {
        self.earlier += self.call;
        (self.call, self.counted) = (Duration::ZERO, Instant::now());
    }

    /// Wall-clock time since the last count.
    pub fn uncounted(&self) -> Duration {
        self.counted.elapsed()
    }

    /// Counts the time since the last count, in which the program computed for `cpu` and was delayed for `delay`.
    pub fn count(&mut self, cpu: Duration, delay: Duration) {
        self.call += what_counts(self.uncounted(), cpu, delay);
        self.counted = Instant::now();
    }

    /// In the present call.
    pub fn in_call(&self) -> Duration {
        self.call
    }

    /// In all calls so far.
    pub fn in_game(&self) -> Duration {
        self.earlier + self.call
    }
}

/// How much of a time counts. A program can delay itself by many threads, so that the time in which it computed counts
/// in any case.
fn what_counts(elapsed: Duration, cpu: Duration, delay: Duration) -> Duration {
    let elapsed = elapsed.min(MAX_INTERVAL);
    elapsed.saturating_sub(delay).max(cpu.min(elapsed)).max(elapsed / MAX_SLOWDOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_waits_for_a_cpu_are_excused() {
        let counted = |elapsed, cpu, delay| {
            let [elapsed, cpu, delay] = [elapsed, cpu, delay].map(Duration::from_millis);
            what_counts(elapsed, cpu, delay).as_millis()
        };
        assert_eq!(counted(100, 0, 0), 100, "asleep");
        assert_eq!(counted(100, 20, 80), 20, "on a busy machine");
        assert_eq!(counted(100, 200, 80), 100, "delayed by its own threads");
        assert_eq!(counted(100, 0, 1000), 5, "never at its turn");
        assert_eq!(counted(10_000, 0, 0), 250, "after a pause of the whole machine");
    }

    #[test]
    fn calls_add_up_to_a_game() {
        let mut waiting = Waiting { counted: Instant::now() - Duration::from_hours(1), ..Waiting::new() };
        waiting.count(Duration::ZERO, Duration::ZERO);
        assert_eq!(waiting.in_call(), MAX_INTERVAL);
        waiting.start_call();
        assert_eq!((waiting.in_call(), waiting.in_game()), (Duration::ZERO, MAX_INTERVAL));
    }
}
