//! All rules about time: how long a move may take, how a clock is shared among moves, and how often a search
//! checks the clock.

use std::cell::Cell;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use yarra_games::{Player, Position, Record};

use crate::{Agent, AgentError, Choice, Iteration, Limits, Term, Watch};

/// The time of a move if no limit is given.
pub const THINK_TIME: Duration = Duration::from_secs(1);
/// A clock is shared among this many own moves, or as many as can still come.
const MOVES_AHEAD: u16 = 25;
/// The share of a clock that a single move may use.
const MOST_OF_CLOCK: f64 = 0.8;
/// The time from a search's last check of the clock to the played move.
const MARGIN: Duration = Duration::from_millis(1);
/// Checking the clock costs as much as a node, so it is checked only once in this many nodes.
const NODES_BETWEEN_CHECKS: u64 = 256;
/// A busy machine can delay any move: this much of the clock is reserved for each move that can still come, and
/// `WORST_LAG` for the worst of them, or all but a twentieth of the time left.
const LAG: Duration = Duration::from_millis(2);
const WORST_LAG: Duration = Duration::from_millis(150);

/// How many own moves can still come.
fn n_moves_left(pos: &dyn Position) -> u16 {
    pos.turn_limit().saturating_sub(pos.ply()).div_ceil(2)
}

/// How many own moves a clock is planned for; 0 if none can come.
pub fn n_moves_planned(pos: &dyn Position) -> u16 {
    n_moves_left(pos).min(MOVES_AHEAD)
}

/// The time for the next move, of the time left for all.
fn share(left: Duration, pos: &dyn Position) -> Duration {
    left / u32::from(n_moves_planned(pos).max(1))
}

impl Limits {
    /// The time after which a move must have been made, with a little left for making it.
    pub fn hard_time(&self) -> Option<Duration> {
        let clock = self.clock.map(|left| left.mul_f64(MOST_OF_CLOCK));
        let hard = self.move_time.into_iter().chain(clock).min()?;
        Some(hard.saturating_sub(MARGIN.min(hard / 4)))
    }

    /// These limits, or [`THINK_TIME`] per move if there are none.
    pub fn or_think_time(self) -> Limits {
        if self != Limits::default() {
            return self;
        }
        Limits { move_time: Some(THINK_TIME), ..self }
    }
}

/// The CPU time of this thread.
pub fn thread_time() -> Duration {
    ThreadTime::now().as_duration()
}

thread_local! {
    static IS_CPU_TIME: Cell<bool> = const { Cell::new(false) };
}

/// Lets the searches that a call begins in this thread count CPU time instead of wall-clock time. Who is charged CPU time
/// should use all of it, however busy the machine is.
pub fn by_cpu_time<T>(call: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_CPU_TIME.set(self.0);
        }
    }
    let _restore = Restore(IS_CPU_TIME.replace(true));
    call()
}

/// When a search began, by the clock that it is judged by.
#[derive(Clone, Copy, Debug)]
enum Started {
    Wall(Instant),
    /// The CPU time of the search's thread.
    Cpu(Duration),
}

impl Started {
    fn now() -> Started {
        if IS_CPU_TIME.get() { Started::Cpu(thread_time()) } else { Started::Wall(Instant::now()) }
    }

    fn elapsed(self) -> Duration {
        match self {
            Started::Wall(started) => started.elapsed(),
            Started::Cpu(started) => thread_time().saturating_sub(started),
        }
    }
}

/// The limits of a search that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    started: Started,
    hard_time: Option<Duration>,
    nodes: u64,
    next_look: u64,
}

impl Budget {
    /// A budget that runs from now on.
    pub fn start(hard_time: Option<Duration>, nodes: Option<u64>) -> Budget {
        Budget { started: Started::now(), hard_time, nodes: nodes.unwrap_or(u64::MAX), next_look: 0 }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the clock must be checked again.
    #[inline(always)]
    pub fn is_look_due(&self, nodes: u64) -> bool {
        self.next_look <= nodes || self.nodes <= nodes
    }

    /// Whether the search must stop now.
    pub fn is_spent(&mut self, nodes: u64) -> bool {
        self.next_look = nodes + NODES_BETWEEN_CHECKS;
        self.nodes <= nodes || self.hard_time.is_some_and(|hard| hard <= self.elapsed())
    }
}

/// When a champion's search for one move ends.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// What a move should take if nothing special happens; `None` if only a fixed time or work counts.
    soft: Option<Duration>,
    /// The search is cut after this time.
    pub hard: Option<Duration>,
}

