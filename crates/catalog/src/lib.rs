//! The list of all agents, by game and name.
//!
//! [`prepare()`] turns an agent's spec into a [`Seat`](yarra_arena::Seat), which makes the agent any number of times.
//! [`open`] turns a match as data into one that can be run. Every game has the [`general`] agents; champions and the
//! agents of the reports come before them.

mod evals;
pub mod general;
#[cfg(all(feature = "guests", target_os = "linux"))]
mod host;
#[cfg(not(all(feature = "guests", target_os = "linux")))]
#[path = "no_host.rs"]
mod host;
mod prepare;
mod seat;

use yarra_engine::{AgentInfo, champion, zero};
use yarra_games::{GameInfo, cachex, infexion, tetress};
use yarra_reports::{entourage, insight, psotip, raccoons, tbd};

pub use evals::{EvalInfo, evals};
pub use host::Host;
pub use prepare::prepare;
pub use seat::{USUAL_MOVE_TIME, open, seat, usual_openings};

/// The agents that play only one game. A new agent needs a line here.
const SPECIAL: [(&GameInfo, &[&[AgentInfo]]); 4] = [
    (
        &infexion::INFO,
        &[champion::infexion::AGENTS, entourage::AGENTS, psotip::AGENTS, raccoons::AGENTS, zero::AGENTS],
    ),
    (&tetress::INFO, &[champion::tetress::AGENTS, insight::AGENTS, zero::AGENTS]),
    (&cachex::CACHEX, &[champion::cachex::AGENTS, tbd::AGENTS, zero::AGENTS]),
    (&cachex::HEX, &[champion::cachex::HEX_AGENTS, tbd::AGENTS, zero::AGENTS]),
];

/// The agents of a game: its champion first, then those of the reports and the general ones.
pub fn agents(game: &GameInfo) -> impl Iterator<Item = &'static AgentInfo> {
    let name = game.name;
    let special = SPECIAL.iter().filter(move |(game, _)| game.name == name);
    special.flat_map(|(_, lists)| lists.iter().copied().flatten()).chain(general::AGENTS)
}

/// The name of the strongest agent of a game.
pub fn strongest(game: &GameInfo) -> &'static str {
    let has_champion = agents(game).any(|info| info.name == "champion");
    if has_champion { "champion" } else { "deepening" }
}
