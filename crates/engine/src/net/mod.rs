//! Nets: their files and their inference. Training is in the crate `learn`.

pub mod file;

pub use file::{NetError, NetFile, Tensor, TensorData};
