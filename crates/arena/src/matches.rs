//! A running match: many games between two agents, with colors swapped on each opening.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use yarra_engine::{Agent, AgentError, Limits, RefereeError, Stop, profile};
use yarra_files::{SavedGame, SavedGuest};
use yarra_games::{ByPlayer, GameSpec, ParseError, Position, Record};

use crate::referee::{Event, Played, play};
use crate::side::Side;
use crate::{MatchSpec, Round};

/// A [`MatchSpec`] with agents that can play it.
pub struct Match<'a> {
    spec: MatchSpec,
    start: Box<dyn Position>,
    seats: [Seat<'a>; 2],
}

/// An agent of a match.
pub struct Seat<'a> {
    /// Its own limits.
    pub limits: Limits,
    /// Whether it accepts the limits of the match. An agent that does not plays by its own.
    pub hears_limits: bool,
    /// How it is run, if it is an external agent.
    pub guest: Option<SavedGuest>,
    /// Makes it. Each game gets a new one and does not depend on the game before.
    pub make: Maker<'a>,
}

/// Makes an agent from a seed.
pub type Maker<'a> = Box<dyn Fn(u64) -> Result<Box<dyn Agent>, AgentError> + Sync + 'a>;

/// How a match is run. This does not affect its games.
pub struct Job<'a> {
    /// The number of games in parallel.
    pub n_threads: usize,
    /// Whether to measure where the time goes.
    pub is_profiled: bool,
    /// Whether to report each move.
    pub reports_moves: bool,
    /// Ends the match once it is raised; games that are not over are dropped.
    pub stop: &'a Stop,
}

/// What a running match reports.
pub enum News {
    /// A move was made.
    Moved {
        /// The game's number.
        round: Round,
        /// The game after the move.
        game: Record,
        /// The time the move took.
        time: Duration,
        /// The total time of its player's moves so far.
        total: Duration,
        /// The memory of its player in bytes.
        memory: u64,
        /// The most that its player has held so far; `None` if `memory` is that already.
        peak: Option<u64>,
    },
    /// A game is over. These come as games end; [`InOrder`] sorts them.
    Finished(Box<Finished>),
}

/// A game that is over.
pub struct Finished {
    /// Its number.
    pub round: Round,
    /// The game as played.
    pub played: Played,
}

/// The pauses before a game is played again because the referee could not do its work, if that may pass.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_millis(1000), Duration::from_millis(4000)];

/// Puts finished games into the order of their rounds.
pub struct InOrder {
    /// The rounds to come, last first.
    rounds: Vec<Round>,
    /// Games that ended before an earlier one.
    waiting: BTreeMap<Round, Box<Finished>>,
}

impl InOrder {
    /// For the games of these rounds.
    pub fn new(rounds: &[Round]) -> InOrder {
        InOrder { rounds: rounds.iter().rev().copied().collect(), waiting: BTreeMap::new() }
    }

    /// Adds a game and returns those that need not wait any more.
    pub fn add(&mut self, game: Box<Finished>) -> Vec<Box<Finished>> {
        self.waiting.insert(game.round, game);
        let mut ready = Vec::new();
        while let Some(game) = self.rounds.last().and_then(|round| self.waiting.remove(round)) {
            self.rounds.pop();
            ready.push(game);
        }
        ready
    }

    /// The games that wait for one that was not played.
    pub fn rest(self) -> impl Iterator<Item = Box<Finished>> {
        self.waiting.into_values()
    }
}

