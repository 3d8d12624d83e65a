//! What an agent used in all trials, and the checks that follow from it.

use std::time::Duration;

use super::move_times::{MoveTimes, PHASES};
use super::observed::Notes;
use super::{Check, Group, Status};
use crate::Allowance;

/// The extremes over all games and positions.
#[derive(Default)]
pub struct Measurements {
    move_times: MoveTimes,
    peak: u64,
    n_output: usize,
    n_processes: usize,
    n_threads: usize,
    /// The longest CPU time of the constructor.
    pub constructor: Duration,
    /// The CPU time of the slowest game, and its number of plies.
    pub slowest_game: Option<(Duration, usize)>,
    /// Whether it kept within little time in a game that was long enough to tell.
    pub adapts: bool,
}

/// The share of a limit above which a check is a warning.
const NEAR: f64 = 0.8;
/// Output of one game, in bytes, above which a check is a warning.
const MUCH_OUTPUT: usize = 1_000_000;

impl Measurements {
    /// Adds a game or a single move.
    pub fn add(&mut self, notes: &Notes) {
        let usage = &notes.usage;
        self.move_times.add(&notes.moves);
        self.peak = self.peak.max(usage.peak);
        self.n_output = self.n_output.max(usage.n_output);
        self.n_processes = self.n_processes.max(usage.n_processes);
        self.n_threads = self.n_threads.max(usage.n_threads);
        self.constructor = self.constructor.max(usage.constructor);
    }

    /// Adds the CPU time of a whole game.
    pub fn add_game(&mut self, used: Duration, n_plies: usize) {
        self.slowest_game = self.slowest_game.max(Some((used, n_plies)));
    }

    /// The checks of time and memory against the limits.
    pub fn resources(&self, allowance: &Allowance, turn_limit: u16) -> Vec<Check> {
        let mut checks = vec![self.moves(turn_limit)];
        let of_time =
            |used: Duration| share(used.as_secs_f64(), allowance.time.map(|time| time.as_secs_f64()));
        if let Some((used, n_plies)) = self.slowest_game {
            let (share, words) = of_time(used);
            let found = format!(
                "its slowest game, of {n_plies} plies, took {:.1} s of CPU time{words}",
                used.as_secs_f64()
            );
            checks.push(resource("time of a game", found, by_share(share), SPEND_LESS));
        }
        if let Some(used) = self.whole_game(turn_limit) {
            let (share, words) = of_time(used);
            let mut found = format!(
                "a game to the turn limit of {turn_limit} plies would take about {:.1} s{words}",
                used.as_secs_f64()
            );
            let mut status = by_share(share);
            if status == Status::Failed && self.adapts {
                status = Status::Warning;
                found += " at this rate, but it seems to speed up when time runs low";
            }
            checks.push(resource("time of the longest game", found, status, SPEND_LESS));
        }
        let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let (share, words) = share(megabytes(self.peak), allowance.megabytes());
        let found = format!("{:.0} MB at most{}", megabytes(self.peak), words.replace(" s", " MB"));
        checks.push(resource("memory", found, by_share(share), "bound tables and caches: drop old entries"));
        checks
    }

    /// An estimate of the CPU time for a game to the turn limit.
    pub fn whole_game(&self, turn_limit: u16) -> Option<Duration> {
        Some(self.move_times.whole_game(turn_limit)? + self.constructor)
    }

    fn moves(&self, turn_limit: u16) -> Check {
        let means = PHASES.iter().zip(self.move_times.means(turn_limit));
        let mut words: Vec<String> =
            means.filter_map(|(phase, mean)| Some(format!("{:.3} s {phase}", mean?.as_secs_f64()))).collect();
        let worst = self.move_times.worst();
        words.extend(worst.map(|(ply, time)| format!("{:.3} s at most, at ply {ply}", time.as_secs_f64())));
        let found =
            format!("mean CPU time, by thirds of the plies up to the turn limit: {}", words.join(", "));
        let found = if words.is_empty() { "no move was made".to_owned() } else { found };
        resource("time of a move", found, Status::Ok, "")
    }

    /// The checks of what is not a fault.
    pub fn habits(&self) -> Vec<Check> {
        let kilobytes = self.n_output as f64 / 1e3;
        let (status, found) = match self.n_output {
            0 => (Status::Ok, "it prints nothing".to_owned()),
            1..MUCH_OUTPUT => (Status::Ok, format!("it prints up to {kilobytes:.1} kB per game")),
            _ => (Status::Warning, format!("it prints up to {kilobytes:.0} kB per game, which takes time")),
        };
        let prints = habit("prints", found, status, "print less: more than 10 MB loses the game");
        let (n_processes, n_threads) = (self.n_processes, self.n_threads);
        let (status, found) = match n_threads {
            0 | 1 => (Status::Ok, "it uses one process and one thread".to_owned()),
            _ => (
                Status::Warning,
                format!("it used {n_processes} processes with {n_threads} threads in total"),
            ),
        };
        let fix = "use one thread: the course allows no others, all of them are on the clock, and none runs on the \
                   opponent's time";
        vec![prints, habit("processes and threads", found, status, fix)]
    }
}

const SPEND_LESS: &str = "use less time per move, or check `time_remaining` and speed up when it runs low";

fn resource(name: &str, found: String, status: Status, fix: &str) -> Check {
    plain(Group::Resources, name, found, status, fix)
}

fn habit(name: &str, found: String, status: Status, fix: &str) -> Check {
    plain(Group::Habits, name, found, status, fix)
}

/// A check without evidence; `fix` is dropped if all is well.
pub fn plain(group: Group, name: &str, found: String, status: Status, fix: &str) -> Check {
    let fix = (status != Status::Ok).then(|| fix.to_owned());
    Check { group, name: name.to_owned(), status, found, fix, evidence: None }
}

/// The share of a limit that was used, and the text for it.
fn share(used: f64, limit: Option<f64>) -> (f64, String) {
    match limit {
        Some(limit) => {
            let share = used / limit.max(1e-9);
            (share, format!(", {:.0} % of {limit} s", 100.0 * share))
        }
        None => (0.0, String::new()),
    }
}

/// The status for a share of a limit.
pub fn by_share(share: f64) -> Status {
    match share {
        0.0..=NEAR => Status::Ok,
        NEAR..=1.0 => Status::Warning,
        _ => Status::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_agent_fails_unless_it_speeds_up() {
        let mut all = Measurements::default();
        let second = Duration::from_secs(1);
        all.add(&Notes { moves: vec![(0, 2 * second), (100, 2 * second)], ..Notes::default() });
        all.add_game(150 * second, 60);
        let allowance = Allowance { time: Some(180 * second), memory: None, call: second, game: None };
        let statuses = |all: &Measurements| {
            all.resources(&allowance, 343).iter().map(|check| check.status).collect::<Vec<_>>()
        };
        assert_eq!(statuses(&all), [Status::Ok, Status::Warning, Status::Failed, Status::Ok]);
        all.adapts = true;
        assert_eq!(statuses(&all)[2], Status::Warning);
        all.add_game(181 * second, 60);
        assert_eq!(statuses(&all)[1], Status::Failed);
        let free = Allowance { time: None, ..allowance };
        assert!(all.resources(&free, 343).iter().all(|check| check.status == Status::Ok));
    }
}
