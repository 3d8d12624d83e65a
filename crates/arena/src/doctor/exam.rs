//! The examination: what is tried, in order.

use std::time::Duration;

use yarra_engine::{Failure, Stop};
use yarra_games::{Move, Player, Position, Record};

use super::advice::{failed, name_of};
use super::lab::{GAME, Lab, Stopped, Trial, player_of};
use super::notebook::plain;
use super::scenes::{Scene, first_turn, scenes};
use super::{Check, Evidence, Group, Report, Status};
use crate::Seat;
use crate::foreign::{Allowance, Call, Guest};

/// A course agent, and how closely to look at it.
pub struct Exam<'a> {
    /// The agent.
    pub guest: Guest,
    /// The usual start of the game.
    pub start: &'a dyn Position,
    /// Whom it plays whole games against, the weakest first.
    pub opponents: Vec<Seat<'a>>,
    /// How many whole games.
    pub n_games: u32,
    /// How many positions of random games, beside the special ones.
    pub n_positions: usize,
    /// Where all randomness comes from.
    pub seed: u64,
    /// Ends the examination once it is raised.
    pub stop: Stop,
}

/// Hears how far the examination is, from 0 to 1, and what comes next.
pub type Tell<'t> = &'t mut dyn FnMut(f64, &str);

/// What is left on a small clock, at most.
const LITTLE_TIME: Duration = Duration::from_secs(5);
/// A shorter game does not show what an agent does when its time runs short.
const ENOUGH_PLIES: usize = 20;
/// What is left on the clock at a late position, at least.
const ENOUGH_TIME: Duration = Duration::from_secs(10);

impl Exam<'_> {
    /// Examines the agent; nothing if it was stopped.
    pub fn run(&self, tell: Tell<'_>) -> Option<Report> {
        let scenes = scenes(self.start, self.n_positions, self.seed);
        let n_units = 7.0 + scenes.len() as f64 + GAME * f64::from(self.n_games + 1);
        let lab = Lab::new(self, tell, n_units);
        let mut examiner = Examiner { exam: self, lab, report: Report::default(), has_skipped: false };
        let Ok(cut_short) = examiner.examine(&scenes) else { return None };
        Some(Report { cut_short, ..examiner.report })
    }

    fn name(&self) -> String {
        let spec = self.start.spec();
        spec.split(':').next().unwrap_or_default().to_owned()
    }
}

struct Examiner<'e, 't> {
    exam: &'e Exam<'e>,
    lab: Lab<'e, 't>,
    report: Report,
    /// Whether something was left out because the agent is too slow.
    has_skipped: bool,
}

impl Examiner<'_, '_> {
    /// All parts; a reason if some were left out.
    fn examine(&mut self, scenes: &[Scene]) -> Result<Option<String>, Stopped> {
        if let Some(why) = self.interface()? {
            return Ok(Some(why));
        }
        let moves = self.positions(scenes)?;
        self.games()?;
        self.little_time()?;
        let habits = self.determinism(&moves)?;
        let exam = self.exam;
        self.report.checks.extend(self.lab.book.resources(&exam.guest.allowance, exam.start.turn_limit()));
        self.report.checks.extend(self.lab.book.habits());
        self.report.checks.extend(habits);
        let why = "calls that do not end in time take too long to wait for more of them";
        Ok(self.has_skipped.then(|| why.to_owned()))
    }

    /// Import, constructor and one move with both colors. The rest makes no sense if that fails.
    fn interface(&mut self) -> Result<Option<String>, Stopped> {
        let exam = self.exam;
        let mut n_failed = 0;
        for player in Player::BOTH {
            let game = first_turn(exam.start, player, exam.seed);
            let trial = self.lab.attempt(&exam.guest, &game, "first turns")?;
            if player == Player::Red && !self.package(&trial) {
                return Ok(Some("the rest needs an agent that can be imported".to_owned()));
            }
            n_failed += usize::from(trial.evidence.is_some());
            let told = name_of(Call::Turn, &exam.name());
            let fine = format!("its constructor, `action` and {told} answer on the first turn");
            self.judge(Group::Interface, &format!("first turn of {player}"), fine, trial.evidence);
        }
        if n_failed == 2 {
            return Ok(Some("the rest needs an agent that survives its first turn".to_owned()));
        }
        if exam.name() != "cachex" {
            self.without_limits()?;
        }
        Ok(None)
    }

