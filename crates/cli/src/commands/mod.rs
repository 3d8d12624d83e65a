//! One file or folder per command, each with its arguments and a `run` function.

pub mod agents;
pub mod analyze;
pub mod bench;
pub mod completions;
#[cfg(target_os = "linux")]
pub mod doctor;
pub mod explain;
#[cfg(target_os = "linux")]
pub mod export_agent;
pub mod games;
pub mod help;
pub mod man;
pub mod match_;
pub mod perft;
pub mod play;
pub mod show;
pub mod train;
pub mod traps;
pub mod ugi;
pub mod verify;
