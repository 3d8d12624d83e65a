//! What a search asks a policy-value net.

use yarra_games::{Move, Position};

/// Evaluates positions for a search: which moves look good, and who is likely to win. One evaluation costs far more than
/// a virtual call, so that neither an oracle nor its search is generic over the game.
pub trait Oracle: Send {
    /// Whether the position is one of a game that the oracle knows.
    fn plays(&self, pos: &dyn Position) -> bool;

    /// Writes the logits of `moves`, which are the legal moves in ascending order, into `logits` (cleared first).
    /// Returns the expected result for the player to move, from -1 to 1.
    fn evaluate(&mut self, pos: &dyn Position, moves: &[Move], logits: &mut Vec<f32>) -> f32;
}
