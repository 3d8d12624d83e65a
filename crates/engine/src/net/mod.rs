//! Nets: their files and their inference. Training is in the crate `learn`.

pub mod file;
pub mod nnue;

pub use file::{NetError, NetFile, Tensor, TensorData};
