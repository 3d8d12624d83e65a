//! Training of the convolution nets of `yarra_engine::net::conv`.
//!
//! A [`Sample`] is a position with what a search and the rest of the game said about it. A [`Trainer`] has a net and
//! the state of its optimizer, and takes steps on batches of samples. `backward` computes the gradients of one sample.

mod backward;
mod gradients;
pub mod onnx;
mod proto;
mod sample;
#[cfg(test)]
mod tests;
mod trainer;

pub use sample::Sample;
pub use trainer::{Losses, Trainer};
