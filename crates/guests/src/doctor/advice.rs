//! What to mend, by how an agent failed.

use yarra_engine::Failure;
use yarra_games::GameSpec;

use super::{Check, Evidence, Group, Status};
use crate::Call;

/// The check that a failure stands for.
pub fn failed(group: Group, name: &str, evidence: Evidence, game: GameSpec) -> Check {
    let Evidence { player, call, failure, .. } = evidence;
    let ply = evidence.game.moves.len();
    let at = match call {
        Call::Start | Call::Import => String::new(),
        Call::Constructor => format!(" as {player}"),
        Call::Turn | Call::Action => format!(" as {player} at ply {ply}"),
    };
    let last = evidence.fault.message.trim_end().lines().last().unwrap_or_default();
    let found = format!("it {} in {}{at}: {last:.200}", verb(failure), name_of(call, game));
    let mend = Some(advice(failure, last, call).to_owned());
    Check { group, name: name.to_owned(), status: Status::Failed, found, mend, evidence: Some(evidence) }
}

/// The name of a call in the course's interface for a game.
pub fn name_of(call: Call, game: GameSpec) -> String {
    match call {
        Call::Start => "the start of its process".to_owned(),
        Call::Import => "its import".to_owned(),
        Call::Constructor => "its constructor".to_owned(),
        Call::Turn => format!("`{}`", game.info().course.map_or("turn", |course| course.move_method)),
        Call::Action => "`action`".to_owned(),
    }
}

/// How a failure is told, after "it".
fn verb(failure: Failure) -> &'static str {
    match failure {
        Failure::Crash => "crashed",
        Failure::Exit => "left the game",
        Failure::Time => "ran out of time",
        Failure::Silence => "gave no answer",
        Failure::Memory => "ran out of memory",
        Failure::Flood => "wrote too much",
        Failure::Protocol => "disturbed the referee's pipes",
        Failure::IllegalMove => "returned an illegal move",
    }
}

const FORM: &str =
    "return exactly the types of the course's template: no None, list, bool or number of numpy";

/// Words of exceptions and refusals that students meet, and what they mean here.
const KNOWN: &[(&str, &str)] = &[
    ("unexpected keyword argument", "take `**referee` in every method: the referee passes keyword arguments"),
    ("positional argument", "compare the methods' parameters with those of the course's template"),
    ("no attribute 'update'", "the class needs a method `update(self, color, action, **referee)`"),
    ("no attribute 'turn'", "the class needs the method `turn` of the course's template"),
    ("no attribute 'action'", "the class needs the method `action` of the course's template"),
    ("no class ", "name the class as the course does, and import it in the package's __init__.py"),
    (
        "No module named 'referee",
        "the course's `referee` package has no such module; --their-referee takes yours",
    ),
    (
        "No module named",
        "import modules of the package relatively; only the standard library and numpy are there",
    ),
    (
        "'NoneType'",
        "`time_remaining`, `space_remaining` and `space_limit` can be None, and so can what is not set",
    ),
    ("RecursionError", "bound the depth of the recursion"),
    ("FileNotFoundError", "open files beside `__file__`: the working folder is not the package's"),
    ("PermissionError", "the agent may only read its own folder and write to a temporary one"),
    ("Unknown action", FORM),
    ("is not well formed", FORM),
    ("is not a ", FORM),
    ("standard input", "an agent may not read the standard input"),
];

/// What to do about a failure, by the last line of its trace.
fn advice(failure: Failure, last: &str, call: Call) -> &'static str {
    let known = KNOWN.iter().find(|(words, _)| last.contains(words));
    if let (Failure::Crash | Failure::IllegalMove, Some((_, advice))) = (failure, known) {
        return advice;
    }
    match (failure, call) {
        (Failure::Crash, Call::Import) => {
            "mend the line that the trace names, or run the package's import by hand"
        }
        (Failure::Crash, _) => "mend the line that the trace names; an exception loses the game",
        (Failure::Exit, _) => "do not call exit() or close files that the agent did not open",
        (Failure::Time, _) => "spend less: look at `time_remaining` and search less deep when it runs short",
        (Failure::Silence, _) => "do not wait or sleep: a call that does not return loses the game",
        (Failure::Memory, _) => "bound tables and caches: drop entries when there are too many",
        (Failure::Flood, _) => "print less: a few lines a move are enough",
        (Failure::Protocol, _) => "leave file descriptors alone that the agent did not open",
        (Failure::IllegalMove, _) => {
            "choose from the legal moves of this position, and check how the board is kept"
        }
    }
}
