//! Games and agents by name: the one list.
//!
//! An agent is asked for by a spec, `NAME` or `NAME:key=value,key=value`, which [`make`] turns into the
//! agent and the limits of its own. Every game has the [`general`] agents; those of the reports stand
//! beside them.

mod evals;
pub mod general;
mod paced;
mod spec;

use yarra_engine::{AgentInfo, champion};
use yarra_reports::{entourage, insight, psotip, raccoons, tbd};

pub use evals::{EvalInfo, evals};
pub use spec::{check, make};

/// The agents that play one game only, by the game's name. A new one is a line here.
const SPECIAL: [(&str, &[&[AgentInfo]]); 4] = [
    ("infexion", &[champion::infexion::AGENTS, entourage::AGENTS, psotip::AGENTS, raccoons::AGENTS]),
    ("tetress", &[champion::tetress::AGENTS, insight::AGENTS]),
    ("cachex", &[champion::cachex::AGENTS, tbd::AGENTS]),
    ("hex", &[champion::cachex::AGENTS, tbd::AGENTS]),
];

/// The agents of a game such as `cachex` or `cachex:9`: its champion first, then those of the
/// reports and the general ones.
pub fn agents(game: &str) -> impl Iterator<Item = &'static AgentInfo> {
    let name = game.split(':').next().unwrap_or_default().to_owned();
    let special = SPECIAL.iter().filter(move |(game, _)| *game == name);
    special.flat_map(|(_, lists)| lists.iter().copied().flatten()).chain(general::AGENTS)
}
