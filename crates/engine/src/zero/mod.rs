//! A tree search guided by an [`Oracle`](crate::net::Oracle), which gives the moves of a position logits and the position a value.
//!
//! [`GuidedSearch`] grows a tree by one evaluated position for each simulation. At the root it adds Gumbel noise to the
//! logits, if any is wanted, and shares the simulations among the likeliest moves by sequential halving; below, it
//! simulates the move that has the least of its share in the improved policy (Danihelka et al., "Policy improvement by
//! planning with Gumbel", 2022). PUCT is the alternative. The improved policy is what a net is trained to. [`Zero`] is
//! the agent.
//!
//! Values are from the view of the player to move at a node. Ends of the game are exact, and results that follow from
//! them are proven.

mod agent;
mod halving;
mod named;
mod options;
mod search;
mod select;
#[cfg(test)]
mod tests;
mod tree;

use fastrand::Rng;

pub use agent::Zero;
pub use named::AGENTS;
pub use options::{Method, SEARCH_OPTIONS, ZeroOptions};
pub use search::{GuidedSearch, RootMove};
pub use tree::Proof;

/// A random number with the standard Gumbel distribution: the largest of logits with such noise is a sample of their
/// softmax.
pub fn gumbel(rng: &mut Rng) -> f32 {
    // Neither 0 nor 1, whose logarithms are infinite.
    let uniform = (f64::from(rng.u32(..)) + 0.5) / f64::from(u32::MAX);
    -(-uniform.min(1.0 - 1e-10).ln()).ln() as f32
}
