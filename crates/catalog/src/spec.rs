//! Agents from their specs.

use yarra_arena::foreign::{Guest, Host};
use yarra_engine::spec::Factory;
use yarra_engine::{Agent, AgentSpec, Limits, Settings, SpecError};
use yarra_games::Position;

use crate::agents;

/// An agent that is known to exist, with its options read: it can be made any number of times.
pub struct Recipe {
    spec: AgentSpec,
    limits: Limits,
    source: Source,
}

enum Source {
    Own(Factory),
    External(Box<Guest>),
}

/// Reads the spec of an agent for the game of a position.
///
/// # Errors
/// An unknown name, a wrong option, a wrong game or a program that cannot be started, with what was expected.
pub fn prepare(spec: &AgentSpec, pos: &dyn Position, host: &Host) -> Result<Recipe, SpecError> {
    if spec.is_external() {
        let source = Source::External(Box::new(host.guest(spec, pos)?));
        return Ok(Recipe { spec: spec.clone(), limits: Limits::default(), source });
    }
    let game = pos.spec();
    let Some(info) = agents(&game).find(|info| info.name == spec.name()) else {
        return Err(unknown(spec.name(), &game));
    };
    let settings = Settings::new(info.options, spec.options()).map_err(|error| about(spec, error))?;
    let factory = (info.prepare)(pos, &settings).map_err(|error| about(spec, error))?;
    Ok(Recipe { spec: spec.clone(), limits: settings.limits, source: Source::Own(factory) })
}

/// Makes one agent, with the limits of its spec.
///
/// # Errors
/// As [`prepare`].
pub fn make(
    spec: &AgentSpec,
    pos: &dyn Position,
    seed: u64,
    host: &Host,
) -> Result<(Box<dyn Agent>, Limits), SpecError> {
    let recipe = prepare(spec, pos, host)?;
    Ok((recipe.make(seed), recipe.limits))
}

impl Recipe {
    /// The spec that was read.
    pub fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// The limits that the spec gives; none for external agents, which play under those of their host.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The external agent, if it is one.
    pub fn guest(&self) -> Option<&Guest> {
        match &self.source {
            Source::Own(_) => None,
            Source::External(guest) => Some(guest),
        }
    }

    /// Makes the agent; its randomness follows from the seed.
    pub fn make(&self, seed: u64) -> Box<dyn Agent> {
        match &self.source {
            Source::Own(factory) => factory(seed),
            Source::External(guest) => guest.seat(),
        }
    }
}

fn about(spec: &AgentSpec, error: SpecError) -> SpecError {
    SpecError::new(format!("agent {:?}: {error}", spec.as_str()))
}

/// Lists the known names, the most similar first.
fn unknown(name: &str, game: &str) -> SpecError {
    let mut names: Vec<_> = agents(game).map(|info| info.name).collect();
    names.sort_by_key(|known| distance(known, name));
    SpecError::new(format!("no agent {name:?} plays {game}; there are {}", names.join(", ")))
}

/// The Levenshtein distance of two words.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.chars().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_letters() {
        for (a, b, n) in [("", "", 0), ("mcts", "", 4), ("", "mcts", 4), ("minimax", "minmax", 1)] {
            assert_eq!(distance(a, b), n, "{a} {b}");
        }
        assert_eq!(distance("negamax", "negascout"), 5);
    }
}
