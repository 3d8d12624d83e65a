//! Report 003, Cachex.

use yarra_engine::AgentInfo;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[];
