//! The parts of an examination, in order.

use std::time::Duration;

use yarra_arena::{Maker, Round};
use yarra_engine::{AgentSpec, Failure, Limits, RefereeError, Stop};
use yarra_games::{GameSpec, Move, Player, Position, Record};

use super::advice::{failed, name_of};
use super::measurements::plain;
use super::positions::{TestPosition, first_turn, test_positions};
use super::trials::{GAME_UNITS, Stopped, Trial, TrialRunner};
use super::{Check, Evidence, Group, Report, Status};
use crate::{Allowance, Call, Guest};

/// A course agent, and how thoroughly to examine it.
pub struct Exam<'a> {
    /// The agent's spec.
    pub spec: AgentSpec,
    /// The agent, which must be a course agent.
    pub guest: Guest,
    /// The usual start of the game.
    pub start: &'a dyn Position,
    /// The opponents in whole games, weakest first.
    pub opponents: Vec<Opponent<'a>>,
    /// The number of whole games.
    pub n_games: u32,
    /// The number of positions from random games, in addition to the special ones.
    pub n_positions: usize,
    /// The seed of all randomness.
    pub seed: u64,
    /// Stops the examination once it is raised.
    pub stop: Stop,
}

/// One of our agents, as an opponent in whole games.
pub struct Opponent<'a> {
    /// Its spec.
    pub spec: AgentSpec,
    /// Its own limits.
    pub limits: Limits,
    /// Makes the agent for a game.
    pub make: Maker<'a>,
}

/// Called with the progress of the examination, from 0 to 1, and what is being tried.
pub type OnProgress<'t> = &'t mut dyn FnMut(f64, &str);

/// The time for the game with little time, at most.
const LITTLE_TIME: Duration = Duration::from_secs(5);
/// A shorter game does not show what an agent does when its time runs low.
const ENOUGH_PLIES: usize = 20;
/// The time at a late position, at least.
const ENOUGH_TIME: Duration = Duration::from_secs(10);

impl Exam<'_> {
    /// Examines the agent; `None` if it was stopped.
    ///
    /// # Errors
    /// If the referee could not do its work.
    pub fn run(&self, on_progress: OnProgress<'_>) -> Result<Option<Report>, RefereeError> {
        let positions = test_positions(self.start, self.n_positions, self.seed);
        // At each position the agent is asked once, and twice again. There are two games more: one with little time, and
        // one with the official classes.
        let n_units = 8.0 + 3.0 * positions.len() as f64 + GAME_UNITS * f64::from(self.n_games + 2);
        let trials = TrialRunner::new(self, on_progress, n_units);
        let (report, slowest, has_skipped) = (Report::default(), None, false);
        let mut examiner = Examiner { exam: self, trials, report, slowest, has_skipped };
        match examiner.examine(&positions) {
            Ok(cut_short) => Ok(Some(Report { cut_short, ..examiner.report })),
            Err(Stopped::FromOutside) => Ok(None),
            Err(Stopped::ByReferee(error)) => Err(error),
        }
    }

    fn game(&self) -> GameSpec {
        self.start.spec()
    }
}

pub(super) struct Examiner<'e, 't> {
    pub exam: &'e Exam<'e>,
    pub trials: TrialRunner<'e, 't>,
    pub report: Report,
    /// The game without a fault that took the most time.
    pub slowest: Option<WholeGame>,
    /// Whether something was skipped because the agent is too slow.
    has_skipped: bool,
}

/// A move that the agent made at a test position, and the CPU time of all its calls there.
#[derive(Clone, Copy)]
pub(super) struct Made<'s> {
    pub game: &'s Record,
    pub mv: Move,
    pub time: Duration,
}

/// A whole game, which can be played again.
#[derive(Clone, Copy)]
pub(super) struct WholeGame {
    /// The opponent, as an index into those of the exam.
    pub opponent: usize,
    pub round: Round,
    pub time: Duration,
    pub n_plies: usize,
}

impl Examiner<'_, '_> {
    /// Runs all parts; returns the reason if some were skipped.
    fn examine(&mut self, positions: &[TestPosition]) -> Result<Option<String>, Stopped> {
        if let Some(why) = self.interface()? {
            return Ok(Some(why));
        }
        let moves = self.positions(positions)?;
        self.games()?;
        self.little_time()?;
        let determinism = self.determinism(&moves)?;
        let course_time = self.course_time(&moves)?;
        let exam = self.exam;
        let measurements = &self.trials.measurements;
        self.report.checks.extend(measurements.resources(&exam.guest.allowance, exam.start.turn_limit()));
        self.report.checks.extend(course_time);
        self.report.checks.extend(measurements.habits());
        self.report.checks.extend(determinism);
        let why =
            "the agent ran into a time limit more than once, so that further trials would take too long";
        Ok(self.has_skipped.then(|| why.to_owned()))
    }

