//! External agents run on Linux only.

use yarra_catalog::Host;
use yarra_engine::AgentSpec;

/// No options: there are no external agents.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct HostArgs {}

impl HostArgs {
    /// A host that rejects every external agent.
    ///
    /// # Errors
    /// Never; the signature matches that on Linux.
    pub fn host(&self) -> anyhow::Result<Host> {
        Ok(Host)
    }

    /// No limit is unused, because there is none.
    pub fn unused_limit<'a>(&self, _agents: impl Iterator<Item = &'a AgentSpec>) -> Option<&'static str> {
        None
    }
}
