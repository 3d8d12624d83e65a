//! The referee: one game between two sides.

use std::ops::ControlFlow;
use std::time::Duration;

use yarra_engine::{Choice, Progress, profile};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{Player, Record};

use crate::side::{Fault, Side, Turn};

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, with the time and memory of each move.
    pub saved: SavedGame,
    /// Where each player's time went, red's first, if the profile of this thread is on.
    pub parts: [profile::Parts; 2],
}

/// What the referee tells while a game goes on; whoever hears it may break the game off.
pub enum Event<'a> {
    /// The player to move is thinking.
    Thinking(&'a Progress<'a>),
    /// A move was made.
    Moved {
        /// The game after the move.
        game: &'a Record,
        /// The move, and why.
        choice: &'a Choice,
        /// What it took.
        time: Duration,
        /// What the mover's game has taken so far.
        total: Duration,
    },
}

/// Plays a game on from where it stands; `None` if it was broken off. Red's side comes first.
pub fn play(
    mut game: Record,
    sides: [Result<Side, Fault>; 2],
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Option<Played> {
    let mut costs = Costs::new(game.moves().len());
    let verdict = match sides {
        [Ok(red), Ok(blue)] => {
            let mut sides = [red, blue];
            let verdict = match begin(&mut sides, &game) {
                Err(end) => end,
                Ok(()) => play_on(&mut game, &mut sides, &mut costs, watch),
            };
            for side in &mut sides {
                side.end(&game);
            }
            verdict
        }
        [Err(fault), _] => End::Fault(Player::Red, fault),
        [_, Err(fault)] => End::Fault(Player::Blue, fault),
    };
    let mut saved = SavedGame::new(&game);
    match verdict {
        End::Broken => return None,
        End::ByRules => {}
        End::Fault(player, fault) => {
            saved.winner = Some(player.opponent().to_string());
            saved.reason = Some(fault.failure.to_string());
            saved.note = Some(format!("{player}: {}", last_line(&fault.message)));
            saved.fault = Some(SavedFault {
                player: player.to_string(),
                position: game.now().to_string(),
                message: fault.message,
                said: fault.said,
                output: fault.output,
            });
        }
    }
    saved.times = costs.times;
    saved.memory = costs.memory;
    Some(Played { saved, parts: costs.parts })
}

/// The line of a trace that says most.
fn last_line(message: &str) -> &str {
    message.trim_end().lines().last().unwrap_or_default()
}

/// Why no move follows.
enum End {
    ByRules,
    Fault(Player, Fault),
    Broken,
}

/// What the moves of a game took.
struct Costs {
    times: Vec<f64>,
    memory: Vec<u64>,
    totals: [Duration; 2],
    parts: [profile::Parts; 2],
}

impl Costs {
    fn new(n_moves: usize) -> Costs {
        Costs {
            times: vec![0.0; n_moves],
            memory: vec![0; n_moves],
            totals: Default::default(),
            parts: Default::default(),
        }
    }

    /// Notes a move and returns the mover's total.
    fn add(&mut self, mover: Player, turn: &Turn) -> Duration {
        // Nanoseconds are noise, and files should be read by people too.
        self.times.push(turn.time.as_micros() as f64 / 1e6);
        self.memory.push(turn.choice.stats.memory as u64);
        self.totals[mover as usize] += turn.time;
        self.parts[mover as usize].add(&turn.choice.stats.parts);
        self.totals[mover as usize]
    }
}

fn begin(sides: &mut [Side; 2], game: &Record) -> Result<(), End> {
    for player in Player::BOTH {
        sides[player as usize].begin(player, game).map_err(|fault| End::Fault(player, fault))?;
    }
    Ok(())
}

fn play_on(
    game: &mut Record,
    sides: &mut [Side; 2],
    costs: &mut Costs,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> End {
    while game.outcome().is_none() {
        let mover = game.now().turn();
        let mut is_broken = false;
        let turn = sides[mover as usize].choose(game, &mut |progress| {
            let flow = watch(Event::Thinking(progress));
            is_broken |= flow.is_break();
            flow
        });
        if is_broken {
            return End::Broken;
        }
        let turn = match turn {
            Ok(turn) => turn,
            Err(fault) => return End::Fault(mover, fault),
        };
        let m = turn.choice.mv;
        game.play(m);
        let total = costs.add(mover, &turn);
        for player in Player::BOTH {
            if let Err(fault) = sides[player as usize].played(game, &turn.choice)
                && game.outcome().is_none()
            {
                return End::Fault(player, fault);
            }
        }
        let event = Event::Moved { game, choice: &turn.choice, time: turn.time, total };
        if watch(event).is_break() {
            return End::Broken;
        }
    }
    End::ByRules
}
