//! A game in progress between people and agents, without any input or output.

use std::fmt;

use yarra_engine::{AgentError, Fault, RefereeError, SpecError, Watch};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{ByPlayer, Cause, Ending, Move, Player, Position, Record};

use crate::{Seat, Side, Turn};

/// A game between the people and agents at a board.
pub struct Session<'a> {
    record: Record,
    /// An ending outside the rules, such as a resignation.
    off_board: Option<Ending>,
    /// How an agent failed, if that ended the game.
    fault: Option<SavedFault>,
    seating: Seating<'a>,
    /// Whether each seat plays the other color.
    is_swapped: bool,
    seed: u64,
    /// The agents; `None` where a person plays.
    sides: ByPlayer<Option<Side>>,
}

/// Returns the agent of a seat, named by its color in the first game, for the game of a position; `None` if a person sits
/// there. A loaded game may have another size, which may need another agent.
pub type Seating<'a> = Box<dyn Fn(Player, &dyn Position) -> Result<Option<Seat<'a>>, SpecError> + 'a>;

/// An agent that failed, and how.
#[derive(Clone, Debug)]
pub struct AgentFault {
    /// Its color.
    pub player: Player,
    /// What happened.
    pub fault: Fault,
}

impl fmt::Display for AgentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.player, self.fault)
    }
}

/// Why an agent cannot be seated.
#[derive(Clone, Debug)]
pub enum SeatingError {
    /// Its spec is invalid for the game.
    Spec(SpecError),
    /// It failed at the start of the game.
    Fault(AgentFault),
    /// The referee could not start it.
    Referee(RefereeError),
}

