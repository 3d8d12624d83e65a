//! The time for which the referee waits for a program.

use std::time::{Duration, Instant};

/// Wall-clock time for which the referee has waited for a program, without the time for which the program wanted to run
/// and the machine was busy with others.
#[derive(Debug)]
pub struct Waiting {
    /// Wall-clock time in the present call, counted or not.
    elapsed: Duration,
    /// The part of it in which the program computed.
    computed: Duration,
    /// The part of it in which the program wanted to compute. The kernel tells it when that is over, so that it may
    /// concern times before the last count.
    delayed: Duration,
    /// What counts of all calls before.
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
        let zero = Duration::ZERO;
        Waiting { elapsed: zero, computed: zero, delayed: zero, earlier: zero, counted: Instant::now() }
    }

    /// A call begins.
    pub fn start_call(&mut self) {
        *self = Waiting { earlier: self.in_game(), ..Waiting::new() };
    }

    /// Wall-clock time since the last count.
    pub fn uncounted(&self) -> Duration {
        self.counted.elapsed()
    }

    /// Counts the time since the last count, in which the program computed for `cpu` and was delayed for `delay`.
    pub fn count(&mut self, cpu: Duration, delay: Duration) {
        self.add(self.uncounted(), cpu, delay);
        self.counted = Instant::now();
    }

    fn add(&mut self, elapsed: Duration, cpu: Duration, delay: Duration) {
        let elapsed = elapsed.min(MAX_INTERVAL);
        self.elapsed += elapsed;
        self.computed += cpu.min(elapsed);
        // Many tasks may be delayed at the same time, but nothing is saved up for later.
        self.delayed = (self.delayed + delay).min(self.elapsed);
    }

    /// In the present call.
    pub fn in_call(&self) -> Duration {
        what_counts(self.elapsed, self.computed, self.delayed)
    }

    /// In all calls so far.
    pub fn in_game(&self) -> Duration {
        self.earlier + self.in_call()
    }
}

/// How much of a time counts. A program can delay itself by many threads, so that the time in which it computed counts
/// in any case.
fn what_counts(elapsed: Duration, cpu: Duration, delay: Duration) -> Duration {
    elapsed.saturating_sub(delay).max(cpu.min(elapsed)).max(elapsed / MAX_SLOWDOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What counts in a call with some counts of elapsed, CPU and delayed milliseconds.
    fn counted(counts: &[[u64; 3]]) -> u128 {
        let mut waiting = Waiting::new();
        for count in counts {
            let [elapsed, cpu, delay] = count.map(Duration::from_millis);
            waiting.add(elapsed, cpu, delay);
        }
        waiting.in_call().as_millis()
    }

    #[test]
    fn only_waits_for_a_cpu_are_excused() {
        assert_eq!(counted(&[[100, 0, 0]]), 100, "asleep");
        assert_eq!(counted(&[[100, 20, 80]]), 20, "on a busy machine");
        assert_eq!(counted(&[[100, 200, 80]]), 100, "delayed by its own threads");
        assert_eq!(counted(&[[100, 0, 1000]]), 5, "never at its turn");
        assert_eq!(counted(&[[10_000, 0, 0]]), 250, "after a pause of the whole machine");
    }

    #[test]
    fn a_wait_for_a_cpu_is_excused_when_it_is_known() {
        let [unknown, known] = [[2, 0, 0], [2, 2, 8]];
        assert_eq!(counted(&[unknown, unknown, unknown, unknown, known]), 2);
        assert_eq!(counted(&[[10, 0, 1000], [100, 0, 0]]), 100, "nothing is saved up");
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
