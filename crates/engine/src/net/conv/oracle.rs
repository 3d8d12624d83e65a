//! A net as the oracle of a search.

use std::sync::Arc;

use yarra_games::{Move, Position};

use super::{ConvNet, NetInput, Symmetry, Trace, net_game};
use crate::net::Oracle;

/// A net with the memory that an evaluation needs.
#[derive(Clone, Debug)]
pub struct NetOracle {
    net: Arc<ConvNet>,
    /// Where random symmetries come from; without it, positions are seen as they are.
    rng: Option<fastrand::Rng>,
    input: NetInput,
    image: NetInput,
    indices: Vec<u16>,
    trace: Trace,
}

impl NetOracle {
    /// An oracle. With a seed, every position is seen under a random symmetry, so that the net's preferences among
    /// equal moves average out.
    pub fn new(net: Arc<ConvNet>, seed: Option<u64>) -> NetOracle {
        NetOracle {
            net,
            rng: seed.map(fastrand::Rng::with_seed),
            input: NetInput::default(),
            image: NetInput::default(),
            indices: Vec::new(),
            trace: Trace::default(),
        }
    }

    /// The net.
    pub fn net(&self) -> &Arc<ConvNet> {
        &self.net
    }

    /// The lead that the net expected at the position evaluated last, see [`NetGame::lead`](super::NetGame::lead).
    pub fn lead(&self) -> f32 {
        self.trace.lead
    }
}

impl Oracle for NetOracle {
    fn plays(&self, pos: &dyn Position) -> bool {
        self.net.game() == pos.info().name
    }

    fn evaluate(&mut self, pos: &dyn Position, moves: &[Move], logits: &mut Vec<f32>) -> f32 {
        debug_assert!(self.plays(pos), "a net plays one game");
        let pos = net_game(pos).expect("a net plays the game");
        pos.encode(&mut self.input);
        self.indices.clear();
        self.indices.extend(moves.iter().map(|&m| pos.policy_index(m)));
        let mut seen = &self.input;
        if let Some(rng) = &mut self.rng {
            let symmetry = Symmetry::random(self.net.shape().geometry, self.input.size, rng);
            symmetry.apply(&self.input, &mut self.image);
            self.indices.iter_mut().for_each(|idx| *idx = symmetry.index(*idx));
            seen = &self.image;
        }
        self.net.evaluate(seen, &self.indices, &mut self.trace);
        logits.clear();
        logits.extend(&self.trace.logits);
        let share = self.net.shape().geometry.lead_share();
        (1.0 - share) * self.trace.value + share * self.trace.lead
    }
}
