//! How games end: by their rules, by a fault of an agent, or by resignation.

use std::borrow::Cow;
use std::fmt;

use crate::Player;

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Player>,
    /// Which rule ended the game.
    pub reason: Reason,
}

/// The rules that end games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Infexion: one player has no power left. It can still be a draw.
    Elimination,
    /// Infexion: neither player has any power left.
    Annihilation,
    /// Tetress: the player to move cannot place a piece.
    NoLegalMove,
    /// Cachex and Hex: a chain connects both sides of its color.
    Connection,
    /// Cachex: the same board occurred for the seventh time.
    Repetition,
    /// The last turn has been played.
    TurnLimit,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 6] = [
        Reason::Elimination,
        Reason::Annihilation,
        Reason::NoLegalMove,
        Reason::Connection,
        Reason::Repetition,
        Reason::TurnLimit,
    ];

    /// The word used in files, such as `turn_limit`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Elimination => "elimination",
            Reason::Annihilation => "annihilation",
            Reason::NoLegalMove => "no_legal_move",
            Reason::Connection => "connection",
            Reason::Repetition => "repetition",
            Reason::TurnLimit => "turn_limit",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How an agent can fail; each failure loses the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// An exception, a failed import, a signal.
    Crash,
    /// Its process exited.
    Exit,
    /// It exceeded its time limit.
    Time,
    /// It did not answer.
    Silence,
    /// It exceeded its memory limit.
    Memory,
    /// It exceeded its output limit.
    Flood,
    /// It violated the protocol.
    Protocol,
    /// Its move is not legal.
    IllegalMove,
}

impl Failure {
    /// All failures.
    pub const ALL: [Failure; 8] = [
        Failure::Crash,
        Failure::Exit,
        Failure::Time,
        Failure::Silence,
        Failure::Memory,
        Failure::Flood,
        Failure::Protocol,
        Failure::IllegalMove,
    ];

    /// The word used in files, such as `illegal_move`.
    pub fn name(self) -> &'static str {
        match self {
            Failure::Crash => "crash",
            Failure::Exit => "exit",
            Failure::Time => "time",
            Failure::Silence => "silence",
            Failure::Memory => "memory",
            Failure::Flood => "flood",
            Failure::Protocol => "protocol",
            Failure::IllegalMove => "illegal_move",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a game ended, on the board or off it. `Display` writes `red wins (turn limit)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; `None` is a draw.
    pub winner: Option<Player>,
    /// What ended the game.
    pub cause: Cause,
}

/// What ended a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A rule of the game.
    Rule(Reason),
    /// The loser failed.
    Fault(Failure),
    /// The loser resigned.
    Resignation,
    /// A cause that this program does not know, as written in the file.
    Other(String),
}

const RESIGNATION: &str = "resignation";

impl Ending {
    /// The ending of a game that a player lost off the board.
    pub fn lost_by(loser: Player, cause: Cause) -> Ending {
        Ending { winner: Some(loser.opponent()), cause }
    }
}

impl Cause {
    /// The word used in files, such as `turn_limit` or `resignation`.
    pub fn name(&self) -> &str {
        match self {
            Cause::Rule(reason) => reason.name(),
            Cause::Fault(failure) => failure.name(),
            Cause::Resignation => RESIGNATION,
            Cause::Other(name) => name,
        }
    }

    /// Parses the word used in files.
    pub fn from_name<'a>(name: impl Into<Cow<'a, str>>) -> Cause {
        let name = name.into();
        if let Some(reason) = Reason::ALL.into_iter().find(|reason| reason.name() == name) {
            return Cause::Rule(reason);
        }
        if let Some(failure) = Failure::ALL.into_iter().find(|failure| failure.name() == name) {
            return Cause::Fault(failure);
        }
        if name == RESIGNATION { Cause::Resignation } else { Cause::Other(name.into_owned()) }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner, cause: Cause::Rule(outcome.reason) }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins")?,
            None => f.write_str("draw")?,
        }
        write!(f, " ({})", self.cause)
    }
}

/// With spaces, for display: `turn limit`.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name().replace('_', " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_read_as_they_are_written() {
        let rules = Reason::ALL.into_iter().map(Cause::Rule);
        let faults = Failure::ALL.into_iter().map(Cause::Fault);
        let others = [Cause::Resignation, Cause::Other("a dog ate the board".to_owned())];
        for cause in rules.chain(faults).chain(others) {
            assert_eq!(Cause::from_name(cause.name()), cause);
        }
    }
}
