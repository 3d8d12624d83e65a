//! A program in a process of its own: driven by lines on two pipes, measured from outside, under limits.

mod meter;
mod program;

pub use meter::Memory;
pub use program::Process;
