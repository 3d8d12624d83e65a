//! Champions: the strongest agent of each game.
//!
//! Infexion, Cachex and Hex have an evaluation each for [`Pvs`](crate::Pvs); Tetress has a search of its own over the
//! same frame. Every part can be switched off, so that matches can measure what it is worth.

pub mod cachex;
pub mod infexion;
pub mod net;
mod source;
pub mod tetress;
mod weights;

pub use source::KIND;
pub use weights::{FINE, Weights};
