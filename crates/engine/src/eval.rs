//! Judging a position without looking ahead.

use std::sync::Arc;

use yarra_games::{Game, Outcome, Player};

use crate::Score;

/// A judgment that a search can carry down the tree, as nets do.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What travels down the tree beside the position; `()` if nothing does.
    type State: Clone;

    /// The state of a position, worked out from nothing.
    fn root(&self, pos: &G) -> Self::State;

    /// The state after a move. Law: `child(root(a), a, b) == root(b)`.
    fn child(&self, state: &Self::State, before: &G, after: &G) -> Self::State;

    /// How good a position is for the player to move. The game is not over there.
    fn value(&self, state: &Self::State, pos: &G) -> Score;

    /// The same for people, term by term in red's view; empty if it has no terms.
    fn terms(&self, pos: &G) -> Vec<Term> {
        let _ = pos;
        Vec::new()
    }

    /// What the end of a game is worth to the player to move, `n_plies` after the root.
    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        usual_end(pos, outcome, n_plies)
    }
}

/// A judgment from the position alone: most hand-made ones. Object-safe, so that agents can be put
/// together by name.
pub trait Judge<G: Game>: Send + Sync {
    /// What a position is worth to the player to move. The game is not over there.
    fn value(&self, pos: &G) -> Score;

    /// The same for people, term by term; their sum is red's view of the position.
    fn terms(&self, pos: &G) -> Vec<Term>;

    /// What the end of a game is worth to the player to move, `n_plies` after the root.
    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        usual_end(pos, outcome, n_plies)
    }
}

impl<G: Game> Evaluator<G> for Arc<dyn Judge<G>> {
    type State = ();

    fn root(&self, _: &G) {}

    fn child(&self, (): &(), _: &G, _: &G) {}

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

/// A judge whose type is known when the program is compiled: saves a search the call at every leaf.
#[derive(Clone, Copy, Debug)]
pub struct Direct<J>(pub J);

impl<G: Game, J: Judge<G>> Evaluator<G> for Direct<J> {
    type State = ();

    fn root(&self, _: &G) {}

    #[inline(always)]
    fn child(&self, (): &(), _: &G, _: &G) {}

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

#[inline(always)]
pub(crate) fn usual_end<G: Game>(pos: &G, outcome: Outcome, n_plies: u32) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if winner == pos.turn() => Score::win_in(n_plies),
        Some(_) => -Score::win_in(n_plies),
    }
}

/// One feature of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// How much of it red has.
    pub red: f64,
    /// How much of it blue has.
    pub blue: f64,
    /// What one more is worth.
    pub weight: f64,
}

impl Term {
    /// What the term adds to red's score.
    pub fn value(&self) -> f64 {
        self.weight * (self.red - self.blue)
    }
}

/// The score that some terms give to the player to move.
pub fn sum_of(terms: &[Term], turn: Player) -> Score {
    for_turn(Score::from_units(terms.iter().map(Term::value).sum()), turn)
}

/// Turns a score in red's view into that of the player to move.
#[inline(always)]
pub fn for_turn(red_score: Score, turn: Player) -> Score {
    match turn {
        Player::Red => red_score,
        Player::Blue => -red_score,
    }
}