    /// Import, constructor and one move with each color. Returns why the rest is skipped, if that fails.
    fn interface(&mut self) -> Result<Option<String>, Stopped> {
        let exam = self.exam;
        let mut n_failed = 0;
        for player in Player::BOTH {
            let game = first_turn(exam.start, player, exam.seed);
            let trial = self.trials.try_move(&exam.guest, &game, "first turns")?;
            if player == Player::Red && !self.package(&trial) {
                return Ok(Some("the other checks need an agent that can be imported".to_owned()));
            }
            n_failed += usize::from(trial.evidence.is_some());
            let turn = name_of(Call::Turn, exam.game());
            let fine = format!("its constructor, `action` and {turn} work on the first turn");
            self.add_check(Group::Interface, &format!("first turn of {player}"), fine, trial.evidence);
        }
        if n_failed == 2 {
            return Ok(Some("the other checks need an agent that survives its first turn".to_owned()));
        }
        if exam.game().info().course.is_some_and(|course| course.reports_resources) {
            self.without_limits()?;
        }
        Ok(None)
    }

    /// Checks the package and its import. Returns whether there is an agent.
    fn package(&mut self, trial: &Trial) -> bool {
        let usage = &trial.notes.usage;
        if let (Call::Start | Call::Import, Some(evidence)) = (usage.call, &trial.evidence) {
            self.add_check(Group::Package, "import", String::new(), Some(evidence.clone()));
            return false;
        }
        let seconds = usage.import.as_secs_f64();
        let (status, found, fix) = match usage.import_output {
            0 if 5.0 < seconds => (
                Status::Warning,
                format!("takes {seconds:.1} s of CPU time"),
                "move long work out of the import",
            ),
            0 => (Status::Ok, format!("{} in {seconds:.2} s of CPU time", usage.class), ""),
            n_bytes => (
                Status::Warning,
                format!("{} in {seconds:.2} s of CPU time, but it prints {n_bytes} bytes", usage.class),
                "print nothing while the package is imported; test code at module level runs there too",
            ),
        };
        self.report.checks.push(plain(Group::Package, "import", found, status, fix));
        true
    }

