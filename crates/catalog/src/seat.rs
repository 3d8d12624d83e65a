//! From agent specs to seats, and from a match as data to one that can be run.

use std::time::Duration;

use yarra_arena::{Match, MatchSpec, Openings, Seat};
use yarra_engine::{AgentSpec, Limits, SpecError};
use yarra_games::{GameSpec, Position};

use crate::{Host, prepare};

/// The move time of an agent without any limit.
pub const USUAL_MOVE_TIME: Duration = Duration::from_millis(100);

/// An agent at the board. One of our own agents without any limit, in its spec or among the `shared` ones, gets
/// [`USUAL_MOVE_TIME`].
///
/// # Errors
/// If the spec is invalid, with what was expected.
pub fn seat(
    spec: &AgentSpec,
    pos: &dyn Position,
    shared: Limits,
    host: &Host,
) -> Result<Seat<'static>, SpecError> {
    let mut seat = prepare(spec, pos, host)?;
    if seat.guest.is_none() && seat.limits.within(shared) == Limits::default() {
        seat.limits.move_time = Some(USUAL_MOVE_TIME);
    }
    Ok(seat)
}

/// Makes a match ready to run.
///
/// # Errors
/// If its start position or one of its agents is invalid.
pub fn open(spec: MatchSpec, host: &Host) -> Result<Match<'static>, SpecError> {
    let wrong_start = |error| SpecError::new(format!("start: {error}"));
    let start = spec.start().map_err(wrong_start)?;
    let [first, second] = &spec.agents;
    let seats = [seat(first, &*start, spec.limits, host)?, seat(second, &*start, spec.limits, host)?];
    Match::new(spec, seats).map_err(wrong_start)
}

/// The default openings of a match. Games of the course start with the empty board, and so do those of external
/// agents.
pub fn usual_openings(game: GameSpec, agents: &[AgentSpec; 2]) -> Openings {
    let has_guest = agents.iter().any(AgentSpec::is_external);
    if has_guest { Openings::NONE } else { Openings::usual(game) }
}
