//! Strangers' agents: programs that play in a jail, under limits, and lose when they misbehave.
//!
//! `python:DIR[:package[:Class]]` is an agent of the course, unchanged; `ugi:COMMAND` is any program that
//! speaks UGI. A [`Host`] holds what all of them
//! share: the interpreter, the limits, the layers of the jail.

mod allowance;
mod course;
pub mod doctor;
mod engine;
pub mod export;
mod host;
pub mod jail;
mod process;
mod python;
mod vitals;

pub use allowance::Allowance;
pub use course::CourseAgent;
pub use engine::EngineAgent;
pub use host::{Guest, Host, House, package_of};
pub use process::{Memory, Process};
pub use python::Interpreter;
pub use vitals::{Call, Vitals};
