//! UGI, the Universal Game Interface: agents and match runners as separate programs that talk in lines.
//!
//! A [`Command`] is what a runner says, a [`Reply`] what an engine says; both are data that is read and
//! written, nothing else. [`serve`] makes an agent an engine, [`Client`] an engine an agent.
//! `docs/protocol.md` is the protocol as we speak it.

mod client;
mod command;
mod lines;
mod reply;
mod server;
mod thinker;

pub use client::{Client, Lines};
pub use command::{Command, Go, Query};
pub use lines::{LONGEST_LINE, Line, read_line};
pub use reply::{Answer, EngineOption, Info, Reply};
pub use server::{MakeAgent, Program, ServeError, serve};
