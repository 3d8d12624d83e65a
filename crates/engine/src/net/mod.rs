//! Nets: their files and their inference. Training is in the crate `learn`.

pub mod conv;
mod oracle;

pub use oracle::Oracle;
