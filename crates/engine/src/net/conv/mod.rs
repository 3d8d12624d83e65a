//! Policy-value nets: convolutions over the cells of a board, for every game and size.
//!
//! A [`NetInput`] is a position as the net sees it, always from the view of the player to move, and the same type
//! for every game. [`NetGame`] makes it. A [`ConvNet`] has named tensors whose shapes follow from a [`NetShape`];
//! [`Trace`] holds the activations of one evaluation. [`NetOracle`] is a net as an
//! [`Oracle`](super::Oracle) for a search.
//!
//! Every array is a list of [`Lanes`], filters innermost, so that plain loops compile to vector instructions.

mod games;
mod geometry;
mod input;
pub mod kernels;
pub mod lanes;

pub use geometry::{Geometry, Grid};
pub use input::{N_SCALARS, NetGame, NetInput};
