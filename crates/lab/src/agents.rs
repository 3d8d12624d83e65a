//! Agents by their specs.

use anyhow::Context;
use yarra_catalog::{Host, prepare};
use yarra_engine::{Agent, Limits};
use yarra_games::Position;

/// The agent of a spec, with the limits that the spec names.
pub fn agent(spec: &str, pos: &dyn Position, seed: u64) -> anyhow::Result<(Box<dyn Agent>, Limits)> {
    let prepared = prepare(&spec.parse()?, pos, &Host::default())?;
    Ok(((prepared.make)(seed)?, prepared.limits))
}

/// The champion of a position's game, with options such as `table=4`.
pub fn champion(options: &str, pos: &dyn Position) -> anyhow::Result<Box<dyn Agent>> {
    let (agent, _) = agent(&format!("champion:{options}"), pos, 0).context("cannot make the champion")?;
    Ok(agent)
}

/// A limit of nodes per move.
pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}
