//! The CPU time that an agent would need with the official `referee` package, whose classes are slower than ours.

use std::time::Duration;

use super::exam::{Examiner, Made, WholeGame};
use super::measurements::{Measurements, by_share, plain};
use super::observed::Notes;
use super::trials::Stopped;
use super::{Check, Group, Status};
use crate::Guest;

/// The number of positions that are tried again if no game is.
const N_POSITIONS: usize = 4;
/// The CPU time that may be spent on a game or on positions; fewer positions are tried with a slow agent.
const BUDGET: Duration = Duration::from_secs(60);
/// Less time does not tell anything.
const ENOUGH: Duration = Duration::from_millis(20);

const FIX: &str = "do without the `referee` classes where the agent spends its time: use tuples, integers and tables of \
                   its own";

/// The official CPU time by ours, least and most.
type Factors = [f64; 2];

impl Examiner<'_, '_> {
    /// Compares the CPU time here with that in the course. With a copy of the official package beside the agent it is
    /// measured; otherwise the agent's calls of ours are counted.
    pub fn course_time(&mut self, moves: &[Made<'_>]) -> Result<Option<Check>, Stopped> {
        let guest = &self.exam.guest;
        if guest.uses_their_referee() || self.skips() {
            return Ok(None);
        }
        let theirs = guest.with_their_referee();
        let is_measured = theirs.is_some();
        let other = theirs.unwrap_or_else(|| guest.counted());
        let factors = match self.factors_of_game(&other)? {
            None => self.factors_of_moves(&other, moves)?,
            factors => factors,
        };
        let limit = self.exam.guest.allowance.time;
        let turn_limit = self.exam.start.turn_limit();
        Ok(factors.map(|factors| check(factors, is_measured, &self.trials.measurements, limit, turn_limit)))
    }

    /// The factors of the slowest game, which is played again. A whole game has the agent's calls in their usual
    /// proportions, so it is preferred.
    fn factors_of_game(&mut self, other: &Guest) -> Result<Option<Factors>, Stopped> {
        let Some(WholeGame { opponent, round, time, n_plies }) =
            self.slowest.filter(|game| game.time <= BUDGET)
        else {
            return Ok(None);
        };
        let exam = self.exam;
        let (saved, notes) = self.trials.play(other, &exam.opponents[opponent], round)?;
        // The agent may have moved differently.
        let here = time.mul_f64(saved.moves.len() as f64 / n_plies.max(1) as f64);
        Ok(times(other, &notes, here, notes.usage.used).map(|times| factors(times, here)))
    }

    /// The factors of the moves that took the most time.
    fn factors_of_moves(&mut self, other: &Guest, moves: &[Made<'_>]) -> Result<Option<Factors>, Stopped> {
        let mut moves = moves.to_vec();
        moves.sort_by_key(|made| std::cmp::Reverse(made.time));
        moves.truncate(N_POSITIONS);
        let mut left = BUDGET;
        moves.retain(|made| {
            let is_affordable = !left.is_zero();
            left = left.saturating_sub(made.time);
            is_affordable
        });
        let mut total = [Duration::ZERO; 2];
        for made in &moves {
            let other = other.with_allowance(self.at_ply(made.game.now()).allowance);
            let trial = self.trials.ask(&other, made.game, self.exam.seed, "with the official classes")?;
            let Some(times) = times(&other, &trial.notes, made.time, trial.time()) else { return Ok(None) };
            total = [total[0] + times[0], total[1] + times[1]];
        }
        let here = moves.iter().map(|made| made.time).sum();
        Ok((!moves.is_empty()).then(|| factors(total, here)))
    }
}

/// The official CPU time of a trial that took `here` with our classes and `there` in this try; `None` if it failed.
fn times(other: &Guest, notes: &Notes, here: Duration, there: Duration) -> Option<[Duration; 2]> {
    match notes.official_surplus {
        _ if notes.fault.is_some() => None,
        Some(surplus) => Some(surplus.map(|surplus| here + surplus)),
        None if other.is_counted() => None,
        None => Some([there; 2]),
    }
}

fn factors(times: [Duration; 2], here: Duration) -> Factors {
    match here < ENOUGH {
        true => [1.0; 2],
        false => times.map(|time| (time.as_secs_f64() / here.as_secs_f64()).max(1.0)),
    }
}

fn check(
    factors: Factors,
    is_measured: bool,
    measurements: &Measurements,
    limit: Option<Duration>,
    turn_limit: u16,
) -> Check {
    let source =
        if is_measured { "measured with the copy in its folder" } else { "estimated from its calls" };
    let mut found = match factors {
        [_, most] if most < 1.05 => format!("the official classes would cost it nothing more, {source}"),
        _ => format!(
            "the official classes take {} times the CPU time of ours here, {source}",
            range(factors, "")
        ),
    };
    let mut status = Status::Ok;
    let game = measurements.slowest_game.map(|(time, _)| ("its slowest game", time));
    let whole = measurements.whole_game(turn_limit).map(|time| ("a game to the turn limit", time));
    for (name, time) in game.into_iter().chain(whole) {
        let seconds = time.as_secs_f64();
        let expected = factors.map(|factor| factor * seconds);
        found += &format!("; {name}: {seconds:.1} s here, {} there", range(expected, " s"));
        let Some(limit) = limit.map(|limit| limit.as_secs_f64()) else { continue };
        let [least, most] = expected.map(|time| by_share(time / limit));
        found += match (least, most) {
            (_, Status::Ok) => ", within the limit",
            (_, Status::Warning) => ", close to the limit",
            (Status::Failed, _) => ", over the limit",
            _ => ", perhaps over the limit",
        };
        // What is too slow here too is a failed check of its own.
        if by_share(seconds / limit) != Status::Failed {
            status = status.max(if most == Status::Ok { Status::Ok } else { Status::Warning });
        }
    }
    plain(Group::Resources, "time in the course", found, status, FIX)
}

/// Two numbers as a range, or as one if they are about the same.
fn range([least, most]: [f64; 2], unit: &str) -> String {
    let [low, high] = [least, most].map(|number| format!("{number:.1}"));
    if low == high { format!("{low}{unit}") } else { format!("{low} to {high}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(factors: Factors, is_measured: bool, game_seconds: u64) -> (Status, String) {
        let mut measurements = Measurements::default();
        measurements.add_game(Duration::from_secs(game_seconds), 60);
        let check = check(factors, is_measured, &measurements, Some(Duration::from_secs(180)), 150);
        (check.status, check.found)
    }

    #[test]
    fn the_projection_says_whether_the_clock_suffices() {
        let (status, text) = found([1.2, 1.6], false, 50);
        assert_eq!(status, Status::Ok);
        assert!(text.starts_with("the official classes take 1.2 to 1.6 times"), "{text}");
        assert!(
            text.ends_with("its slowest game: 50.0 s here, 60.0 to 80.0 s there, within the limit"),
            "{text}"
        );
        let (status, text) = found([1.2, 1.6], false, 120);
        assert!(status == Status::Warning && text.ends_with("perhaps over the limit"), "{text}");
        let (status, text) = found([1.7, 1.7], true, 120);
        assert!(status == Status::Warning && text.ends_with("204.0 s there, over the limit"), "{text}");
        assert!(text.contains("1.7 times") && text.contains("measured with the copy"), "{text}");
        assert_eq!(found([1.7, 1.7], true, 200).0, Status::Ok);
        assert!(
            found([1.0, 1.01], false, 20).1.starts_with("the official classes would cost it nothing more")
        );
    }
}
