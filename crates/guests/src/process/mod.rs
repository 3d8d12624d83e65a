//! A program in its own process: driven by lines over pipes, measured from outside, under limits.
//!
//! [`Process`] starts the program and exchanges lines with it through [`pipes::Pipes`]. [`account::Account`] keeps its
//! clock and its memory peak against an [`Allowance`](crate::Allowance). [`meter::Meter`] reads what the process tree
//! has used from the kernel, and suspends, resumes and kills it; [`spent::Spent`] adds up the clocks of its processes.

mod account;
mod delay;
mod meter;
mod pipe;
mod pipes;
mod program;
mod spent;
mod task;
mod waiting;

pub use meter::MemoryMeasure;
pub use program::Process;