impl<'a> Match<'a> {
    /// A match with agents to play it.
    ///
    /// # Errors
    /// If the spec's start position is invalid.
    pub fn new(spec: MatchSpec, seats: [Seat<'a>; 2]) -> Result<Match<'a>, ParseError> {
        let start = spec.start()?;
        Ok(Match { spec, start, seats })
    }

    /// The match as data.
    pub fn spec(&self) -> &MatchSpec {
        &self.spec
    }

    /// The start position.
    pub fn start(&self) -> &dyn Position {
        &*self.start
    }

    /// The agents.
    pub fn seats(&self) -> &[Seat<'a>; 2] {
        &self.seats
    }

    /// The number of a saved game, if it is a finished game of this match.
    pub fn round_of(&self, saved: &SavedGame) -> Option<Round> {
        let round = saved.round.filter(|&round| round < self.spec.games).map(Round)?;
        let start = (!GameSpec::is_start(&*self.start)).then(|| self.start.to_string());
        let is_same_start = (saved.game, &saved.start) == (self.spec.game, &start);
        let is_signed = *saved == self.signed(round, saved.clone());
        (is_same_start && is_signed && saved.ending.is_some()).then_some(round)
    }

    /// A game with the fields that identify its match and round.
    fn signed(&self, round: Round, game: SavedGame) -> SavedGame {
        let limits = Some(self.spec.limits.to_string()).filter(|limits| !limits.is_empty());
        SavedGame {
            players: ByPlayer::from_fn(|player| Some(self.spec.agents[round.seat_of(player)].to_string())),
            guests: ByPlayer::from_fn(|player| self.seats[round.seat_of(player)].guest.clone()),
            seed: Some(self.spec.seed),
            limits,
            openings: Some(self.spec.openings.to_string()),
            round: Some(round.0),
            ..game
        }
    }

    /// Plays some of the games and reports events; a break ends the match.
    ///
    /// # Errors
    /// If the referee could not do its work. Games that were over by then were reported.
    pub fn run(
        &self,
        rounds: &[Round],
        job: &Job<'_>,
        hear: &mut dyn FnMut(News) -> ControlFlow<()>,
    ) -> Result<(), RefereeError> {
        let next = AtomicUsize::new(0);
        // A break ends this match only; the caller's flag may be shared.
        let is_over = Stop::new();
        let failed = Mutex::new(None);
        let flow = || {
            is_over.flow()?;
            job.stop.flow()
        };
        let work = |news: Sender<News>| {
            profile::switch(job.is_profiled);
            while let Some(&round) = rounds.get(next.fetch_add(1, Ordering::Relaxed)) {
                if flow().is_break() {
                    return;
                }
                let played = match self.play_patiently(round, &flow, job.reports_moves.then_some(&news)) {
                    Ok(Some(played)) => played,
                    Ok(None) => return,
                    Err(error) => {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        is_over.raise();
                        return;
                    }
                };
                // If the receiver is gone, the flag is raised as well.
                let _ = news.send(News::Finished(Box::new(Finished { round, played })));
            }
        };
        let (sender, news) = channel();
        thread::scope(|scope| {
            for _ in 0..job.n_threads.max(1) {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            let mut is_heard = true;
            for item in news {
                if is_heard && hear(item).is_break() {
                    is_heard = false;
                    is_over.raise();
                }
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Plays a game, again after a pause if the referee lacked something that others may give back.
    fn play_patiently(
        &self,
        round: Round,
        flow: &dyn Fn() -> ControlFlow<()>,
        news: Option<&Sender<News>>,
    ) -> Result<Option<Played>, RefereeError> {
        for pause in PAUSES {
            match self.play(round, flow, news) {
                Err(error) if error.is_passing => {}
                ended => return ended,
            }
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if flow().is_break() {
                    return Ok(None);
                }
                thread::sleep(pause / 20);
            }
        }
        self.play(round, flow, news)
    }

    fn play(
        &self,
        round: Round,
        flow: &dyn Fn() -> ControlFlow<()>,
        news: Option<&Sender<News>>,
    ) -> Result<Option<Played>, RefereeError> {
        let opening = self.spec.opening(round, &*self.start);
        let sides = ByPlayer::from_fn(|player| {
            let seat_idx = round.seat_of(player);
            let seat = &self.seats[seat_idx];
            let agent = (seat.make)(self.spec.seed_of(round, seat_idx))?;
            let limits = if seat.hears_limits { seat.limits.within(self.spec.limits) } else { seat.limits };
            Ok(Side::new(agent, limits))
        });
        let played = play(opening, sides, &mut |event| {
            if let Event::Moved { game, choice, time, total, peak } = event
                && let Some(news) = news
            {
                // The memory of an external agent, which is charged by its process, is already the peak.
                let (memory, peak) = match choice.stats.charged {
                    Some(_) => (peak, None),
                    None => (choice.stats.memory as u64, Some(peak)),
                };
                let _ = news.send(News::Moved { round, game: game.clone(), time, total, memory, peak });
            }
            flow()
        })?;
        Ok(played.map(|played| Played { saved: self.signed(round, played.saved), ..played }))
    }
}
