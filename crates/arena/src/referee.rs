//! The referee: one game between two sides.

use std::ops::ControlFlow;
use std::time::Duration;

use yarra_engine::fault::cut;
use yarra_engine::{AgentError, Choice, Fault, Progress, RefereeError, profile};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{ByPlayer, Cause, Ending, Player, Record};

use crate::side::{Side, Turn};

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, with the time and memory of each move.
    pub saved: SavedGame,
    /// Where each player's time went, if profiling is on in this thread.
    pub parts: ByPlayer<profile::Parts>,
}

/// What the referee reports during a game. The listener may cancel the game.
pub enum Event<'a> {
    /// The player to move is searching.
    Thinking(&'a Progress<'a>),
    /// A move was made.
    Moved {
        /// The game after the move.
        game: &'a Record,
        /// The move, and why.
        choice: &'a Choice,
        /// The time it took.
        time: Duration,
        /// The total time of its player's moves so far.
        total: Duration,
        /// The most bytes that its player has held so far.
        peak: u64,
    },
}

/// Plays a game from its current position to the end; `None` if cancelled.
///
/// # Errors
/// If the referee could not do its work. An agent that fails loses the game, which is no error.
pub fn play(
    mut game: Record,
    sides: ByPlayer<Result<Side, AgentError>>,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Option<Played>, RefereeError> {
    let mut costs = GameCosts::new(game.moves().len());
    let end = match sides {
        ByPlayer { red: Ok(red), blue: Ok(blue) } => {
            let mut sides = ByPlayer { red, blue };
            let end = match begin(&mut sides, &game) {
                Err(end) => end,
                Ok(()) => play_on(&mut game, &mut sides, &mut costs, watch),
            };
            sides.red.end(&game);
            sides.blue.end(&game);
            end
        }
        ByPlayer { red: Err(error), .. } => End::at_start(Player::Red, error),
        ByPlayer { blue: Err(error), .. } => End::at_start(Player::Blue, error),
    };
    let mut saved = SavedGame::new(&game);
    match end {
        End::BrokenOff => return Ok(None),
        End::Referee(error) => return Err(error),
        End::ByRules => {}
        End::Fault { player, fault, at_start } => {
            saved.ending = Some(Ending::lost_by(player, Cause::Fault(fault.failure)));
            saved.note = Some(cut(format!("{player}: {}", last_line(&fault.message)), MAX_NOTE));
            saved.fault = Some(SavedFault {
                player,
                position: game.now().to_string(),
                message: fault.message,
                said: fault.said,
                output: fault.output,
                at_start,
            });
        }
    }
    saved.times = costs.times;
    saved.memory = costs.memory;
    Ok(Some(Played { saved, parts: costs.parts }))
}

/// The longest note about a fault, in bytes; it is printed on the line of its game.
const MAX_NOTE: usize = 400;

/// The most informative line of a traceback.
fn last_line(message: &str) -> &str {
    message.trim_end().lines().last().unwrap_or_default()
}

/// Why the game stops.
enum End {
    ByRules,
    Fault {
        player: Player,
        fault: Fault,
        at_start: bool,
    },
    BrokenOff,
    /// The referee could not do its work.
    Referee(RefereeError),
}

impl End {
    fn at_start(player: Player, error: AgentError) -> End {
        End::by_error(player, error, true)
    }

    fn during_the_game(player: Player, error: AgentError) -> End {
        End::by_error(player, error, false)
    }

    fn by_error(player: Player, error: AgentError, at_start: bool) -> End {
        match error {
            AgentError::Fault(fault) => End::Fault { player, fault, at_start },
            AgentError::Referee(error) => End::Referee(error),
        }
    }
}

/// The times and memory of a game's moves.
struct GameCosts {
    times: Vec<f64>,
    memory: Vec<u64>,
    totals: ByPlayer<Duration>,
    peaks: ByPlayer<u64>,
    parts: ByPlayer<profile::Parts>,
}

impl GameCosts {
    fn new(n_moves: usize) -> GameCosts {
        GameCosts {
            times: vec![0.0; n_moves],
            memory: vec![0; n_moves],
            totals: ByPlayer::default(),
            peaks: ByPlayer::default(),
            parts: ByPlayer::default(),
        }
    }

    fn add(&mut self, mover: Player, turn: &Turn) {
        // Nanoseconds are noise and make the files hard to read.
        self.times.push(turn.time.as_micros() as f64 / 1e6);
        let peak = turn.choice.stats.peak_memory() as u64;
        self.memory.push(peak);
        self.peaks[mover] = self.peaks[mover].max(peak);
        self.totals[mover] += turn.time;
        self.parts[mover].add(&turn.choice.stats.parts);
    }
}

fn begin(sides: &mut ByPlayer<Side>, game: &Record) -> Result<(), End> {
    for player in Player::BOTH {
        sides[player].begin(player, game).map_err(|error| End::at_start(player, error))?;
    }
    Ok(())
}

fn play_on(
    game: &mut Record,
    sides: &mut ByPlayer<Side>,
    costs: &mut GameCosts,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> End {
    while game.outcome().is_none() {
        let mover = game.now().turn();
        let mut is_broken = false;
        let turn = sides[mover].choose(game, &mut |progress| {
            let flow = watch(Event::Thinking(progress));
            is_broken |= flow.is_break();
            flow
        });
        if is_broken {
            return End::BrokenOff;
        }
        let turn = match turn {
            Ok(turn) => turn,
            Err(error) => return End::during_the_game(mover, error),
        };
        game.play(turn.choice.mv);
        costs.add(mover, &turn);
        for player in Player::BOTH {
            if let Err(error) = sides[player].played(game, &turn.choice)
                && game.outcome().is_none()
            {
                return End::during_the_game(player, error);
            }
        }
        let (total, peak) = (costs.totals[mover], costs.peaks[mover]);
        let event = Event::Moved { game, choice: &turn.choice, time: turn.time, total, peak };
        if watch(event).is_break() {
            return End::BrokenOff;
        }
    }
    End::ByRules
}
