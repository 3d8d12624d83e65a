//! The real command, run in temporary folders.

mod agents;
mod analysis;
mod analyze;
mod completions;
mod doctor;
mod explain;
mod export_agent;
mod faults;
mod guests;
mod hostile;
#[cfg(target_os = "linux")]
mod machines;
mod matches;
mod mistakes;
mod overwriting;
mod perft;
mod play;
mod prompt;
mod readme;
mod results;
mod review_page;
mod room;
#[cfg(target_os = "linux")]
mod sandbox;
mod show;
mod signature;
#[cfg(target_os = "linux")]
mod terminal;
mod train;
mod traps;
mod ugi;
