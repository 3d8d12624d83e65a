//! What a search asks a policy-value net.

use yarra_games::{Game, Move};

/// Evaluates positions for a search: which moves look good, and who is likely to win.
pub trait Oracle<G: Game>: Send {
    /// Writes the logits of `moves`, which are the legal moves in ascending order, into `logits` (cleared first).
    /// Returns the expected result for the player to move, from -1 to 1.
    fn evaluate(&mut self, pos: &G, moves: &[Move], logits: &mut Vec<f32>) -> f32;
}
