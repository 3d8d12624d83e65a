//! Recipe `nnue`.

pub mod adam;
pub mod counts;
pub mod games;
pub mod play;
pub mod samples;
pub mod train;
