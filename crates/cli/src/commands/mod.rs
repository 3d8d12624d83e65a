//! One file a command, each with its arguments and one public function.

pub mod bench;
pub mod games;
pub mod perft;
pub mod play;
pub mod show;
pub mod verify;
