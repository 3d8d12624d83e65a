//! Evaluations that need the position alone, and how they become an [`Evaluator`].

use std::sync::Arc;

use yarra_games::{Game, Move, Outcome};

use super::{Evaluator, Term, usual_end};
use crate::Score;

/// An evaluation without state: most hand-made ones. Object-safe, so that agents can be put together by name.
pub trait Judge<G: Game>: Send + Sync {
    /// The value of a position for the player to move. The game is not over there.
    fn value(&self, pos: &G) -> Score;

    /// The terms of the evaluation, for people; their sum is the value for red.
    fn terms(&self, pos: &G) -> Vec<Term>;

    /// The value of a game's end for the player to move, `n_plies` after the root.
    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        usual_end(pos, outcome, n_plies)
    }
}

impl<G: Game> Evaluator<G> for Arc<dyn Judge<G>> {
    type State = ();

    fn root(&self, _: &G) {}

    fn value(&self, (): &(), pos: &G) -> Score {
        Judge::value(&**self, pos)
    }

    fn terms(&self, pos: &G) -> Vec<Term> {
        Judge::terms(&**self, pos)
    }

    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        Judge::ended(&**self, pos, outcome, n_plies)
    }
}

/// A judge whose type is known at compile time: saves a virtual call per leaf.
#[derive(Clone, Copy, Debug)]
pub struct Direct<J>(pub J);

impl<G: Game, J: Judge<G>> Evaluator<G> for Direct<J> {
    type State = ();

    #[inline(always)]
    fn root(&self, _: &G) {}

    #[inline(always)]
    fn child(&self, (): &(), _: &G, _: Move, _: &G) {}

    #[inline(always)]
    fn value(&self, (): &(), pos: &G) -> Score {
        self.0.value(pos)
    }

    fn terms(&self, pos: &G) -> Vec<Term> {
        self.0.terms(pos)
    }

    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        self.0.ended(pos, outcome, n_plies)
    }
}
