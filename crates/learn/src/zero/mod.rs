//! Recipe `zero`: a policy-value net that learns from its own games, in the way of AlphaZero, on a few cores.
//!
//! A round plays games with the net as it is ([`play`]), keeps them in a few bytes a move ([`game`]), and takes training
//! steps on samples of the last games ([`window`]). Now and then it measures the net against named opponents, and keeps
//! the best one. The search is `yarra_engine::zero`; nets and their training are `yarra_engine::net::conv` and
//! [`conv`](crate::conv).

pub mod game;
mod measure;
mod options;
pub mod play;
mod recipe;
mod smooth;
#[cfg(test)]
mod tests;
pub mod window;
mod work;

pub use recipe::INFO;
