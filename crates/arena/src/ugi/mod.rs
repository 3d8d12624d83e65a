//! UGI, the Universal Game Interface: agents and match runners as separate programs that exchange lines.
//!
//! A [`Command`] is a line from a runner and a [`Reply`] a line from an engine, both as plain data. [`serve`] runs
//! an agent as an engine, [`Client`] uses an engine as an agent. `docs/protocol.md` describes the protocol.

mod client;
mod command;
mod go;
mod lines;
mod program;
mod reply;
mod server;
mod thinker;

pub use client::{Client, Lines};
pub use command::{Command, Query};
pub use go::Go;
pub use lines::{LONGEST_LINE, Line, read_line};
pub use program::{MakeAgent, Program, ServeError};
pub use reply::{Answer, EngineOption, Info, Reply};
pub use server::serve;
