//! Trials of an agent: one move, or a whole game.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use yarra_arena::session::Session;
use yarra_arena::{Job, Match, MatchSpec, News, Openings, Round, Seat};
use yarra_engine::{Agent as _, AgentError, AgentSpec, Failure, Limits, RefereeError, Stop};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{Move, Player, Position, Record};

use super::measurements::Measurements;
use super::observed::{Notes, ObservedAgent, SharedNotes};
use super::{Evidence, Exam, OnProgress, Opponent};
use crate::{Allowance, Call, Guest};

/// Runs trials, measures the agent and reports progress.
pub struct TrialRunner<'e, 't> {
    start: &'e dyn Position,
    spec: &'e AgentSpec,
    seed: u64,
    stop: &'e Stop,
    /// The agent's limits in a real game.
    usual: Allowance,
    on_progress: OnProgress<'t>,
    n_units: f64,
    n_done: f64,
    /// What the agent has used so far.
    pub measurements: Measurements,
    /// The number of trials that ran into a time limit.
    n_late: usize,
}

/// The weight of a whole game in the progress; a position is 1.
pub const GAME_UNITS: f64 = 5.0;
/// After this many trials that ran into a time limit, the rest is skipped.
const MAX_LATE: usize = 2;

/// Why the examination ended early.
pub enum Stopped {
    /// It was stopped from outside.
    FromOutside,
    /// The referee could not do its work.
    ByReferee(RefereeError),
}

impl From<RefereeError> for Stopped {
    fn from(error: RefereeError) -> Stopped {
        Stopped::ByReferee(error)
    }
}

/// The result of a trial of one move.
pub struct Trial {
    /// The move, if one was made.
    pub mv: Option<Move>,
    /// What was recorded.
    pub notes: Notes,
    /// The failure, if there was one.
    pub evidence: Option<Evidence>,
}

impl Trial {
    /// The CPU time of all calls but the constructor.
    pub fn time(&self) -> Duration {
        self.notes.usage.used.saturating_sub(self.notes.usage.constructor)
    }
}

impl<'e, 't> TrialRunner<'e, 't> {
    /// A runner for an examination of `n_units` units of work.
    pub fn new(exam: &'e Exam<'_>, on_progress: OnProgress<'t>, n_units: f64) -> TrialRunner<'e, 't> {
        let (start, spec, seed, stop) = (exam.start, &exam.spec, exam.seed, &exam.stop);
        let usual = exam.guest.allowance;
        TrialRunner {
            start,
            spec,
            seed,
            stop,
            usual,
            on_progress,
            n_units,
            n_done: 0.0,
            measurements: Measurements::default(),
            n_late: 0,
        }
    }

    /// Whether the agent is too slow for further trials.
    pub fn is_too_slow(&self) -> bool {
        MAX_LATE <= self.n_late
    }

    /// Asks the agent for one move in the position of a game, and tells it the move.
    pub fn try_move(&mut self, guest: &Guest, game: &Record, what: &str) -> Result<Trial, Stopped> {
        let trial = self.ask(guest, game, self.seed, what)?;
        self.measure(&trial.notes);
        Ok(trial)
    }

    /// Asks for one move with a seed. This is not part of the measurements.
    pub fn ask(&mut self, guest: &Guest, game: &Record, seed: u64, what: &str) -> Result<Trial, Stopped> {
        let (stop, on_progress, fraction) =
            (self.stop, &mut self.on_progress, (self.n_done + 0.5) / self.n_units);
        let mut poll = || {
            on_progress(fraction, what);
            stop.flow()
        };
        let player = game.now().turn();
        let mut game = game.clone();
        let (mut agent, notes) = ObservedAgent::new(guest, Session::agent_seed(seed, player), stop);
        let started = agent.start_game(player, &game, &mut poll);
        let choice = started.and_then(|()| agent.choose(&game, Limits::default(), &mut |_| poll()));
        let choice = unless_by_referee(choice)?;
        let mv = choice.as_ref().map(|choice| choice.mv);
        if let Some(choice) = choice {
            game.play(choice.mv);
            unless_by_referee(agent.played(&game, &choice))?;
        }
        agent.end(&game);
        let mut notes = notes.get();
        if guest.allowance.memory != self.usual.memory {
            // An agent that is told of no limit need not keep to one.
            notes.usage.peak = 0;
        }
        self.finish(1.0)?;
        let evidence =
            notes.fault.is_some().then(|| evidence(guest, player, SavedGame::new(&game), &notes, None));
        Ok(Trial { mv, notes, evidence })
    }

