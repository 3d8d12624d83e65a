//! The real command, run in temporary folders.

mod analyze;
mod doctor;
mod explain;
mod export_agent;
mod guests;
mod matches;
mod mistakes;
mod perft;
mod play;
mod readme;
mod room;
mod show;
mod signature;
mod traps;
mod ugi;
