//! Evaluations: the value of a position without search.

mod judge;

use yarra_games::{Game, Move, Outcome, Player};

use crate::Score;
use crate::search::ScoredMoves;
pub use judge::{Direct, Judge};

/// An evaluation with a state that a search carries down the tree, such as the accumulator of a net.
///
/// Champions call everything but [`terms`](Evaluator::terms) at every node: mark it `#[inline(always)]`, or it is
/// compiled for the oldest CPU. The search builds states in place and passes them by reference, so that they need not
/// be `Copy` and a large one costs no copies.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What the search carries beside the position; `()` if there is nothing to carry.
    type State;

    /// The state of a position, computed from scratch.
    fn root(&self, pos: &G) -> Self::State;

    /// The state after a move. The law is `child(&root(before), before, m, after) == root(after)`.
    #[inline(always)]
    fn child(&self, state: &Self::State, before: &G, m: Move, after: &G) -> Self::State {
        let _ = (state, before, m);
        self.root(after)
    }

    /// The value of a position for the player to move. The game is not over there.
    fn value(&self, state: &Self::State, pos: &G) -> Score;

    /// The terms of the evaluation in red's view, for people; empty if it has no terms.
    fn terms(&self, pos: &G) -> Vec<Term> {
        let _ = pos;
        Vec::new()
    }

    /// The value of a game's end for the player to move, `n_plies` after the root.
    #[inline(always)]
    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        usual_end(pos, outcome, n_plies)
    }
}

/// An evaluation that also generates and scores the moves of a [`Pvs`](crate::Pvs) search.
pub trait MoveSource<G: Game>: Evaluator<G> {
    /// Adds the captures, each with its gain in hundredths: the search tries the best first.
    fn captures(&self, state: &Self::State, pos: &G, moves: &mut ScoredMoves);

    /// Adds all other moves, each with a score of at most a few thousand either way: the history is added to it. May
    /// note in the state what helps [`child`](Evaluator::child), which must not change a value.
    fn quiets(&self, state: &mut Self::State, pos: &G, moves: &mut ScoredMoves);

    /// What a move captures, in hundredths of the evaluation; 0 or less for a quiet one.
    fn gain(&self, state: &Self::State, pos: &G, m: Move) -> i32;

    /// Whether a move of another position is legal here. The game is not over.
    fn is_legal(&self, pos: &G, m: Move) -> bool;

    /// The position after a null move; `None` where passing could be better than any move.
    #[inline(always)]
    fn null_move(&self, pos: &G) -> Option<G> {
        let _ = pos;
        None
    }

    /// The state after a null move. The law is `null_child(&root(before), before, after) == root(after)`.
    #[inline(always)]
    fn null_child(&self, state: &Self::State, before: &G, after: &G) -> Self::State {
        let _ = (state, before);
        self.root(after)
    }
}

/// The value of a game's end by its winner alone.
#[inline(always)]
pub(crate) fn usual_end<G: Game>(pos: &G, outcome: Outcome, n_plies: u32) -> Score {
    match outcome.winner {
        None => Score::DRAW,
        Some(winner) if winner == pos.turn() => Score::win_in(n_plies),
        Some(_) => -Score::win_in(n_plies),
    }
}

/// One term of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// Red's amount.
    pub red: f64,
    /// Blue's amount.
    pub blue: f64,
    /// The value of one.
    pub weight: f64,
}

impl Term {
    /// The term's share of red's score.
    pub fn value(&self) -> f64 {
        self.weight * (self.red - self.blue)
    }
}

/// The sum of terms for the player to move.
pub fn sum_of(terms: &[Term], turn: Player) -> Score {
    for_turn(Score::from_units(terms.iter().map(Term::value).sum()), turn)
}

/// A score in red's view as a score for the player to move.
#[inline(always)]
pub fn for_turn(red_score: Score, turn: Player) -> Score {
    match turn {
        Player::Red => red_score,
        Player::Blue => -red_score,
    }
}
