//! Report 004, Agent 1: Simplified AlphaZero. The network, its search and the agent; its training is in the crate
//! `learn`.
//!
//! The report and the team's program differ. The words of the report decide, and the program's numbers fill the gaps.
//! What makes the original fail can be chosen or repaired, one fault at a time: [`design`] says what there is.

mod agent;
pub mod design;
mod file;
pub mod math;
mod net;
mod planes;
mod search;

use yarra_games::infexion::Infexion;
use yarra_games::{Move, Player, Position};

pub use agent::{AGENT, Zero};
pub use design::{Design, Init, Padding, Policy, View};
pub use file::{KIND, Word};
pub use net::{Activations, Net, softmax};
pub use planes::{N_CELLS, N_PLANES, Planes};
pub use search::{Rule, Search, match_temperature, result_for};

/// The weight of the priors in the search, in the team's program.
pub const EXPLORATION: f32 = 1.0;

impl Net {
    /// The priors of some moves, which sum to 1.
    pub fn priors(&self, logits: &[f32], moves: &[Move]) -> Vec<f32> {
        let logits: Vec<f32> = moves.iter().map(|m| logits[usize::from(m.0)]).collect();
        match self.design.policy {
            Policy::Softmax => softmax(&logits),
            Policy::Sigmoid => {
                let outputs: Vec<f32> = logits.iter().map(|&x| math::sigmoid(x)).collect();
                // Outputs may all be almost 0: then there is nothing to choose between them.
                let sum = outputs.iter().sum::<f32>().max(f32::MIN_POSITIVE);
                outputs.iter().map(|output| output / sum).collect()
            }
        }
    }

    /// A value or a result of the net's view for the player to move, and the reverse.
    #[inline(always)]
    pub fn value_for_mover(&self, pos: &Infexion, value: f32) -> f32 {
        if self.design.view == View::Red && pos.turn() == Player::Blue { -value } else { value }
    }
}
