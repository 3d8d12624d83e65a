//! Recipe `nnue`.

pub mod games;
pub mod play;
