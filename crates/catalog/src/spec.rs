//! Agents from their specs: `NAME` or `NAME:key=value,key=value`.

use yarra_guests::Host;
use yarra_engine::{Agent, AgentInfo, Limits, Settings, SpecError};
use yarra_games::Position;

use crate::agents;

/// Makes the agent of a spec for the game of a position. The limits are the spec's own; strangers' agents have
/// none here, as they play under those of their host.
///
/// # Errors
/// Says what would be right.
pub fn make(
    spec: &str,
    pos: &dyn Position,
    seed: u64,
    host: &Host,
) -> Result<(Box<dyn Agent>, Limits), SpecError> {
    if Host::is_asked(spec) {
        return Ok((host.guest(spec, pos)?.seat(), Limits::default()));
    }
    let (info, settings) = read(spec, pos, seed)?;
    let agent = (info.make)(pos, &settings).map_err(|error| about(spec, error))?;
    Ok((agent, settings.limits))
}

/// The limits of a spec, once it is sure that its agent can be made.
///
/// # Errors
/// Says what would be right.
pub fn check(spec: &str, pos: &dyn Position, host: &Host) -> Result<Limits, SpecError> {
    make(spec, pos, 0, host).map(|(_, limits)| limits)
}

fn read(spec: &str, pos: &dyn Position, seed: u64) -> Result<(&'static AgentInfo, Settings), SpecError> {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let game = pos.spec();
    let Some(info) = agents(&game).find(|info| info.name == name) else {
        return Err(unknown(name, &game));
    };
    let settings = Settings::read(info.options, options, seed).map_err(|error| about(spec, error))?;
    Ok((info, settings))
}

fn about(spec: &str, error: SpecError) -> SpecError {
    SpecError::new(format!("agent {spec:?}: {error}"))
}

/// Lists the names there are, the nearest first.
fn unknown(name: &str, game: &str) -> SpecError {
    let mut names: Vec<_> = agents(game).map(|info| info.name).collect();
    names.sort_by_key(|known| distance(known, name));
    SpecError::new(format!("no agent {name:?} plays {game}; there are {}", names.join(", ")))
}

/// How many letters must be changed, added or left out to make one word the other.
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
