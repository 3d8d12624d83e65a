//! How a game ended, in a sentence.

use yarra_files::{SavedFault, SavedGame};
use yarra_games::{Cause, Ending, Failure, Outcome, Player, Reason, Record};

use super::OffBoard;

/// How a game ended, with a sentence that says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The ending; `None` if the game is not over.
    pub ending: Option<Ending>,
    /// The same in a sentence.
    pub sentence: String,
    /// What a player did wrong, if that ended the game.
    pub fault: Option<SavedFault>,
    /// How a player lost, if that was not on the board.
    pub off_board: Option<OffBoard>,
}

impl Conclusion {
    /// How a saved game ended. The rules take precedence over the file.
    pub fn of(saved: &SavedGame, record: &Record) -> Conclusion {
        let by_rules = record.outcome();
        let ending = saved.ending(record);
        let fault = saved.fault.clone().filter(|_| by_rules.is_none());
        let sentence = match (by_rules, &ending) {
            (Some(outcome), _) => on_the_board(outcome, record),
            (None, Some(ending)) => off_the_board(ending, fault.as_ref()),
            (None, None) => "The game is not over.".to_owned(),
        };
        let off_board = ending.as_ref().and_then(|ending| OffBoard::of(ending, fault.as_ref(), record));
        Conclusion { ending, sentence, fault, off_board }
    }

    /// The winner, if any.
    pub fn winner(&self) -> Option<Player> {
        self.ending.as_ref()?.winner
    }

    /// Whether something other than the board decided the game.
    pub(super) fn is_off_the_board(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| !matches!(ending.cause, Cause::Rule(_)))
    }
}

fn on_the_board(Outcome { winner, reason }: Outcome, record: &Record) -> String {
    let [red, blue] = Player::BOTH.map(|player| record.now().material(player));
    let result = winner.map_or("A draw".to_owned(), |winner| format!("{} wins", winner.capitalized()));
    let loser = winner.map_or("neither", |winner| winner.opponent().name());
    match reason {
        Reason::Elimination => format!("{result}: {loser} has no power left."),
        Reason::Annihilation => format!("{result}: neither player has any power left."),
        Reason::NoLegalMove => format!("{result}: {loser} has no place left for a piece."),
        Reason::Connection => format!("{result} with a chain from side to side."),
        Reason::Repetition => format!("{result}: the same board occurred for the seventh time."),
        Reason::TurnLimit if record.now().repetition().is_some() => {
            format!("{result}: the last turn was played and neither player had connected.")
        }
        Reason::TurnLimit => {
            let what = record.start().info().material;
            format!("{result}: the last turn was played, with {red} {what} for red and {blue} for blue.")
        }
    }
}

fn off_the_board(ending: &Ending, fault: Option<&SavedFault>) -> String {
    let Some(winner) = ending.winner else { return format!("A draw ({}).", ending.cause) };
    let said = fault.and_then(|fault| fault.said.as_deref());
    let what = match &ending.cause {
        Cause::Resignation => "resigned".to_owned(),
        Cause::Fault(failure) => match (failure, said) {
            (Failure::Time, _) => "exceeded its time limit".to_owned(),
            (Failure::IllegalMove, Some(said)) => format!("played {said}, which is not legal"),
            (Failure::IllegalMove, None) => "played an illegal move".to_owned(),
            (Failure::Crash, _) => "crashed".to_owned(),
            (Failure::Exit, _) => "exited before the game was over".to_owned(),
            (Failure::Silence, _) => "did not answer".to_owned(),
            (Failure::Memory, _) => "exceeded its memory limit".to_owned(),
            (Failure::Flood, _) => "exceeded its output limit".to_owned(),
            (Failure::Protocol, _) => "sent an invalid answer".to_owned(),
        },
        Cause::Rule(_) | Cause::Other(_) => format!("lost by {}", ending.cause),
    };
    format!("{} wins, not on the board: {} {what}.", winner.capitalized(), winner.opponent())
}
