//! Errors in a text, a line or a file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use yarra_games::ParseError;

/// A text that is not a valid game, trace or perft suite.
#[derive(Debug)]
pub enum TextError {
    /// It is not JSON, or a field is missing or has the wrong type.
    Json {
        /// What was expected.
        expected: &'static str,
        /// The error of the JSON parser.
        error: serde_json::Error,
    },
    /// A field is invalid.
    Field(ParseError),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Json { expected, error } => write!(f, "expected {expected}: {}", placed(error)),
            TextError::Field(error) => error.fmt(f),
        }
    }
}

/// The parser counts lines within the text. Where the text is one line of a file, that is a second line number: only the
/// column is kept.
fn placed(error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    match text.strip_suffix(&format!(" at line 1 column {column}")) {
        Some(problem) => format!("{problem} at column {column}"),
        None => text,
    }
}

impl std::error::Error for TextError {}

impl From<ParseError> for TextError {
    fn from(error: ParseError) -> TextError {
        TextError::Field(error)
    }
}

/// A file that cannot be used.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    /// It cannot be opened, read or written.
    Io(&'static str, io::Error),
    /// A line is invalid, counted from 1.
    Line(usize, TextError),
    /// A message that follows the path.
    Other(String),
}

impl FileError {
    /// Wraps an I/O error; `verb` names the operation that failed, such as `read`.
    pub(crate) fn io(path: &Path, verb: &'static str) -> impl Fn(io::Error) -> FileError {
        move |error| FileError { path: path.to_owned(), problem: Problem::Io(verb, error) }
    }

    pub(crate) fn line(path: &Path, line: usize, error: impl Into<TextError>) -> FileError {
        FileError { path: path.to_owned(), problem: Problem::Line(line, error.into()) }
    }

    pub(crate) fn other(path: &Path, message: impl Into<String>) -> FileError {
        FileError { path: path.to_owned(), problem: Problem::Other(message.into()) }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            Problem::Io(verb, error) => write!(f, "cannot {verb} {path}: {error}"),
            Problem::Line(line, error) => write!(f, "{path} line {line}: {error}"),
            Problem::Other(message) => write!(f, "{path}{message}"),
        }
    }
}

/// Without a source: the message already has it, and would be printed twice.
impl std::error::Error for FileError {}
