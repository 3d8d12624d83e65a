//! A course agent under observation.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use yarra_engine::{Agent, AgentError, Choice, Limits, Stop, Watch};
use yarra_games::{Player, Record};

use crate::foreign::{CourseAgent, Guest, Vitals};

/// A course agent that plays as any other while somebody takes notes.
pub struct Patient {
    agent: CourseAgent,
    chart: Chart,
    stop: Stop,
}

/// The notes on a patient, which last longer than the patient.
#[derive(Clone, Default)]
pub struct Chart(Arc<Mutex<Notes>>);

/// What was noted in one game.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// How the agent was when it was last seen; counts of processes and threads are the most.
    pub vitals: Vitals,
    /// The agent's own moves, each with its ply and what it and the calls since the last one took.
    pub moves: Vec<(u16, Duration)>,
    /// How it failed, if it did.
    pub fault: Option<AgentError>,
}

impl Chart {
    /// What has been noted so far.
    pub fn notes(&self) -> Notes {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Patient {
    /// A guest who is watched, and the notes on it.
    ///
    /// # Panics
    /// If the guest is no agent of the course; an [`Exam`](super::Exam) is of one.
    pub fn new(guest: &Guest, stop: &Stop) -> (Patient, Chart) {
        let chart = Chart::default();
        let agent = guest.course_agent().expect("an agent of the course");
        let patient = Patient { agent, chart: chart.clone(), stop: stop.clone() };
        (patient, chart)
    }

    /// Seats the agent as [`CourseAgent::enter`] does.
    pub fn enter(
        &mut self,
        side: Player,
        game: &Record,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), AgentError> {
        let entered = self.agent.enter(side, game, watch);
        self.note(entered)
    }

    /// Notes how the agent is after a call, and what the call came to.
    fn note<T>(&mut self, result: Result<T, AgentError>) -> Result<T, AgentError> {
        let vitals = self.agent.vitals();
        let mut notes = self.chart.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = &notes.vitals;
        notes.vitals = Vitals {
            n_processes: vitals.n_processes.max(old.n_processes),
            n_threads: vitals.n_threads.max(old.n_threads),
            ..vitals
        };
        if let Err(error) = &result {
            notes.fault = Some(error.clone());
        }
        result
    }
}

impl Agent for Patient {
    fn begin(&mut self, side: Player, game: &Record, _limits: Limits) -> Result<(), AgentError> {
        let stop = self.stop.clone();
        self.enter(side, game, &mut || stop.flow())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let used = self.chart.notes().vitals.used;
        let is_first = self.chart.notes().moves.is_empty();
        let chosen = self.agent.choose(game, limits, watch);
        let choice = self.note(chosen)?;
        let mut notes = self.chart.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The constructor and the moves of an opening are no part of the first move.
        let time = notes.vitals.used.saturating_sub(used);
        let time = if is_first { time } else { choice.stats.charged.unwrap_or(time) };
        notes.moves.push((game.now().ply(), time));
        Ok(choice)
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        let told = self.agent.played(game, choice);
        self.note(told)
    }

    fn end(&mut self, game: &Record) {
        self.agent.end(game);
    }
}
