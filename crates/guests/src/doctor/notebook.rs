//! What was seen in all games together, and the checks that follow from it.

use std::time::Duration;

use super::costs::{Costs, PHASES};
use super::patient::Notes;
use super::{Check, Group, Status};
use crate::Allowance;

/// Sums and extremes over all games and positions.
#[derive(Default)]
pub struct Notebook {
    costs: Costs,
    peak: u64,
    n_output: usize,
    n_processes: usize,
    n_threads: usize,
    /// The constructor's time at its longest.
    pub constructor: Duration,
    /// The whole game that took the most time, with its length.
    longest: Option<(Duration, usize)>,
    /// Whether it kept within a small clock in a game that was long enough to tell.
    pub adapts: bool,
}

/// From this part of a limit on it is time to warn.
const NEAR: f64 = 0.8;
/// Output of a game that nobody reads any more.
const MUCH_OUTPUT: usize = 1_000_000;

impl Notebook {
    /// Notes a game or a single move.
    pub fn note(&mut self, notes: &Notes) {
        let vitals = &notes.vitals;
        self.costs.add(&notes.moves);
        self.peak = self.peak.max(vitals.peak);
        self.n_output = self.n_output.max(vitals.n_output);
        self.n_processes = self.n_processes.max(vitals.n_processes);
        self.n_threads = self.n_threads.max(vitals.n_threads);
        self.constructor = self.constructor.max(vitals.constructor);
    }

    /// Notes what a whole game took.
    pub fn note_game(&mut self, used: Duration, n_plies: usize) {
        self.longest = self.longest.max(Some((used, n_plies)));
    }

    /// Time and memory against the limits.
    pub fn resources(&self, allowance: &Allowance, turn_limit: u16) -> Vec<Check> {
        let mut checks = vec![self.moves(turn_limit)];
        let of_time =
            |used: Duration| share(used.as_secs_f64(), allowance.time.map(|time| time.as_secs_f64()));
        if let Some((used, n_plies)) = self.longest {
            let (share, words) = of_time(used);
            let found = format!(
                "its longest game, of {n_plies} plies, took {:.1} s of CPU{words}",
                used.as_secs_f64()
            );
            checks.push(resource("time of a game", found, by_share(share), SPEND_LESS));
        }
        if let Some(moves) = self.costs.whole_game(turn_limit) {
            let used = moves + self.constructor;
            let (share, words) = of_time(used);
            let mut found = format!(
                "a game to the turn limit of {turn_limit} plies would take about {:.1} s{words}",
                used.as_secs_f64()
            );
            let mut status = by_share(share);
            if status == Status::Failed && self.adapts {
                status = Status::Warning;
                found += ", if it did not hurry when time runs short, as it seems to do";
            }
            checks.push(resource("time of the longest game", found, status, SPEND_LESS));
        }
        let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        let (share, words) = share(megabytes(self.peak), allowance.megabytes());
        let found = format!("{:.0} MB at most{}", megabytes(self.peak), words.replace(" s", " MB"));
        checks.push(resource("memory", found, by_share(share), "bound tables and caches: drop old entries"));
        checks
    }

    fn moves(&self, turn_limit: u16) -> Check {
        let means = PHASES.iter().zip(self.costs.means(turn_limit));
        let mut words: Vec<String> =
            means.filter_map(|(phase, mean)| Some(format!("{:.3} s {phase}", mean?.as_secs_f64()))).collect();
        let worst = self.costs.worst();
        words.extend(worst.map(|(ply, time)| format!("{:.3} s at most, at ply {ply}", time.as_secs_f64())));
        let found = format!("CPU on average by thirds of the plies to the turn limit: {}", words.join(", "));
        let found = if words.is_empty() { "no move was made".to_owned() } else { found };
        resource("time of a move", found, Status::Ok, "")
    }

    /// What is no fault.
    pub fn habits(&self) -> Vec<Check> {
        let kilobytes = self.n_output as f64 / 1e3;
        let (status, found) = match self.n_output {
            0 => (Status::Ok, "it prints nothing".to_owned()),
            1..MUCH_OUTPUT => (Status::Ok, format!("it prints up to {kilobytes:.1} kB a game")),
            _ => (Status::Warning, format!("it prints up to {kilobytes:.0} kB a game, which takes time")),
        };
        let prints = habit("prints", found, status, "print less: 10 MB in a game lose it");
        let (n_processes, n_threads) = (self.n_processes, self.n_threads);
        let (status, found) = match n_threads {
            0 | 1 => (Status::Ok, "it keeps to one process and one thread".to_owned()),
            _ => (
                Status::Warning,
                format!("{n_processes} processes with {n_threads} threads in all were seen"),
            ),
        };
        let mend = "do without: the course allows neither, all of them count on the clock, and none thinks on \
                    the opponent's time";
        vec![prints, habit("processes and threads", found, status, mend)]
    }
}

const SPEND_LESS: &str = "spend less a move, or look at `time_remaining` and hurry when it runs short";

fn resource(name: &str, found: String, status: Status, mend: &str) -> Check {
    plain(Group::Resources, name, found, status, mend)
}

fn habit(name: &str, found: String, status: Status, mend: &str) -> Check {
    plain(Group::Habits, name, found, status, mend)
}

/// A check without evidence, with advice only where something is wrong.
pub fn plain(group: Group, name: &str, found: String, status: Status, mend: &str) -> Check {
    let mend = (status != Status::Ok).then(|| mend.to_owned());
    Check { group, name: name.to_owned(), status, found, mend, evidence: None }
}

/// A part of a limit, and the words for it.
fn share(used: f64, limit: Option<f64>) -> (f64, String) {
    match limit {
        Some(limit) => {
            let share = used / limit.max(1e-9);
            (share, format!(", {:.0} % of {limit} s", 100.0 * share))
        }
        None => (0.0, String::new()),
    }
}

fn by_share(share: f64) -> Status {
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
    fn a_slow_agent_fails_unless_it_can_hurry() {
        let mut book = Notebook::default();
        let second = Duration::from_secs(1);
        book.note(&Notes { moves: vec![(0, 2 * second), (100, 2 * second)], ..Notes::default() });
        book.note_game(150 * second, 60);
        let allowance = Allowance { time: Some(180 * second), memory: None, call: second };
        let statuses = |book: &Notebook| {
            book.resources(&allowance, 343).iter().map(|check| check.status).collect::<Vec<_>>()
        };
        assert_eq!(statuses(&book), [Status::Ok, Status::Warning, Status::Failed, Status::Ok]);
        book.adapts = true;
        assert_eq!(statuses(&book)[2], Status::Warning);
        book.note_game(181 * second, 60);
        assert_eq!(statuses(&book)[1], Status::Failed);
        let free = Allowance { time: None, ..allowance };
        assert!(book.resources(&free, 343).iter().all(|check| check.status == Status::Ok));
    }
}
