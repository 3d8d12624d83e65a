//! A game in progress between people and agents, without any input or output.

use std::fmt;

use yarra_engine::{SpecError, Watch};
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Cause, Ending, Move, Player, Position, Record};

use crate::{Fault, Seat, Side, Turn};

/// A game between the people and agents at a board.
pub struct Session<'a> {
    record: Record,
    /// An ending outside the rules, such as a resignation.
    off_board: Option<Ending>,
    seating: Seating<'a>,
    seed: u64,
    /// The agents; `None` where a person plays.
    sides: ByPlayer<Option<Side>>,
}

/// Returns the agent of a color for the game of a position; `None` if a person plays it. A loaded game may have another
/// size, which may need another agent.
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
}

impl fmt::Display for SeatingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeatingError::Spec(error) => error.fmt(f),
            SeatingError::Fault(error) => error.fmt(f),
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
        let mut session = Session { record, off_board: None, seating, seed, sides: ByPlayer::default() };
        session.seat_agents()?;
        Ok(session)
    }

    /// New agents that know the current state of the game.
    fn seat_agents(&mut self) -> Result<(), SeatingError> {
        let mut sides = ByPlayer::default();
        for player in Player::BOTH {
            let Some(seat) = (self.seating)(player, self.record.now()).map_err(SeatingError::Spec)? else {
                continue;
            };
            // Two agents of one kind must not use the same random numbers.
            let seed = self.seed.wrapping_mul(2).wrapping_add(player as u64);
            let begun = (seat.make)(seed).and_then(|agent| {
                let mut side = Side::new(agent, seat.limits);
                side.begin(player, &self.record)?;
                Ok(side)
            });
            let begun = begun.map_err(|fault| SeatingError::Fault(AgentFault { player, fault }));
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
        Ok(())
    }

    /// Lets the agent to move choose; `None` if a person is to move or the game is over. An agent that fails loses.
    pub fn think(&mut self, watch: &mut Watch<'_>) -> Option<Result<Turn, AgentFault>> {
        if self.ending().is_some() {
            return None;
        }
        let player = self.record.now().turn();
        let chosen = self.sides[player].as_mut()?.choose(&self.record, watch);
        Some(chosen.map_err(|fault| self.lose(player, fault)))
    }

    /// Makes a legal move. Call [`Session::tell_agents`] next.
    pub fn play(&mut self, m: Move) {
        self.record.play(m);
    }

    /// Tells the agents the last move. An agent that fails loses, unless the game is over.
    pub fn tell_agents(&mut self) -> Option<AgentFault> {
        let last = (*self.record.moves().last()?).into();
        let mut first = None;
        for player in Player::BOTH {
            let Some(side) = &mut self.sides[player] else { continue };
            if let Err(fault) = side.played(&self.record, &last)
                && self.ending().is_none()
            {
                first = Some(self.lose(player, fault));
            }
        }
        first
    }

    fn lose(&mut self, player: Player, fault: Fault) -> AgentFault {
        self.off_board = Some(Ending::lost_by(player, Cause::Fault(fault.failure)));
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
        self.seat_agents()?;
        Ok(true)
    }

    /// The current game, for a file.
    pub fn saved(&self) -> SavedGame {
        SavedGame { ending: self.ending(), ..SavedGame::new(&self.record) }
    }
}
