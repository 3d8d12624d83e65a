//! Nets: their files and their inference. Training is in the crate `learn`.

pub mod conv;
pub mod file;
pub mod nnue;
mod oracle;

pub use file::{NetError, NetFile, Tensor, TensorData};
pub use oracle::Oracle;
