//! How to fix a failure, by its kind and message.

use yarra_engine::Failure;
use yarra_games::GameSpec;

use super::{Check, Evidence, Group, Status};
use crate::Call;

/// The check that reports a failure.
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
    let fix = Some(advice(failure, last, call).to_owned());
    Check { group, name: name.to_owned(), status: Status::Failed, found, fix, evidence: Some(evidence) }
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

/// The verb for a failure, after "it".
fn verb(failure: Failure) -> &'static str {
    match failure {
        Failure::Crash => "crashed",
        Failure::Exit => "exited",
        Failure::Time => "ran out of time",
        Failure::Silence => "did not answer",
        Failure::Memory => "ran out of memory",
        Failure::Flood => "printed too much",
        Failure::Protocol => "disturbed the referee's pipes",
        Failure::IllegalMove => "returned an illegal move",
    }
}

const FORM: &str = "return exactly the types of the course's template: no None, list, bool or numpy number";

/// Parts of common error messages, each with its advice.
const KNOWN: &[(&str, &str)] = &[
    (
        "unexpected keyword argument",
        "accept `**referee` in every method: the referee passes keyword arguments",
    ),
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
        "use relative imports within the package; otherwise only the standard library and numpy are available",
    ),
    (
        "'NoneType'",
        "`time_remaining`, `space_remaining` and `space_limit` can be None, as can variables that were never set",
    ),
    ("RecursionError", "bound the depth of the recursion"),
    ("FileNotFoundError", "open files relative to `__file__`: the working directory is not the package"),
    ("PermissionError", "an agent can only read its own folder and write to a temporary one"),
    ("Unknown action", FORM),
    ("is not well formed", FORM),
    ("is not a ", FORM),
    ("standard input", "an agent may not read standard input"),
    ("sys.__stdout__", "print to sys.stdout: the course's referee needs sys.__stdout__ itself"),
];

/// How to fix a failure, by the last line of its message.
fn advice(failure: Failure, last: &str, call: Call) -> &'static str {
    let known = KNOWN.iter().find(|(words, _)| last.contains(words));
    if let (Failure::Crash | Failure::IllegalMove, Some((_, advice))) = (failure, known) {
        return advice;
    }
    match (failure, call) {
        (Failure::Crash, Call::Import) => {
            "fix the line that the traceback names, or try to import the package by hand"
        }
        (Failure::Crash, _) => "fix the line that the traceback names; an exception loses the game",
        (Failure::Exit, _) => "do not call exit() or close files that the agent did not open",
        (Failure::Time, _) => "use less time: check `time_remaining` and search less deeply when it runs low",
        (Failure::Silence, _) => "do not wait or sleep: a call that does not return loses the game",
        (Failure::Memory, _) => "bound tables and caches: drop entries when there are too many",
        (Failure::Flood, _) => "print less: a few lines per move are enough",
        (Failure::Protocol, _) => "do not write to file descriptors that the agent did not open",
        (Failure::IllegalMove, _) => {
            "choose among the legal moves of this position, and check how the agent updates its board"
        }
    }
}
