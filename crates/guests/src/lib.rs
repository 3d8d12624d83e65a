//! External agents: other people's programs that play in their own process, in a sandbox, under limits.
//!
//! `python:DIR[:package[:Class]]` is a course agent, unchanged; `ugi:COMMAND` is any program that speaks UGI. In code
//! they are *guests*. From a spec to a move:
//!
//! - [`Host`] holds what all external agents of a match share ([`HostOptions`]: interpreter, limits, sandbox layers)
//!   and resolves a spec to a [`Guest`].
//! - [`Guest`] is one such agent with its [`Allowance`]. In a game it is a `CourseAgent`, which calls Python
//!   through `python/host`, or an `EngineAgent`, which speaks UGI.
//! - `process` runs the program: lines over pipes, CPU time and memory measured from outside.
//! - [`jail`] is the sandbox that the process is started in, made of the layers that the kernel supports.
//!
//! [`doctor`] examines a course agent before its submission. [`export`] is the opposite direction: one of our agents
//! as a Python package for the official referee.
//!
//! Nothing that an external agent reports about time, memory or legality is trusted, and when its game is over none of
//! its processes is left.

mod allowance;
mod course;
pub mod doctor;
mod engine;
pub mod export;
mod host;
pub mod jail;
mod packages;
mod proc;
mod process;
mod python;
mod usage;

pub use allowance::Allowance;
pub use host::{Guest, Host, HostOptions};
pub use packages::package_of;
pub use python::Interpreter;
pub use usage::Call;
