//! A course agent that plays as usual while its usage is recorded.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use yarra_engine::{Agent, AgentError, Choice, Fault, Limits, Stop, Watch};
use yarra_games::{Player, Record};

use crate::Guest;
use crate::course::CourseAgent;
use crate::usage::Usage;

/// A course agent whose usage is recorded after every call.
pub struct ObservedAgent {
    agent: CourseAgent,
    notes: SharedNotes,
    stop: Stop,
}

/// A handle on the notes about an agent, which outlives the agent.
#[derive(Clone, Default)]
pub struct SharedNotes(Arc<Mutex<Notes>>);

/// What was recorded in one game.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The usage after the last call; the numbers of processes and threads are the highest seen.
    pub usage: Usage,
    /// The agent's own moves: the ply, and the CPU time of the move and of the calls since the last one.
    pub moves: Vec<(u16, Duration)>,
    /// How it failed, if it did.
    pub fault: Option<Fault>,
    /// The CPU time that the official `referee` package would have taken more, least and most, if it was counted.
    pub official_surplus: Option<[Duration; 2]>,
}

impl SharedNotes {
    /// The notes so far.
    pub fn get(&self) -> Notes {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ObservedAgent {
    /// An agent to observe, and the notes about it.
    ///
    /// # Panics
    /// If the guest is not a course agent; an [`Exam`](super::Exam) is always of one.
    pub fn new(guest: &Guest, seed: u64, stop: &Stop) -> (ObservedAgent, SharedNotes) {
        let notes = SharedNotes::default();
        let agent = guest.course_agent(seed).expect("a course agent");
        let observed = ObservedAgent { agent, notes: notes.clone(), stop: stop.clone() };
        (observed, notes)
    }

    /// Starts the agent, as [`CourseAgent::start_game`] does.
    pub fn start_game(
        &mut self,
        side: Player,
        game: &Record,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(), AgentError> {
        let started = self.agent.start_game(side, game, watch);
        self.record(started)
    }

    /// Records the agent's usage after a call, and the error if the call failed.
    fn record<T>(&mut self, result: Result<T, AgentError>) -> Result<T, AgentError> {
        let usage = self.agent.usage();
        let mut notes = self.notes.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = &notes.usage;
        notes.usage = Usage {
            n_processes: usage.n_processes.max(old.n_processes),
            n_threads: usage.n_threads.max(old.n_threads),
            ..usage
        };
        if let Err(AgentError::Fault(fault)) = &result {
            notes.fault = Some(fault.clone());
        }
        result
    }
}

impl Agent for ObservedAgent {
    fn begin(&mut self, side: Player, game: &Record, _limits: Limits) -> Result<(), AgentError> {
        let stop = self.stop.clone();
        self.start_game(side, game, &mut || stop.flow())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let used = self.notes.get().usage.used;
        let is_first = self.notes.get().moves.is_empty();
        let chosen = self.agent.choose(game, limits, watch);
        let choice = self.record(chosen)?;
        let mut notes = self.notes.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The constructor and the moves of an opening are not part of the first move.
        let time = notes.usage.used.saturating_sub(used);
        let time = if is_first { time } else { choice.stats.charged.unwrap_or(time) };
        notes.moves.push((game.now().ply(), time));
        Ok(choice)
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        let told = self.agent.played(game, choice);
        self.record(told)
    }

    fn end(&mut self, game: &Record) {
        let stop = self.stop.clone();
        let surplus = self.agent.official_surplus(&mut || stop.flow());
        self.notes.0.lock().unwrap_or_else(PoisonError::into_inner).official_surplus = surplus;
        self.agent.end(game);
    }
}
