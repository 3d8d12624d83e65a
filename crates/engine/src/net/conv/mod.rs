//! Policy-value nets: convolutions over the cells of a board, for every game and size.
//!
//! A [`NetInput`] is a position as the net sees it, always from the view of the player to move, and the same type
//! for every game. [`NetGame`] makes it. A [`ConvNet`] has named tensors whose shapes follow from a [`NetShape`];
//! [`Trace`] holds the activations of one evaluation. [`NetOracle`] is a net as an
//! [`Oracle`](super::Oracle) for a search.
//!
//! The net: an input layer that looks up weights by the codes of the cells around each cell; residual blocks of two
//! convolutions; in their middle, a layer that tells each cell the means and maxima of its lines (Tetress) or of the whole
//! board; a policy of one logit for each kind of move and cell; and from means and maxima of the whole board the
//! logit of the steal, the expected result and the expected lead.
//!
//! Every array is a list of [`Lanes`], filters innermost, so that plain loops compile to vector instructions.

mod forward;
mod games;
mod geometry;
mod input;
pub mod kernels;
pub mod lanes;
mod list;
mod net;
mod oracle;
pub mod shape;
mod symmetry;
#[cfg(test)]
mod tests;

pub use forward::Trace;
pub use geometry::{Geometry, Grid};
pub use input::{N_SCALARS, NetGame, NetInput};
pub use lanes::{Lanes, N_LANES};
pub use list::net_game;
pub use net::{ConvNet, KIND};
pub use oracle::NetOracle;
pub use shape::{Layout, NetShape};
pub use symmetry::Symmetry;
