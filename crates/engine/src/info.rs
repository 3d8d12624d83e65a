//! Agents by name: what people read about them, and how they are made from options.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use yarra_games::{Game, Position};

use crate::{Agent, Limits};

/// An agent that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The name, such as `entourage`.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Where it is described, such as `report 000, Our approach`; empty for the general ones.
    pub source: &'static str,
    /// What can be chosen, each with its default.
    pub options: &'static [OptionInfo],
    /// Makes the agent for the game that a position belongs to.
    pub make: Make,
}

/// Makes an agent for the game that a position belongs to.
pub type Make = fn(&dyn Position, &Settings) -> Result<Box<dyn Agent>, SpecError>;

/// One option of an agent.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name, such as `depth`.
    pub name: &'static str,
    /// The value if none is given.
    pub default: &'static str,
    /// One line about it.
    pub about: &'static str,
}

impl OptionInfo {
    /// The same option with another default.
    pub const fn with(self, default: &'static str) -> OptionInfo {
        OptionInfo { default, ..self }
    }
}

/// What was chosen for an agent: `key=value` pairs, limits of its own, and a seed.
#[derive(Clone, Debug)]
pub struct Settings {
    options: &'static [OptionInfo],
    values: BTreeMap<String, String>,
    /// Limits that the spec gives to this agent alone.
    pub limits: Limits,
    /// Where the agent's randomness comes from.
    pub seed: u64,
}

/// Limits that every agent takes beside its own options.
pub const LIMITS: [OptionInfo; 4] = [
    OptionInfo { name: "depth", default: "", about: "plies to look ahead" },
    OptionInfo { name: "nodes", default: "", about: "positions (or playouts) to look at a move" },
    OptionInfo { name: "movetime", default: "", about: "time for a move, as in `100ms` or `2s`" },
    OptionInfo { name: "clock", default: "", about: "time for a whole game, as in `180s`" },
];

impl Settings {
    /// Reads `key=value,key=value` against the options that an agent has.
    ///
    /// # Errors
    /// An unknown key or a malformed pair, with what would be right.
    pub fn read(options: &'static [OptionInfo], text: &str, seed: u64) -> Result<Settings, SpecError> {
        let mut settings = Settings { options, values: BTreeMap::new(), limits: Limits::default(), seed };
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(SpecError::new(format!("expected `key=value`, found {pair:?}")));
            };
            if settings.has(key) {
                settings.values.insert(key.to_owned(), value.to_owned());
            } else if !settings.limits.set(key, value)? {
                let names: Vec<_> = options.iter().chain(&LIMITS).map(|option| option.name).collect();
                let message = format!("no option {key:?}; there are {}", names.join(", "));
                return Err(SpecError::new(message));
            }
        }
        Ok(settings)
    }

    /// Whether the agent has an option of this name.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }

    /// Whether an option is `on` rather than `off`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn is_on(&self, name: &str) -> Result<bool, SpecError> {
        match self.get::<String>(name)?.as_str() {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(SpecError::new(format!("{name}={other}: expected on or off"))),
        }
    }

    /// The value of an option, or its default.
    ///
    /// # Errors
    /// If the value is not of the right kind.
    ///
    /// # Panics
    /// If the agent has no such option, or its default is not of the right kind.
    pub fn get<T: FromStr>(&self, name: &str) -> Result<T, SpecError> {
        let option = self.options.iter().find(|option| option.name == name);
        let option = option.unwrap_or_else(|| panic!("no option {name} was declared"));
        let Some(value) = self.values.get(name) else {
            let default = option.default.parse().ok();
            return Ok(default.unwrap_or_else(|| panic!("the default of {name} is of the wrong kind")));
        };
        let wrong = || SpecError::new(format!("{name}={value}: expected a value like {}", option.default));
        value.parse().map_err(|_| wrong())
    }
}

impl Limits {
    /// Sets one limit by its name; `false` if there is none of that name.
    ///
    /// # Errors
    /// If the value is not of the right kind.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, SpecError> {
        let wrong = |kind| SpecError::new(format!("{name}={value}: expected {kind}"));
        match name {
            "depth" => self.depth = Some(value.parse().map_err(|_| wrong("a number of plies"))?),
            "nodes" => self.nodes = Some(value.parse().map_err(|_| wrong("a number of positions"))?),
            "movetime" => self.move_time = Some(read_duration(value)?),
            "clock" => self.clock = Some(read_duration(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Makes sure that an agent is made for a position of its own game.
///
/// # Errors
/// Names both games if they differ.
pub fn expect_game<G: Game>(agent: &str, pos: &dyn Position) -> Result<(), SpecError> {
    if (pos as &dyn std::any::Any).is::<G>() {
        return Ok(());
    }
    Err(SpecError::new(format!("{agent} plays {}, not {}", G::NAME, pos.spec())))
}

/// Reads `100ms`, `2s`, `1.5s` or `3m`.
///
/// # Errors
/// Says what a duration looks like.
pub fn read_duration(text: &str) -> Result<Duration, SpecError> {
    let wrong = || SpecError::new(format!("{text:?}: expected a time like `100ms`, `2s` or `3m`"));
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(unit_at);
    let seconds_per_unit = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds_per_unit).map_err(|_| wrong())
}

/// A spec that names no agent, with what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    message: String,
}

impl SpecError {
    /// An error for people.
    pub fn new(message: impl Into<String>) -> SpecError {
        SpecError { message: message.into() }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}
