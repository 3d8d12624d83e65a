//! Where an agent is tried out: for one move, or for a whole game.

use std::ops::ControlFlow;
use std::sync::Mutex;

use yarra_engine::{Agent as _, Failure, Limits, Stop};
use yarra_games::{Move, Player, Position, Record, SavedFault, SavedGame};

use super::notebook::Notebook;
use super::patient::{Chart, Notes, Patient};
use super::{Evidence, Exam, Tell};
use crate::foreign::{Allowance, Guest};
use crate::{Job, Match, News, Openings, Seat};

/// Tries agents out, takes notes and tells how far it is.
pub struct Lab<'e, 't> {
    start: &'e dyn Position,
    seed: u64,
    stop: &'e Stop,
    /// What the agent is allowed in the course.
    usual: Allowance,
    tell: Tell<'t>,
    n_units: f64,
    n_done: f64,
    /// What was seen so far.
    pub book: Notebook,
    /// How many calls did not end in time.
    n_late: usize,
}

/// Units of work: a position is one, a whole game takes longer.
pub const GAME: f64 = 5.0;
/// After so many calls that did not end in time nobody waits for more.
const MAX_LATE: usize = 2;

/// Somebody has raised the flag.
pub struct Stopped;

/// A single move of the agent's.
pub struct Trial {
    /// The move, if one was made.
    pub mv: Option<Move>,
    /// What was noted.
    pub notes: Notes,
    /// What went wrong.
    pub evidence: Option<Evidence>,
}

impl<'e, 't> Lab<'e, 't> {
    /// A lab for an examination of so many units of work.
    pub fn new(exam: &'e Exam<'_>, tell: Tell<'t>, n_units: f64) -> Lab<'e, 't> {
        let (start, seed, stop) = (exam.start, exam.seed, &exam.stop);
        let usual = exam.guest.allowance;
        Lab { start, seed, stop, usual, tell, n_units, n_done: 0.0, book: Notebook::default(), n_late: 0 }
    }

    /// Whether more calls would only take more time.
    pub fn is_tired(&self) -> bool {
        MAX_LATE <= self.n_late
    }

    /// One move of the agent's where a game stands, after which it hears of the move.
    pub fn attempt(&mut self, guest: &Guest, game: &Record, what: &str) -> Result<Trial, Stopped> {
        let (stop, tell, fraction) = (self.stop, &mut self.tell, (self.n_done + 0.5) / self.n_units);
        let mut pause = || {
            tell(fraction, what);
            stop.flow()
        };
        let player = game.now().turn();
        let mut game = game.clone();
        let (mut patient, chart) = Patient::new(guest, stop);
        let entered = patient.enter(player, &game, &mut pause);
        let choice = entered.and_then(|()| patient.choose(&game, Limits::default(), &mut |_| pause())).ok();
        let mv = choice.as_ref().map(|choice| choice.mv);
        // What goes wrong is in the notes.
        if let Some(choice) = choice {
            game.play(choice.mv);
            let _ = patient.played(&game, &choice);
        }
        drop(patient);
        let mut notes = chart.notes();
        if guest.allowance.memory != self.usual.memory {
            // Who is told of no limit need not keep it.
            notes.vitals.peak = 0;
        }
        self.finish(&notes, 1.0)?;
        let evidence =
            notes.fault.is_some().then(|| evidence(guest, player, SavedGame::new(&game), &notes, None));
        Ok(Trial { mv, notes, evidence })
    }

    /// A whole game against an opponent.
    pub fn game(
        &mut self,
        guest: &Guest,
        opponent: &Seat<'_>,
        round: u32,
    ) -> Result<(SavedGame, Notes, Option<Evidence>), Stopped> {
        let stop = self.stop;
        let chart = Mutex::new(Chart::default());
        let patient = Seat {
            name: "the agent".to_owned(),
            limits: Limits::default(),
            hears_limits: false,
            guest: Some(guest.saved()),
            make: Box::new(|_| {
                let (patient, new_chart) = Patient::new(guest, stop);
                *chart.lock().expect("nobody panics with it") = new_chart;
                Ok(Box::new(patient))
            }),
        };
        let opponent_seat = Seat {
            name: opponent.name.clone(),
            limits: opponent.limits,
            hears_limits: true,
            guest: None,
            make: Box::new(|seed| (opponent.make)(seed)),
        };
        let contest = Match {
            start: self.start,
            seats: [patient, opponent_seat],
            limits: Limits::default(),
            n_games: round + 1,
            openings: Openings { n_plies: 0 },
            seed: self.seed,
        };
        let job = Job { n_threads: 1, is_profiled: false, tells_moves: true, stop };
        let mut finished = None;
        let fraction = self.n_done / self.n_units;
        contest.run(&[round], &job, &mut |news| {
            match news {
                News::Moved { game, .. } => {
                    let ply = game.now().ply();
                    (self.tell)(fraction, &format!("game against {}, ply {ply}", opponent.name));
                }
                News::Finished(game) => finished = Some(game.played.saved),
            }
            ControlFlow::Continue(())
        });
        let notes = chart.lock().expect("nobody panics with it").notes();
        self.finish(&notes, GAME)?;
        let saved = finished.ok_or(Stopped)?;
        let player = player_of(round);
        let evidence = notes
            .fault
            .is_some()
            .then(|| evidence(guest, player, saved.clone(), &notes, Some((opponent.name.clone(), round))));
        Ok((saved, notes, evidence))
    }

    /// Notes what was seen, unless the end of it was not the agent's.
    fn finish(&mut self, notes: &Notes, n_units: f64) -> Result<(), Stopped> {
        if self.stop.is_raised() {
            return Err(Stopped);
        }
        self.n_done += n_units;
        self.book.note(notes);
        let is_late = notes
            .fault
            .as_ref()
            .is_some_and(|error| matches!(error.failure, Failure::Time | Failure::Silence));
        self.n_late += usize::from(is_late);
        Ok(())
    }
}

/// The agent takes the first seat, which is red's in even rounds.
pub fn player_of(round: u32) -> Player {
    Player::BOTH[(round % 2) as usize]
}

fn evidence(
    guest: &Guest,
    player: Player,
    game: SavedGame,
    notes: &Notes,
    round: Option<(String, u32)>,
) -> Evidence {
    let error = notes.fault.clone().expect("it failed");
    let position = game.record().map(|record| record.now().to_string()).unwrap_or_default();
    let fault = SavedFault {
        player: player.to_string(),
        position,
        message: guest.with_own_paths(&error.message),
        said: error.said,
        output: error.output,
    };
    let (call, failure) = (notes.vitals.call, error.failure);
    Evidence { player, allowance: guest.allowance, game, call, failure, fault, round }
}
