//! Who sits at the board, and the agents among them.

use yarra_arena::Side;
use yarra_arena::foreign::Host;
use yarra_engine::AgentSpec;
use yarra_games::{Player, Position, Record};

use crate::draw::Style;

/// The spec of a person at this terminal.
pub const HUMAN: &str = "human";

/// Who plays, and how it is shown.
pub struct Table {
    /// Red's spec, then blue's: `human` or an agent.
    pub seats: [AgentSpec; 2],
    /// Where the agents' randomness comes from, if there are any.
    pub seed: Option<u64>,
    /// Whether agents say what they think.
    pub thinks_aloud: bool,
    /// How strangers' agents are received.
    pub host: Host,
    /// How boards are drawn.
    pub style: Style,
}

impl Table {
    /// Whether a person chooses the moves of a color.
    pub fn is_human(&self, player: Player) -> bool {
        self.seats[player as usize].as_str() == HUMAN
    }

    /// Fresh agents for a game that begins, or goes on, where it stands; nobody where a person sits.
    pub fn agents(&self, game: &Record) -> anyhow::Result<[Option<Side>; 2]> {
        let mut sides = [None, None];
        for player in Player::BOTH.into_iter().filter(|&player| !self.is_human(player)) {
            let mut side = self.agent(player, game.now())?;
            side.begin(player, game).map_err(|fault| anyhow::anyhow!("{player}: {fault}"))?;
            sides[player as usize] = Some(side);
        }
        Ok(sides)
    }

    fn agent(&self, player: Player, pos: &dyn Position) -> anyhow::Result<Side> {
        // Two agents of one kind should not play the same randomness.
        let seed = self.seed.unwrap_or_default().wrapping_mul(2).wrapping_add(player as u64);
        let (agent, limits) = yarra_catalog::make(&self.seats[player as usize], pos, seed, &self.host)?;
        Ok(Side::new(agent, limits))
    }
}
