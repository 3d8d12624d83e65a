//! The values of an agent's options, checked once when a spec is read.

use std::time::Duration;

use crate::options::LIMITS;
use crate::{Limits, OptionInfo, SpecError};

/// The values of an agent's options, all checked, and the limits that its spec gives.
#[derive(Clone, Debug)]
pub struct Settings {
    options: &'static [OptionInfo],
    /// A value for each option, in the same order.
    values: Vec<Value>,
    /// Limits that the spec gives to this agent alone.
    pub limits: Limits,
}

/// A checked value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of a switch.
    Switch(bool),
    /// Of an integer or a count.
    Integer(i64),
    /// Of a number.
    Number(f64),
    /// Of a time.
    Time(Duration),
    /// Of a choice, of some words, or of a text.
    Text(String),
}

impl Settings {
    /// Reads `key=value,key=value` against the options that an agent has.
    ///
    /// # Errors
    /// A malformed pair, an unknown key or a value out of range, with what was expected.
    pub fn read(options: &'static [OptionInfo], text: &str) -> Result<Settings, SpecError> {
        Settings::new(options, &read_pairs(text)?)
    }

    /// Checks pairs of keys and values against the options that an agent has.
    ///
    /// # Errors
    /// An unknown key or a value out of range, with what was expected.
    pub fn new(options: &'static [OptionInfo], pairs: &[(String, String)]) -> Result<Settings, SpecError> {
        let mut settings = Settings::defaults(options);
        for (key, text) in pairs {
            if let Some(idx) = options.iter().position(|option| option.name == key) {
                settings.values[idx] = options[idx].read(text)?;
            } else if let Some(limit) = LIMITS.iter().find(|limit| limit.name == key) {
                settings.limits.set(limit, text)?;
            } else {
                let names: Vec<_> = options.iter().chain(&LIMITS).map(|option| option.name).collect();
                return Err(SpecError::new(format!("no option {key:?}; there are {}", names.join(", "))));
            }
        }
        Ok(settings)
    }

    /// All options at their defaults.
    ///
    /// # Panics
    /// If an option was declared with a default that it does not take.
    pub fn defaults(options: &'static [OptionInfo]) -> Settings {
        let default = |option: &OptionInfo| {
            option.read(option.default).unwrap_or_else(|error| panic!("default of {error}"))
        };
        let values = options.iter().map(default).collect();
        Settings { options, values, limits: Limits::default() }
    }

    /// Whether the agent has an option of this name.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }

    /// The value of an option as a type of its kind: `bool` for a switch, a type of integers that holds its whole
    /// range, `f64`, [`Duration`], or `&str` for words.
    ///
    /// # Panics
    /// If the option was not declared, or with another kind.
    pub fn get<'a, T: OptionValue<'a>>(&'a self, name: &str) -> T {
        let idx = self.options.iter().position(|option| option.name == name);
        let idx = idx.unwrap_or_else(|| panic!("no option {name} was declared"));
        T::of(&self.values[idx]).unwrap_or_else(|| panic!("option {name} was declared with another kind"))
    }

    /// The value of an option, or another value if the agent has no such option.
    ///
    /// # Panics
    /// If the option was declared with another kind.
    pub fn get_or<'a, T: OptionValue<'a>>(&'a self, name: &str, other: T) -> T {
        if self.has(name) { self.get(name) } else { other }
    }
}

/// A type that values of options can be read as.
pub trait OptionValue<'a>: Sized {
    /// The value, if it is of the right kind.
    fn of(value: &'a Value) -> Option<Self>;
}

impl OptionValue<'_> for bool {
    fn of(value: &Value) -> Option<bool> {
        if let Value::Switch(is_on) = *value { Some(is_on) } else { None }
    }
}

impl OptionValue<'_> for f64 {
    fn of(value: &Value) -> Option<f64> {
        if let Value::Number(number) = *value { Some(number) } else { None }
    }
}

impl OptionValue<'_> for Duration {
    fn of(value: &Value) -> Option<Duration> {
        if let Value::Time(time) = *value { Some(time) } else { None }
    }
}

impl<'a> OptionValue<'a> for &'a str {
    fn of(value: &'a Value) -> Option<&'a str> {
        if let Value::Text(text) = value { Some(text) } else { None }
    }
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl OptionValue<'_> for $type {
            fn of(value: &Value) -> Option<$type> {
                if let Value::Integer(n) = *value { n.try_into().ok() } else { None }
            }
        })*
    };
}

integers!(u8 u32 u64 usize i32);

impl Limits {
    /// Sets the limit of an entry of [`LIMITS`].
    fn set(&mut self, limit: &OptionInfo, text: &str) -> Result<(), SpecError> {
        match (limit.name, limit.read(text)?) {
            ("depth", Value::Integer(n)) => self.depth = n.try_into().ok(),
            ("nodes", Value::Integer(n)) => self.nodes = n.try_into().ok(),
            ("movetime", Value::Time(time)) => self.move_time = Some(time),
            ("clock", Value::Time(time)) => self.clock = Some(time),
            _ => unreachable!("all entries of LIMITS are here"),
        }
        Ok(())
    }
}

/// Reads `key=value,key=value`.
///
/// # Errors
/// A malformed pair, or a key that is given twice.
pub(crate) fn read_pairs(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in text.split(',').filter(|pair| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(SpecError::new(format!("expected `key=value`, found {pair:?}")));
        };
        if pairs.iter().any(|(given, _)| given == key) {
            return Err(SpecError::new(format!("{pair}: expected {key} only once")));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}
