//! Games on disk: saved games as lines of JSON, files of them, and traces of the official referees.
//!
//! A [`SavedGame`] is typed; the names and the order of the fields in its JSON are those of version 0.1.

mod draft;
mod error;
mod log;
pub mod names;
mod saved;
pub mod trace;

pub use draft::{Draft, check_is_new, write_game};
pub use error::{FileError, TextError};
pub use log::{FiledGame, GameFile, GameLog, Opened, read_games, read_text};
pub use saved::{SavedFault, SavedGame, SavedGuest};
