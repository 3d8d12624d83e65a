//! The real command, run in folders of its own.

mod explain;
mod matches;
mod mistakes;
mod perft;
mod play;
mod readme;
mod room;
mod show;
mod signature;
mod traps;