    /// Plays a whole game against an opponent.
    pub fn play_game(
        &mut self,
        guest: &Guest,
        opponent: &Opponent<'_>,
        round: Round,
    ) -> Result<(SavedGame, Notes, Option<Evidence>), Stopped> {
        let (saved, notes) = self.play(guest, opponent, round)?;
        self.measure(&notes);
        let player = round.color_of(0);
        let evidence = notes
            .fault
            .is_some()
            .then(|| evidence(guest, player, saved.clone(), &notes, Some((opponent.spec.clone(), round))));
        Ok((saved, notes, evidence))
    }

    /// Plays a whole game that is not part of the measurements.
    pub fn play(
        &mut self,
        guest: &Guest,
        opponent: &Opponent<'_>,
        round: Round,
    ) -> Result<(SavedGame, Notes), Stopped> {
        let stop = self.stop;
        let notes = Mutex::new(SharedNotes::default());
        let examined = Seat {
            limits: Limits::default(),
            hears_limits: false,
            guest: Some(guest.saved()),
            make: Box::new(|seed| {
                let (agent, new_notes) = ObservedAgent::new(guest, seed, stop);
                *notes.lock().expect("not poisoned") = new_notes;
                Ok(Box::new(agent))
            }),
        };
        let other = Seat {
            limits: opponent.limits,
            hears_limits: true,
            guest: None,
            make: Box::new(|seed| (opponent.make)(seed)),
        };
        let spec = MatchSpec {
            game: self.start.spec(),
            start: None,
            agents: [self.spec.clone(), opponent.spec.clone()],
            limits: Limits::default(),
            openings: Openings::NONE,
            seed: self.seed,
            games: round.0 + 1,
        };
        let contest = Match::new(spec, [examined, other]).expect("the usual start is a position");
        let job = Job { n_threads: 1, is_profiled: false, reports_moves: true, stop };
        let mut finished = None;
        let fraction = self.n_done / self.n_units;
        contest.run(&[round], &job, &mut |news| {
            match news {
                News::Moved { game, .. } => {
                    let ply = game.now().ply();
                    (self.on_progress)(fraction, &format!("game against {}, ply {ply}", opponent.spec));
                }
                News::Finished(game) => finished = Some(game.played.saved),
            }
            ControlFlow::Continue(())
        })?;
        let notes = notes.lock().expect("not poisoned").get();
        self.finish(GAME_UNITS)?;
        Ok((finished.ok_or(Stopped::FromOutside)?, notes))
    }

    /// Notes that units of work are done, unless they were stopped from outside.
    fn finish(&mut self, n_units: f64) -> Result<(), Stopped> {
        if self.stop.is_raised() {
            return Err(Stopped::FromOutside);
        }
        self.n_done += n_units;
        Ok(())
    }

    /// Adds a trial to the measurements.
    fn measure(&mut self, notes: &Notes) {
        self.measurements.add(notes);
        let is_late = notes
            .fault
            .as_ref()
            .is_some_and(|fault| matches!(fault.failure, Failure::Time | Failure::Silence));
        self.n_late += usize::from(is_late);
    }
}

/// The result of a call, unless the agent failed, which its notes tell.
fn unless_by_referee<T>(result: Result<T, AgentError>) -> Result<Option<T>, RefereeError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(AgentError::Fault(_)) => Ok(None),
        Err(AgentError::Referee(error)) => Err(error),
    }
}

fn evidence(
    guest: &Guest,
    player: Player,
    game: SavedGame,
    notes: &Notes,
    round: Option<(AgentSpec, Round)>,
) -> Evidence {
    let error = notes.fault.clone().expect("it failed");
    let position = game.record().map(|record| record.now().to_string()).unwrap_or_default();
    let fault = SavedFault {
        player,
        position,
        message: error.message,
        said: error.said,
        output: error.output,
        at_start: matches!(notes.usage.call, Call::Start | Call::Import | Call::Constructor),
    };
    let (call, failure) = (notes.usage.call, error.failure);
    Evidence { player, allowance: guest.allowance, game, call, failure, fault, round }
}
