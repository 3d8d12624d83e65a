//! How a game ended, said plainly.

use serde::Serialize;
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{Player, Reason, Record};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ending {
    /// `red`, `blue`, or nothing for a draw and for a game that is not over.
    pub winner: Option<String>,
    /// In the word of files, such as `turn_limit`; nothing if the game is not over.
    pub reason: Option<String>,
    /// The same in a sentence.
    pub words: String,
    /// What a player did wrong, if that ended the game.
    pub fault: Option<SavedFault>,
}

impl Ending {
    /// The rules come before the file.
    pub fn of(saved: &SavedGame, record: &Record) -> Ending {
        let by_rules = record.outcome();
        let named = |name: &str| Player::BOTH.into_iter().find(|player| player.name() == name);
        let winner = match by_rules {
            Some(outcome) => outcome.winner,
            None => saved.winner.as_deref().and_then(named),
        };
        let reason = by_rules.map(|outcome| outcome.reason.to_string()).or_else(|| saved.reason.clone());
        let fault = saved.fault.clone().filter(|_| by_rules.is_none());
        let words = match (by_rules, &reason) {
            (Some(outcome), _) => by_the_rules(outcome.reason, winner, record),
            (None, Some(reason)) => by_fault(reason, winner, fault.as_ref()),
            (None, None) => "The game is not over.".to_owned(),
        };
        Ending { winner: winner.map(|winner| winner.to_string()), reason, words, fault }
    }

    /// Whether something else than the board decided.
    pub(super) fn is_off_the_board(&self) -> bool {
        let is_rule = |reason: &String| Reason::ALL.iter().any(|rule| rule.name() == reason);
        self.reason.as_ref().is_some_and(|reason| !is_rule(reason))
    }
}

fn by_the_rules(reason: Reason, winner: Option<Player>, record: &Record) -> String {
    let [red, blue] = Player::BOTH.map(|player| record.now().material(player));
    let result = winner.map_or("A draw".to_owned(), |winner| format!("{} wins", capital(winner)));
    let loser = winner.map_or("neither", |winner| winner.opponent().name());
    match reason {
        Reason::Elimination => format!("{result}: {loser} has no power left."),
        Reason::Annihilation => format!("{result}: nobody has any power left."),
        Reason::NoLegalMove => format!("{result}: {loser} has no place left for a piece."),
        Reason::Connection => format!("{result} with a chain from side to side."),
        Reason::Repetition => format!("{result}: the same board stood for the seventh time."),
        Reason::TurnLimit if record.now().repetition().is_some() => {
            format!("{result}: the last turn was played and nobody had joined the sides.")
        }
        Reason::TurnLimit => {
            let what = noun(&record.start().spec());
            format!("{result}: the last turn was played, with {red} {what} for red and {blue} for blue.")
        }
    }
}

fn by_fault(reason: &str, winner: Option<Player>, fault: Option<&SavedFault>) -> String {
    let Some(winner) = winner else { return format!("A draw ({}).", reason.replace('_', " ")) };
    let loser = winner.opponent();
    let said = fault.and_then(|fault| fault.said.as_deref());
    let what = match reason {
        "resignation" => "resigned".to_owned(),
        "time" => "used more time than it had".to_owned(),
        "illegal_move" => match said {
            Some(said) => format!("wanted to play {said}, which is not legal here"),
            None => "wanted to play a move that is not legal".to_owned(),
        },
        "crash" => "crashed".to_owned(),
        "exit" => "left before the game was over".to_owned(),
        "silence" => "gave no answer".to_owned(),
        "memory" => "used more memory than it may".to_owned(),
        "flood" => "wrote more than it may".to_owned(),
        "protocol" => "gave an answer that nobody understands".to_owned(),
        other => format!("lost by {}", other.replace('_', " ")),
    };
    format!("{} wins, not on the board: {loser} {what}.", capital(winner))
}

/// What players have on the board.
pub fn noun(spec: &str) -> &'static str {
    match spec.split(':').next() {
        Some("infexion") => "power",
        Some("tetress") => "tokens",
        _ => "stones",
    }
}

/// A player's name at the beginning of a sentence.
pub fn capital(player: Player) -> &'static str {
    match player {
        Player::Red => "Red",
        Player::Blue => "Blue",
    }
}
