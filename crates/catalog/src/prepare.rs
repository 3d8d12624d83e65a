//! Agents from their specs.

use yarra_arena::Seat;
use yarra_engine::{AgentSpec, Settings, SpecError};
use yarra_games::{GameSpec, Position};

use crate::agents;
use crate::host::{self, Host};

/// Checks the spec of an agent for the game of a position. The seat has the limits in the spec; external agents have
/// none: they play under the limits of their host.
///
/// # Errors
/// If the spec is invalid, with what was expected.
pub fn prepare(spec: &AgentSpec, pos: &dyn Position, host: &Host) -> Result<Seat<'static>, SpecError> {
    if spec.is_external() {
        return host::prepare(spec, pos, host);
    }
    let about = |error| SpecError::new(format!("agent {:?}: {error}", spec.as_str()));
    let Some(info) = agents(pos.info()).find(|info| info.name == spec.name()) else {
        return Err(unknown(spec.name(), pos.spec()));
    };
    let settings = Settings::new(info.options, spec.options()).map_err(about)?;
    let factory = (info.prepare)(pos, &settings).map_err(about)?;
    let make = Box::new(move |seed| Ok(factory(seed)));
    Ok(Seat { limits: settings.limits, hears_limits: true, guest: None, make })
}

/// Lists the known names, the most similar first.
fn unknown(name: &str, game: GameSpec) -> SpecError {
    let mut names: Vec<_> = agents(game.info()).map(|info| info.name).collect();
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