impl fmt::Display for SeatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatingError::Spec(error) => error.fmt(f),
            SeatingError::Fault(error) => error.fmt(f),
            SeatingError::Referee(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SeatingError {}

impl<'a> Session<'a> {
    /// Starts a game, or continues one.
    ///
    /// # Errors
    /// If an agent cannot begin.
    pub fn new(record: Record, seating: Seating<'a>, seed: u64) -> Result<Session<'a>, SeatingError> {
        let sides = ByPlayer::default();
        let mut session =
            Session { record, off_board: None, fault: None, seating, is_swapped: false, seed, sides };
        session.seat_agents()?;
        Ok(session)
    }

    /// The seed of an agent in a session with a seed. Two agents of one kind must not use the same random numbers.
    pub fn agent_seed(seed: u64, player: Player) -> u64 {
        seed.wrapping_mul(2).wrapping_add(player as u64)
    }

    /// New agents that know the current state of the game.
    fn seat_agents(&mut self) -> Result<(), SeatingError> {
        let mut sides = ByPlayer::default();
        for player in Player::BOTH {
            let seat = if self.is_swapped { player.opponent() } else { player };
            let Some(seat) = (self.seating)(seat, self.record.now()).map_err(SeatingError::Spec)? else {
                continue;
            };
            let begun = (seat.make)(Self::agent_seed(self.seed, player)).and_then(|agent| {
                let mut side = Side::new(agent, seat.limits);
                side.begin(player, &self.record)?;
                Ok(side)
            });
            let begun = begun.map_err(|error| match error {
                AgentError::Fault(fault) => SeatingError::Fault(AgentFault { player, fault }),
                AgentError::Referee(error) => SeatingError::Referee(error),
            });
            sides[player] = Some(begun?);
        }
        self.sides = sides;
        Ok(())
    }

    /// The game so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.record.outcome().map(Ending::from).or_else(|| self.off_board.clone())
    }

    /// Whether a person chooses the moves of a color.
    pub fn is_human(&self, player: Player) -> bool {
        self.sides[player].is_none()
    }

    /// Replaces the game, with its ending if the rules do not determine it.
    ///
    /// # Errors
    /// If an agent cannot begin.
    pub fn replace(&mut self, record: Record, ending: Option<Ending>) -> Result<(), SeatingError> {
        let old = std::mem::replace(&mut self.record, record);
        if let Err(error) = self.seat_agents() {
            self.record = old;
            return Err(error);
        }
        self.off_board = ending.filter(|_| self.record.outcome().is_none());
        self.fault = None;
        Ok(())
    }

    /// Starts another game from the same position, with new random numbers, and with colors swapped if asked.
    ///
    /// # Errors
    /// If an agent cannot begin. The game stays as it was.
    pub fn restart(&mut self, swaps: bool) -> Result<(), SeatingError> {
        let before = (self.is_swapped, self.seed);
        self.is_swapped ^= swaps;
        self.seed = self.seed.wrapping_add(1);
        let start = Record::new(self.record.start().boxed());
        self.replace(start, None).inspect_err(|_| (self.is_swapped, self.seed) = before)
    }

    /// The seed of the agents' randomness in this game.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Lets the agent to move choose; `None` if a person is to move or the game is over. An agent that fails loses.
    ///
    /// # Errors
    /// If the referee could not do its work.
    pub fn think(&mut self, watch: &mut Watch<'_>) -> Result<Option<Result<Turn, AgentFault>>, RefereeError> {
        let player = self.record.now().turn();
        let is_over = self.ending().is_some();
        let Some(side) = self.sides[player].as_mut().filter(|_| !is_over) else { return Ok(None) };
        match side.choose(&self.record, watch) {
            Ok(turn) => Ok(Some(Ok(turn))),
            Err(AgentError::Fault(fault)) => Ok(Some(Err(self.lose(player, fault)))),
            Err(AgentError::Referee(error)) => Err(error),
        }
    }

    /// Makes a legal move. Call [`Session::tell_agents`] next.
    pub fn play(&mut self, m: Move) {
        self.record.play(m);
    }

    /// Tells the agents the last move. An agent that fails loses, unless the game is over.
    ///
    /// # Errors
    /// If the referee could not do its work.
    pub fn tell_agents(&mut self) -> Result<Option<AgentFault>, RefereeError> {
        let Some(&last) = self.record.moves().last() else { return Ok(None) };
        let mut first = None;
        for player in Player::BOTH {
            let Some(side) = &mut self.sides[player] else { continue };
            let told = side.played(&self.record, &last.into());
            if self.ending().is_some() {
                continue;
            }
            match told {
                Ok(()) => {}
                Err(AgentError::Fault(fault)) => first = Some(self.lose(player, fault)),
                Err(AgentError::Referee(error)) => return Err(error),
            }
        }
        Ok(first)
    }

    fn lose(&mut self, player: Player, fault: Fault) -> AgentFault {
        self.off_board = Some(Ending::lost_by(player, Cause::Fault(fault.failure)));
        let Fault { message, said, output, .. } = fault.clone();
        let position = self.record.now().to_string();
        self.fault = Some(SavedFault { player, position, message, said, output, at_start: false });
        AgentFault { player, fault }
    }

    /// Resigns for the player to move and returns the ending.
    pub fn resign(&mut self) -> Ending {
        let ending = Ending::lost_by(self.record.now().turn(), Cause::Resignation);
        self.off_board.insert(ending).clone()
    }

    /// Takes back a resignation or a fault, or moves until a person is to move. Returns whether there was anything to
    /// take back.
    ///
    /// # Errors
    /// If a new agent cannot begin: agents cannot take moves back, so they are replaced.
    pub fn undo(&mut self) -> Result<bool, SeatingError> {
        if self.off_board.is_none() || self.record.outcome().is_some() {
            let ply = self.record.now().ply();
            let n_moves = self.record.moves().len() as u16;
            // An agent would only move again.
            let is_human = |n_back: &u16| self.is_human(Player::at_ply(ply - n_back));
            let Some(n_back) = (1..=n_moves).find(is_human) else { return Ok(false) };
            for _ in 0..n_back {
                self.record.undo();
            }
        }
        self.off_board = None;
        self.fault = None;
        self.seat_agents()?;
        Ok(true)
    }

    /// The current game, for a file.
    pub fn saved(&self) -> SavedGame {
        SavedGame { ending: self.ending(), fault: self.fault.clone(), ..SavedGame::new(&self.record) }
    }
}
