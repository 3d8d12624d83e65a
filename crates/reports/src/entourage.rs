//! Report 000, Infexion.

use yarra_engine::AgentInfo;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[];
