//! External agents, run by `yarra-guests`.

use yarra_arena::Seat;
use yarra_engine::{AgentSpec, Limits, SpecError};
use yarra_games::Position;
pub use yarra_guests::Host;

/// Prepares an external agent.
pub fn prepare(spec: &AgentSpec, pos: &dyn Position, host: &Host) -> Result<Seat<'static>, SpecError> {
    let guest = host.guest(spec, pos)?;
    Ok(Seat {
        limits: Limits::default(),
        hears_limits: guest.hears_limits(),
        guest: Some(guest.saved()),
        make: Box::new(move |seed| Ok(guest.seat(seed))),
    })
}
