//! External agents, run by `yarra-guests`.

use yarra_engine::{AgentSpec, Limits, SpecError};
use yarra_games::Position;
pub use yarra_guests::Host;

use crate::Prepared;

/// Prepares an external agent.
pub fn prepare(spec: &AgentSpec, pos: &dyn Position, host: &Host) -> Result<Prepared, SpecError> {
    let guest = host.guest(spec, pos)?;
    Ok(Prepared {
        limits: Limits::default(),
        hears_limits: guest.hears_limits(),
        guest: Some(guest.saved()),
        make: Box::new(move |_| Ok(guest.seat())),
    })
}