impl Pace {
    /// The pace of a move at a position.
    pub fn new(pos: &dyn Position, limits: Limits) -> Pace {
        let limits = limits.or_think_time();
        let Some(left) = limits.clock else {
            return Pace { soft: None, hard: limits.hard_time() };
        };
        let reserve = LAG * u32::from(n_moves_left(pos)) + WORST_LAG;
        let usable = left - reserve.min(left * 19 / 20);
        let soft = share(usable, pos);
        // Up to three times its share for a move whose best reply keeps changing.
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
        // A best move that has been stable needs less time, a new one more.
        let patience = 1.5 - 0.2 * f64::from(n_stable.min(5));
        last.elapsed + useful <= soft.mul_f64(patience)
    }
}

/// An agent that would use all the time it is given, with a share of the clock for each move and with limits where
/// there are none.
pub struct Paced<A, F> {
    /// The agent.
    pub agent: A,
    /// Completes the limits of a move.
    pub complete: F,
}

impl<A, F: Fn(Limits) -> Limits> Paced<A, F> {
    fn limits(&self, game: &Record, limits: Limits) -> Limits {
        let limits = (self.complete)(limits);
        let share = limits.clock.map(|left| share(left, game.now()));
        Limits { move_time: limits.move_time.into_iter().chain(share).min(), ..limits }
    }
}

impl<A: Agent, F: Fn(Limits) -> Limits + Send> Agent for Paced<A, F> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.agent.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let limits = self.limits(game, limits);
        self.agent.choose(game, limits, watch)
    }

    fn lines(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        let limits = self.limits(game, limits);
        self.agent.lines(game, n_lines, limits, watch)
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        self.agent.played(game, choice)
    }

    fn end(&mut self, game: &Record) {
        self.agent.end(game);
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        self.agent.terms(game)
    }
}

#[cfg(test)]
mod tests {
    use yarra_games::Game;
    use yarra_games::infexion::Infexion;

    use super::*;
    use crate::Score;
    use crate::agent::unwatched;

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
    fn a_search_by_cpu_time_uses_it_on_a_busy_machine() {
        let hard = Duration::from_millis(20);
        let started = thread_time();
        let mut n_looks = 0;
        let mut budget = by_cpu_time(|| Budget::start(Some(hard), None));
        while !budget.is_spent(0) {
            // While other processes have the core, only wall-clock time passes.
            if n_looks == 0 {
                std::thread::sleep(2 * hard);
            }
            n_looks += 1;
        }
        assert!(1 < n_looks && hard <= thread_time() - started);
        // Other searches of this thread go by the wall clock again.
        let mut budget = Budget::start(Some(hard), None);
        std::thread::sleep(hard);
        assert!(budget.is_spent(0));
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

    /// Reports the time it is given.
    struct Teller;

    impl Agent for Teller {
        fn choose(&mut self, game: &Record, limits: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
            let mut choice = Choice::from(game.legal_moves()[0]);
            choice.stats.elapsed = limits.move_time.expect("a time");
            Ok(choice)
        }

        fn lines(
            &mut self,
            game: &Record,
            n_lines: usize,
            limits: Limits,
            watch: &mut Watch<'_>,
        ) -> Result<Vec<Choice>, AgentError> {
            (0..n_lines).map(|_| self.choose(game, limits, watch)).collect()
        }
    }

    #[test]
    fn a_paced_agent_shares_its_clock_in_one_line_and_in_several() {
        let game = Record::read("infexion", None, []).expect("a game");
        let mut agent = Paced { agent: Teller, complete: Limits::or_think_time };
        let clock = Limits { clock: Some(Duration::from_secs(50)), ..Limits::default() };
        for (limits, seconds) in [(clock, 2), (Limits::default(), 1)] {
            let choice = agent.choose(&game, limits, &mut unwatched).expect("a move");
            let lines = agent.lines(&game, 3, limits, &mut unwatched).expect("moves");
            assert_eq!(lines.len(), 3);
            for choice in lines.iter().chain([&choice]) {
                assert_eq!(choice.stats.elapsed, Duration::from_secs(seconds));
            }
        }
    }
}
