//! Why an agent made no move: by its own fault, or because the referee could not do its work.

use std::{fmt, io};

pub use yarra_games::Failure;

/// Why an agent made no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentError {
    /// The agent's own fault, which loses its game.
    Fault(Fault),
    /// The referee could not do its work. No agent loses by that.
    Referee(RefereeError),
}

/// What an agent did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of failure.
    pub failure: Failure,
    /// What happened, in words.
    pub message: String,
    /// The move that it tried to make, if that was wrong, in its own notation.
    pub said: Option<String>,
    /// The end of its error output.
    pub output: String,
}

/// What the referee could not do: start a process, copy a folder, write a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefereeError {
    /// What it tried, as in "start the agent".
    pub tried: String,
    /// The system's error.
    pub cause: String,
    /// Whether it may work a moment later, such as when too many files are open.
    pub is_passing: bool,
}

/// The longest message that is kept, in bytes.
const MAX_MESSAGE: usize = 4 << 10;
/// The longest wrong move that is kept.
const MAX_SAID: usize = 512;
/// The longest output that is kept.
const MAX_OUTPUT: usize = 8 << 10;

impl Fault {
    /// A failure with what happened. Texts that are too long for a record are cut, here and in the methods below.
    pub fn new(failure: Failure, message: impl Into<String>) -> Fault {
        Fault { failure, message: cut(message.into(), MAX_MESSAGE), said: None, output: String::new() }
    }

    /// The same fault with the move that the agent tried to make.
    #[must_use]
    pub fn with_said(self, said: Option<String>) -> Fault {
        Fault { said: said.map(|said| cut(said, MAX_SAID)), ..self }
    }

    /// The same fault with the agent's last output.
    #[must_use]
    pub fn with_output(self, output: String) -> Fault {
        Fault { output: cut(output, MAX_OUTPUT), ..self }
    }
}

/// A text of at most about `max` bytes. The middle is left out: a traceback begins with where and ends with what.
pub fn cut(text: String, max: usize) -> String {
    if text.len() <= max {
        return text;
    }
    let head = text.floor_char_boundary(max / 4);
    let tail = text.ceil_char_boundary(text.len() - (max - max / 4));
    format!("{}… ({} bytes cut) …{}", &text[..head], tail - head, &text[tail..])
}

impl RefereeError {
    /// What was tried and why the system refused. An error that passes is marked by [`RefereeError::is_passing`].
    pub fn new(tried: impl Into<String>, cause: &io::Error) -> RefereeError {
        RefereeError { tried: tried.into(), cause: cause.to_string(), is_passing: is_passing(cause) }
    }
}

/// Whether a system call may work a moment later: the machine has run out of memory, processes or open files.
fn is_passing(error: &io::Error) -> bool {
    // ENFILE and EMFILE, which have no kind of their own, are the same on all systems with processes and pipes.
    const TOO_MANY_FILES: [i32; 2] = [23, 24];
    let is_kind = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory);
    is_kind || cfg!(unix) && error.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code))
}

impl AgentError {
    /// A fault with what happened.
    pub fn new(failure: Failure, message: impl Into<String>) -> AgentError {
        AgentError::Fault(Fault::new(failure, message))
    }

    /// The agent's fault, if it is one.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            AgentError::Fault(fault) => Some(fault),
            AgentError::Referee(_) => None,
        }
    }
}

impl From<Fault> for AgentError {
    fn from(fault: Fault) -> AgentError {
        AgentError::Fault(fault)
    }
}

impl From<RefereeError> for AgentError {
    fn from(error: RefereeError) -> AgentError {
        AgentError::Referee(error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for RefereeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the referee could not {}: {}", self.tried, self.cause)
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Fault(fault) => fault.fmt(f),
            AgentError::Referee(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Fault {}
impl std::error::Error for RefereeError {}
impl std::error::Error for AgentError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_in_the_middle() {
        let text = format!("first{}last", "é".repeat(10_000));
        let fault =
            Fault::new(Failure::Crash, &*text).with_said(Some(text.clone())).with_output(text.clone());
        for (found, max) in [
            (&fault.message, MAX_MESSAGE),
            (fault.said.as_ref().unwrap(), MAX_SAID),
            (&fault.output, MAX_OUTPUT),
        ] {
            assert!(max - 10 < found.len() && found.len() < max + 40, "{}", found.len());
            assert!(found.starts_with("firsté") && found.ends_with("élast"), "{found}");
            assert!(found.contains("bytes cut) …"), "{found}");
        }
        assert_eq!(cut("short".to_owned(), 5), "short");
    }

    #[test]
    fn a_lack_of_memory_processes_or_files_passes() {
        for (code, passes) in [(11, true), (12, true), (23, true), (24, true), (1, false), (28, false)] {
            let error = RefereeError::new("start the agent", &io::Error::from_raw_os_error(code));
            assert_eq!(error.is_passing, passes, "{error}");
            assert!(error.to_string().starts_with("the referee could not start the agent: "), "{error}");
        }
    }
}
