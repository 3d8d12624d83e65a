//! From a position whose game is known only at run time to the type that nets play.

use std::any::Any;

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Position, RhombusWork, with_rhombus};

use super::NetGame;

/// Work that is generic over the games that nets play.
pub trait NetWork {
    /// The result.
    type Output;

    /// Does the work at a position of a known type.
    fn run<G: NetGame>(self, pos: &G) -> Self::Output;
}

/// Runs `work` with the concrete type of a position; `None` if no net plays its game.
pub fn with_net_game<W: NetWork>(pos: &dyn Position, work: W) -> Option<W::Output> {
    let any = pos as &dyn Any;
    if let Some(pos) = any.downcast_ref::<Infexion>() {
        return Some(work.run(pos));
    }
    if let Some(pos) = any.downcast_ref::<Tetress>() {
        return Some(work.run(pos));
    }
    with_rhombus(pos, OnRhombus(work))
}

struct OnRhombus<W>(W);

impl<W: NetWork> RhombusWork for OnRhombus<W> {
    type Output = W::Output;

    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> W::Output {
        self.0.run(pos)
    }
}
