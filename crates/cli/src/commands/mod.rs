//! One file a command, each with its arguments and one public function.

pub mod bench;
pub mod games;
