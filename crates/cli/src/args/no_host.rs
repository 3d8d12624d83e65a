//! External agents run on Linux only.

use yarra_catalog::Host;

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
}
