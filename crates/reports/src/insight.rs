//! Report 002, Tetress.

use yarra_engine::AgentInfo;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[];
