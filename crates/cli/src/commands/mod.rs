//! One file a command, each with its arguments and one public function.

pub mod games;
pub mod verify;
