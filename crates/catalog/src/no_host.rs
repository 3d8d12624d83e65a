//! Replaces `host.rs` on systems without external agents.

use yarra_arena::Seat;
use yarra_engine::{AgentSpec, SpecError};
use yarra_games::Position;

/// Runs no external agents: their sandbox needs Linux.
#[derive(Debug, Default)]
pub struct Host;

/// Rejects every external agent.
pub fn prepare(spec: &AgentSpec, _: &dyn Position, _: &Host) -> Result<Seat<'static>, SpecError> {
    Err(SpecError::new(format!("agent {:?}: external agents run on Linux only", spec.as_str())))
}
