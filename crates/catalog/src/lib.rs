//! Games and agents by name: the one list.
//!
//! An [`AgentSpec`](yarra_engine::AgentSpec) asks for an agent. [`prepare`] checks it once and returns a
//! [`Recipe`], which makes the agent any number of times. Every game has the [`general`] agents; some have a
//! champion and the agents of reports as well.

mod evals;
pub mod general;
mod spec;

use yarra_engine::{AgentInfo, champion};
use yarra_reports::{entourage, insight, psotip, raccoons, tbd};

pub use evals::{EvalInfo, evals};
pub use spec::{Recipe, make, prepare};

/// The agents that play one game only, by the game's name. A game without such agents needs no line here.
const SPECIAL: [(&str, &[&[AgentInfo]]); 4] = [
    ("infexion", &[champion::infexion::AGENTS, entourage::AGENTS, psotip::AGENTS, raccoons::AGENTS]),
    ("tetress", &[champion::tetress::AGENTS, insight::AGENTS]),
    ("cachex", &[champion::cachex::AGENTS, tbd::AGENTS]),
    ("hex", &[champion::cachex::AGENTS, tbd::AGENTS]),
];

/// The agents of a game such as `cachex` or `cachex:9`: the champion first, then those of the reports and the
/// general ones.
pub fn agents(game: &str) -> impl Iterator<Item = &'static AgentInfo> {
    let name = game.split(':').next().unwrap_or_default().to_owned();
    let special = SPECIAL.iter().filter(move |(game, _)| *game == name);
    special.flat_map(|(_, lists)| lists.iter().copied().flatten()).chain(general::AGENTS)
}