    /// Checks first turns without limits, for which the referee passes `None`.
    fn without_limits(&mut self) -> Result<(), Stopped> {
        let exam = self.exam;
        let allowance = Allowance { time: None, memory: None, ..exam.guest.allowance };
        let guest = exam.guest.with_allowance(allowance);
        for player in Player::BOTH {
            let game = first_turn(exam.start, player, exam.seed);
            let trial = self.trials.try_move(&guest, &game, "first turns without limits")?;
            if trial.evidence.is_some() || player == Player::Blue {
                let fine = "it plays when time and space are None".to_owned();
                self.add_check(Group::Interface, "without limits", fine, trial.evidence);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Checks moves at all test positions, with one check for each kind. Returns the moves that were made.
    fn positions<'s>(&mut self, positions: &'s [TestPosition]) -> Result<Vec<Made<'s>>, Stopped> {
        let mut moves = Vec::new();
        let mut kinds: Vec<&str> = Vec::new();
        for test in positions {
            if !kinds.contains(&test.about) {
                kinds.push(test.about);
            }
        }
        for kind in kinds {
            let (mut n_tried, mut n_failed, mut first) = (0, 0, None);
            for test in positions.iter().filter(|test| test.about == kind) {
                if self.skips() {
                    break;
                }
                let guest = self.at_ply(test.game.now());
                let trial = self.trials.try_move(&guest, &test.game, kind)?;
                let time = trial.time();
                n_tried += 1;
                n_failed += usize::from(trial.evidence.is_some());
                first = first.or(trial.evidence);
                moves.extend(trial.mv.map(|mv| Made { game: &test.game, mv, time }));
            }
            if 0 < n_tried {
                let fine = format!("a legal move at {n_tried} of {n_tried}");
                let full = self.exam.guest.allowance.time;
                let check = self.add_check(Group::Positions, kind, fine, first);
                if 1 < n_tried && 0 < n_failed {
                    check.found = format!("{n_failed} of {n_tried} failed; {}", check.found);
                }
                // Only a part of the time is left at a late position, but a faster game would have left more.
                let is_forgiven = |evidence: &Evidence| {
                    evidence.failure == Failure::Time && evidence.allowance.time.map(|time| 2 * time) < full
                };
                if check.evidence.as_ref().is_some_and(is_forgiven) {
                    check.status = Status::Warning;
                }
            }
        }
        Ok(moves)
    }

    /// Whether to skip a trial because the agent is too slow; notes that something was skipped.
    pub fn skips(&mut self) -> bool {
        self.has_skipped |= self.trials.is_too_slow();
        self.trials.is_too_slow()
    }

    /// The agent with the time that would be left at a position, in proportion to its ply.
    pub fn at_ply(&self, pos: &dyn Position) -> Guest {
        let guest = &self.exam.guest;
        let part = 1.0 - f64::from(pos.ply()) / f64::from(pos.turn_limit());
        let constructor = self.trials.measurements.constructor;
        let left = |time: Duration| in_millis(time.mul_f64(part).max(ENOUGH_TIME).min(time) + constructor);
        let allowance = Allowance { time: guest.allowance.time.map(left), ..guest.allowance };
        guest.with_allowance(allowance)
    }

    /// Plays whole games, with one check for each opponent.
    fn games(&mut self) -> Result<(), Stopped> {
        let exam = self.exam;
        let n_opponents = exam.opponents.len() as u32;
        for (idx, opponent) in exam.opponents.iter().enumerate() {
            // Opponents take turns in pairs of games with colors swapped.
            let rounds: Vec<Round> = (0..exam.n_games)
                .filter(|game| game / 2 % n_opponents == idx as u32)
                .map(|game| Round(game / 2 / n_opponents * 2 + game % 2))
                .collect();
            let (mut scores, mut first, mut n_played) = ([0; 3], None, 0);
            for round in rounds {
                if self.skips() {
                    break;
                }
                let (saved, notes, evidence) = self.trials.play_game(&exam.guest, opponent, round)?;
                let is_late = notes.fault.as_ref().is_some_and(|error| error.failure == Failure::Time);
                let limit = exam.guest.allowance.time.filter(|_| is_late);
                self.trials.measurements.add_game(limit.unwrap_or(notes.usage.used), saved.moves.len());
                n_played += 1;
                let (time, n_plies) = (notes.usage.used, saved.moves.len());
                if evidence.is_none() && self.slowest.is_none_or(|slowest| slowest.time < time) {
                    self.slowest = Some(WholeGame { opponent: idx, round, time, n_plies });
                }
                let winner = saved.ending.as_ref().and_then(|ending| ending.winner);
                scores[match winner {
                    Some(winner) if winner == round.color_of(0) => 0,
                    None => 1,
                    Some(_) => 2,
                }] += 1;
                first = first.or(evidence);
            }
            if 0 < n_played {
                let [n_won, n_drawn, n_lost] = scores;
                let fine = format!("{n_won} won, {n_drawn} drawn, {n_lost} lost, all without a fault");
                self.add_check(Group::Games, &format!("against {}", opponent.spec), fine, first);
            }
        }
        Ok(())
    }

    /// Plays a game with little time. Losing it on time is only a warning.
    fn little_time(&mut self) -> Result<(), Stopped> {
        let exam = self.exam;
        let (Some(time), Some(opponent)) = (exam.guest.allowance.time, exam.opponents.last()) else {
            return Ok(());
        };
        if self.skips() {
            return Ok(());
        }
        let little = LITTLE_TIME.min(time / 10);
        // The time of the constructor is added: this is about the moves.
        let allowance = Allowance {
            time: Some(in_millis(little + self.trials.measurements.constructor)),
            ..exam.guest.allowance
        };
        let guest = exam.guest.with_allowance(allowance);
        let (saved, _, evidence) = self.trials.play_game(&guest, opponent, Round(0))?;
        let is_late = |evidence: &Evidence| evidence.failure == Failure::Time;
        let n_moves = saved.moves.len();
        self.trials.measurements.adapts = ENOUGH_PLIES <= n_moves && !evidence.as_ref().is_some_and(is_late);
        let fine = format!("with {little:?} for the whole game it played {n_moves} plies in time");
        let check = self.add_check(Group::Games, "with little time", fine, evidence);
        if check.evidence.as_ref().is_some_and(is_late) {
            check.status = Status::Warning;
            check.found = format!("with {little:?} for the whole game it ran out of time at ply {n_moves}");
            check.fix = Some("check `time_remaining` and move at once when it runs low".to_owned());
            check.evidence = None;
        }
        Ok(())
    }

    /// Adds a check: `fine`, or the failure if there is evidence of one.
    fn add_check(
        &mut self,
        group: Group,
        name: &str,
        fine: String,
        evidence: Option<Evidence>,
    ) -> &mut Check {
        let check = match evidence {
            None => plain(group, name, fine, Status::Ok, ""),
            Some(evidence) => failed(group, name, evidence, self.exam.game()),
        };
        self.report.checks.push(check);
        self.report.checks.last_mut().expect("it was just added")
    }
}

/// Rounds down to milliseconds, the precision of the command line.
fn in_millis(time: Duration) -> Duration {
    Duration::from_millis(time.as_millis() as u64)
}
