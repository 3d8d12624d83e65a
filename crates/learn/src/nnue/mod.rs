//! Recipe `nnue`.

pub mod counts;
pub mod games;
pub mod play;
