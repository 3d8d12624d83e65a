//! Many games between two agents, with colors swapped on each opening.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use yarra_engine::{Agent, AgentError, Limits, Stop, profile};
use yarra_games::{Player, Position, Record, SavedGame, SavedGuest};

use crate::openings::Openings;
use crate::referee::{Event, Played, play};
use crate::side::Side;

/// Two agents, and how they play each other.
pub struct Match<'a> {
    /// Where games start.
    pub start: &'a dyn Position,
    /// The agents; the first one is red in even rounds.
    pub seats: [Seat<'a>; 2],
    /// What both are allowed, see [`Limits::within`].
    pub limits: Limits,
    /// How many games there are: rounds from 0.
    pub n_games: u32,
    /// The first moves.
    pub openings: Openings,
    /// Where all randomness comes from.
    pub seed: u64,
}

/// An agent of a match.
pub struct Seat<'a> {
    /// Its spec.
    pub name: String,
    /// The limits of its own.
    pub limits: Limits,
    /// Whether it can be told the limits of the match; one that cannot plays by its own alone.
    pub hears_limits: bool,
    /// What it is allowed and how it is kept, if it is a stranger's.
    pub guest: Option<SavedGuest>,
    /// Makes it, anew for each game, so that no game depends on the one before.
    pub make: Maker<'a>,
}

/// Makes an agent from a seed.
pub type Maker<'a> = Box<dyn Fn(u64) -> Result<Box<dyn Agent>, AgentError> + Sync + 'a>;

/// How a match is run, which does not change its games.
pub struct Job<'a> {
    /// Games at the same time.
    pub n_threads: usize,
    /// Whether to measure where the time goes.
    pub is_profiled: bool,
    /// Whether to tell each move.
    pub tells_moves: bool,
    /// Ends the match once it is raised; games that are not over are dropped.
    pub stop: &'a Stop,
}

/// What is heard of a running match.
pub enum News {
    /// A move was made.
    Moved {
        /// The game's number.
        round: u32,
        /// The game after the move.
        game: Record,
        /// What the move took.
        time: Duration,
        /// What the mover's game has taken so far.
        total: Duration,
        /// Bytes that the mover holds.
        memory: usize,
    },
    /// A game is over. These come in the order of their rounds, except behind games that were dropped.
    Finished(Box<Finished>),
}

/// A game that is over.
pub struct Finished {
    /// Its number.
    pub round: u32,
    /// How it went.
    pub played: Played,
}

impl Match<'_> {
    /// The seat of red, then that of blue.
    fn colors(&self, round: u32) -> [usize; 2] {
        if round.is_multiple_of(2) { [0, 1] } else { [1, 0] }
    }

    /// A saved game's number, if it is a finished one of this match.
    pub fn round_of(&self, saved: &SavedGame) -> Option<u32> {
        let round = saved.round.filter(|&round| round < self.n_games)?;
        let start = SavedGame::new(&Record::new(self.start.boxed()));
        let is_same_start = (&saved.game, &saved.start) == (&start.game, &start.start);
        let is_signed = *saved == self.signed(round, saved.clone());
        (is_same_start && is_signed && saved.reason.is_some()).then_some(round)
    }

    /// A game with all that tells which one of which match it is.
    fn signed(&self, round: u32, game: SavedGame) -> SavedGame {
        let [red, blue] = self.colors(round).map(|seat| Some(self.seats[seat].name.clone()));
        let limits = Some(self.limits.to_string()).filter(|limits| !limits.is_empty());
        let openings = Some(self.openings.to_string());
        let guest = |player: Player| {
            let guest = self.seats[self.colors(round)[player as usize]].guest.as_ref()?;
            Some(SavedGuest { player: player.to_string(), ..guest.clone() })
        };
        let guests = Player::BOTH.into_iter().filter_map(guest).collect();
        SavedGame { guests, red, blue, seed: Some(self.seed), limits, openings, round: Some(round), ..game }
    }

    /// Plays some of the games and tells how they go; a break ends the match.
    pub fn run(&self, rounds: &[u32], job: &Job<'_>, hear: &mut dyn FnMut(News) -> ControlFlow<()>) {
        let next = AtomicUsize::new(0);
        let is_over = Stop::new();
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
                let Some(played) = self.play(round, &flow, job.tells_moves.then_some(&news)) else {
                    return;
                };
                // Whoever does not listen any more has raised the flag as well.
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
            let mut waiting = BTreeMap::new();
            let mut n_told = 0;
            let mut tell = |news| {
                if !is_over.is_raised() && hear(news).is_break() {
                    is_over.raise();
                }
            };
            for item in news {
                match item {
                    News::Finished(game) => waiting.insert(game.round, game),
                    moved @ News::Moved { .. } => {
                        tell(moved);
                        continue;
                    }
                };
                while let Some(game) = rounds.get(n_told).and_then(|round| waiting.remove(round)) {
                    n_told += 1;
                    tell(News::Finished(game));
                }
            }
            for game in waiting.into_values() {
                tell(News::Finished(game));
            }
        });
    }

    fn play(
        &self,
        round: u32,
        flow: &dyn Fn() -> ControlFlow<()>,
        news: Option<&Sender<News>>,
    ) -> Option<Played> {
        let opening = self.openings.draw(self.start, mixed(self.seed, u64::from(round / 2)));
        let colors = self.colors(round);
        let sides = colors.map(|idx| {
            let seat = &self.seats[idx];
            let seed = mixed(mixed(self.seed, !u64::from(round)), idx as u64);
            let agent = (seat.make)(seed)?;
            let limits = if seat.hears_limits { seat.limits.within(self.limits) } else { seat.limits };
            Ok(Side::new(agent, limits))
        });
        let mut played = play(opening, sides, &mut |event| {
            if let Event::Moved { game, choice, time, total } = event
                && let Some(news) = news
            {
                let memory = choice.stats.memory;
                let _ = news.send(News::Moved { round, game: game.clone(), time, total, memory });
            }
            flow()
        })?;
        played.saved = self.signed(round, played.saved);
        Some(played)
    }
}

/// A seed that follows from another and a number (the finalizer of SplitMix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let mut x = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}