    /// The package and its import. Returns whether there is an agent.
    fn package(&mut self, trial: &Trial) -> bool {
        let vitals = &trial.notes.vitals;
        if let (Call::Start | Call::Import, Some(evidence)) = (vitals.call, &trial.evidence) {
            self.judge(Group::Package, "import", String::new(), Some(evidence.clone()));
            return false;
        }
        let seconds = vitals.import.as_secs_f64();
        let (status, found, mend) = match vitals.import_output {
            0 if 5.0 < seconds => {
                (Status::Warning, format!("takes {seconds:.1} s of CPU"), "move long work out of the import")
            }
            0 => (Status::Ok, format!("{} in {seconds:.2} s of CPU", vitals.class), ""),
            n_bytes => (
                Status::Warning,
                format!("{} in {seconds:.2} s of CPU, but it prints {n_bytes} bytes", vitals.class),
                "print nothing while the package is imported: leftovers of tests run there too",
            ),
        };
        self.report.checks.push(plain(Group::Package, "import", found, status, mend));
        true
    }

    /// The referee passes `None` where it has no limits.
    fn without_limits(&mut self) -> Result<(), Stopped> {
        let exam = self.exam;
        let allowance = Allowance { time: None, memory: None, ..exam.guest.allowance };
        let guest = exam.guest.under(allowance);
        for player in Player::BOTH {
            let game = first_turn(exam.start, player, exam.seed);
            let trial = self.lab.attempt(&guest, &game, "first turns without limits")?;
            if trial.evidence.is_some() || player == Player::Blue {
                let fine = "it plays when time and space are None".to_owned();
                self.judge(Group::Interface, "without limits", fine, trial.evidence);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Moves at all scenes, one check for those of a kind. Returns the moves that were made.
    fn positions<'s>(&mut self, scenes: &'s [Scene]) -> Result<Vec<(&'s Record, Move)>, Stopped> {
        let mut moves = Vec::new();
        let mut kinds: Vec<&str> = Vec::new();
        for scene in scenes {
            if !kinds.contains(&scene.about) {
                kinds.push(scene.about);
            }
        }
        for kind in kinds {
            let (mut n_tried, mut n_failed, mut first) = (0, 0, None);
            for scene in scenes.iter().filter(|scene| scene.about == kind) {
                if self.is_tired() {
                    break;
                }
                let guest = self.at_ply(scene.game.now());
                let trial = self.lab.attempt(&guest, &scene.game, kind)?;
                n_tried += 1;
                n_failed += usize::from(trial.evidence.is_some());
                first = first.or(trial.evidence);
                moves.extend(trial.mv.map(|m| (&scene.game, m)));
            }
            if 0 < n_tried {
                let fine = format!("a legal move at {n_tried} of {n_tried}");
                let full = self.exam.guest.allowance.time;
                let check = self.judge(Group::Positions, kind, fine, first);
                if 1 < n_tried && 0 < n_failed {
                    check.found = format!("{n_failed} of {n_tried} went wrong; {}", check.found);
                }
                // Late positions leave only a part of the time, which a fast game would not have used.
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

    /// Whether to leave something out.
    fn is_tired(&mut self) -> bool {
        self.has_skipped |= self.lab.is_tired();
        self.lab.is_tired()
    }

    /// The agent as it would be at a late position: with a part of its time used up.
    fn at_ply(&self, pos: &dyn Position) -> Guest {
        let guest = &self.exam.guest;
        let part = 1.0 - f64::from(pos.ply()) / f64::from(pos.turn_limit());
        let constructor = self.lab.book.constructor;
        let left = |time: Duration| in_millis(time.mul_f64(part).max(ENOUGH_TIME).min(time) + constructor);
        let allowance = Allowance { time: guest.allowance.time.map(left), ..guest.allowance };
        guest.under(allowance)
    }

    /// Whole games, one check for each opponent.
    fn games(&mut self) -> Result<(), Stopped> {
        let exam = self.exam;
        let n_opponents = exam.opponents.len() as u32;
        for (idx, opponent) in (0..).zip(&exam.opponents) {
            // Pairs of games with both colors go to the opponents in turn.
            let rounds: Vec<u32> = (0..exam.n_games)
                .filter(|game| game / 2 % n_opponents == idx)
                .map(|game| game / 2 / n_opponents * 2 + game % 2)
                .collect();
            let (mut scores, mut first, mut n_played) = ([0; 3], None, 0);
            for round in rounds {
                if self.is_tired() {
                    break;
                }
                let (saved, notes, evidence) = self.lab.game(&exam.guest, opponent, round)?;
                let is_late = notes.fault.as_ref().is_some_and(|error| error.failure == Failure::Time);
                let limit = exam.guest.allowance.time.filter(|_| is_late);
                self.lab.book.note_game(limit.unwrap_or(notes.vitals.used), saved.moves.len());
                n_played += 1;
                let own = player_of(round).name();
                scores[match saved.winner.as_deref() {
                    Some(winner) if winner == own => 0,
                    None => 1,
                    Some(_) => 2,
                }] += 1;
                first = first.or(evidence);
            }
            if 0 < n_played {
                let [n_won, n_drawn, n_lost] = scores;
                let fine = format!("{n_won} won, {n_drawn} drawn, {n_lost} lost, all by the rules");
                self.judge(Group::Games, &format!("against {}", opponent.name), fine, first);
            }
        }
        Ok(())
    }

    /// A game on a small clock: no fault if it is lost on time, but good to know.
    fn little_time(&mut self) -> Result<(), Stopped> {
        let exam = self.exam;
        let (Some(time), Some(opponent)) = (exam.guest.allowance.time, exam.opponents.last()) else {
            return Ok(());
        };
        if self.is_tired() {
            return Ok(());
        }
        let little = LITTLE_TIME.min(time / 10);
        // A long constructor is no part of what it does with little time left.
        let allowance =
            Allowance { time: Some(in_millis(little + self.lab.book.constructor)), ..exam.guest.allowance };
        let guest = exam.guest.under(allowance);
        let (saved, _, evidence) = self.lab.game(&guest, opponent, 0)?;
        let is_late = |evidence: &Evidence| evidence.failure == Failure::Time;
        let n_moves = saved.moves.len();
        self.lab.book.adapts = ENOUGH_PLIES <= n_moves && !evidence.as_ref().is_some_and(is_late);
        let fine = format!("with {little:?} for the whole game it played {n_moves} plies in time");
        let check = self.judge(Group::Games, "with little time", fine, evidence);
        if check.evidence.as_ref().is_some_and(is_late) {
            check.status = Status::Warning;
            check.found = format!("with {little:?} for the whole game it ran out of time at ply {n_moves}");
            check.mend = Some("look at `time_remaining` and move at once when it runs short".to_owned());
            check.evidence = None;
        }
        Ok(())
    }

    /// Whether it moves the same way again.
    fn determinism(&mut self, moves: &[(&Record, Move)]) -> Result<Vec<Check>, Stopped> {
        let mut n_same = 0;
        // Positions with many moves tell most.
        let mut moves = moves.to_vec();
        moves.sort_by_key(|(game, _)| std::cmp::Reverse(game.now().n_legal_moves()));
        let picked: Vec<_> = moves.into_iter().take(2).collect();
        for (game, m) in &picked {
            let guest = self.at_ply(game.now());
            let again = self.lab.attempt(&guest, game, "the same positions again")?;
            n_same += usize::from(again.mv == Some(*m));
        }
        let found = match picked.len() {
            0 => return Ok(Vec::new()),
            n if n == n_same => "it moves the same way when asked again".to_owned(),
            n => format!("it moved another way at {} of {n} positions when asked again", n - n_same),
        };
        Ok(vec![plain(Group::Habits, "determinism", found, Status::Ok, "")])
    }

    /// Adds a check: what is fine, or the first thing that is not.
    fn judge(&mut self, group: Group, name: &str, fine: String, evidence: Option<Evidence>) -> &mut Check {
        let check = match evidence {
            None => plain(group, name, fine, Status::Ok, ""),
            Some(evidence) => failed(group, name, evidence, &self.exam.name()),
        };
        self.report.checks.push(check);
        self.report.checks.last_mut().expect("it was just added")
    }
}

/// A time that can be typed again.
fn in_millis(time: Duration) -> Duration {
    Duration::from_millis(time.as_millis() as u64)
}
