//! Options of agents, each declared once with its kind and range.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::SpecError;
use crate::settings::Value;

/// One option of an agent.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name, such as `depth`.
    pub name: &'static str,
    /// The value if none is given.
    pub default: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The values it takes.
    pub kind: OptionKind,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// `on` or `off`.
    Switch,
    /// A whole number within bounds.
    Integer {
        /// The smallest one.
        least: i64,
        /// The largest one.
        most: i64,
        /// The description, such as `a number of plies`; the bounds if it is empty.
        expected: &'static str,
    },
    /// A finite number within bounds, which are described in words.
    Number {
        /// The smallest one.
        least: f64,
        /// The largest one.
        most: f64,
        /// The description, such as `a share from 0 to 1`.
        expected: &'static str,
    },
    /// A time such as `100ms`.
    Time,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Some of these words joined by `+`, or `none`.
    Some(&'static [&'static str]),
    /// Any text; the game or the agent knows which.
    Text,
}

impl OptionInfo {
    const fn new(
        name: &'static str,
        default: &'static str,
        about: &'static str,
        kind: OptionKind,
    ) -> OptionInfo {
        OptionInfo { name, default, about, kind }
    }

    /// An option that is `on` or `off`.
    pub const fn switch(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
        OptionInfo::new(name, default, about, OptionKind::Switch)
    }

    /// A whole number of at least 0.
    pub const fn count(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
        OptionInfo::integer(name, 0..=MAX_COUNT, default, about).expecting("a whole number")
    }

    /// A whole number within a range.
    pub const fn integer(
        name: &'static str,
        range: RangeInclusive<i64>,
        default: &'static str,
        about: &'static str,
    ) -> OptionInfo {
        let kind = OptionKind::Integer { least: *range.start(), most: *range.end(), expected: "" };
        OptionInfo::new(name, default, about, kind)
    }

    /// Any finite number.
    pub const fn number(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
        let kind = OptionKind::Number { least: f64::MIN, most: f64::MAX, expected: "a finite number" };
        OptionInfo::new(name, default, about, kind)
    }

    /// A time such as `100ms`.
    pub const fn time(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
        OptionInfo::new(name, default, about, OptionKind::Time)
    }

    /// One of some words.
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        about: &'static str,
    ) -> OptionInfo {
        OptionInfo::new(name, default, about, OptionKind::Choice(words))
    }

    /// Some words joined by `+`, or `none`.
    pub const fn some(
        name: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        about: &'static str,
    ) -> OptionInfo {
        OptionInfo::new(name, default, about, OptionKind::Some(words))
    }

    /// Any text, unset by default.
    pub const fn text(name: &'static str, about: &'static str) -> OptionInfo {
        OptionInfo::new(name, "", about, OptionKind::Text)
    }

    /// The same option with another default.
    pub const fn with(self, default: &'static str) -> OptionInfo {
        OptionInfo { default, ..self }
    }

    /// The same option with another description.
    pub const fn about(self, about: &'static str) -> OptionInfo {
        OptionInfo { about, ..self }
    }

    /// The same option, but a number within bounds, which are described in words.
    pub const fn within(self, least: f64, most: f64, expected: &'static str) -> OptionInfo {
        OptionInfo { kind: OptionKind::Number { least, most, expected }, ..self }
    }

    /// The same option, but a number above 0.
    pub const fn above_zero(self) -> OptionInfo {
        self.within(f64::MIN_POSITIVE, f64::MAX, "a number above 0")
    }

    /// The same option, a whole number, with its values described in words.
    pub const fn expecting(self, expected: &'static str) -> OptionInfo {
        let OptionKind::Integer { least, most, .. } = self.kind else {
            panic!("a whole number is described")
        };
        OptionInfo { kind: OptionKind::Integer { least, most, expected }, ..self }
    }

    pub(crate) fn read(&self, text: &str) -> Result<Value, SpecError> {
        let value = match self.kind {
            OptionKind::Switch => {
                ["off", "on"].iter().position(|&word| word == text).map(|n| Value::Switch(n == 1))
            }
            OptionKind::Integer { least, most, .. } => {
                text.parse().ok().filter(|n| (least..=most).contains(n)).map(Value::Integer)
            }
            OptionKind::Number { least, most, .. } => {
                text.parse().ok().filter(|n| (least..=most).contains(n)).map(Value::Number)
            }
            OptionKind::Time => read_duration(text).ok().map(Value::Time),
            OptionKind::Choice(words) => words.contains(&text).then(|| Value::Text(text.to_owned())),
            OptionKind::Some(words) => {
                let is_known = |word: &str| word == "none" || words.contains(&word);
                text.split('+').all(is_known).then(|| Value::Text(text.to_owned()))
            }
            OptionKind::Text => Some(Value::Text(text.to_owned())),
        };
        value.ok_or_else(|| SpecError::new(format!("{}={text}: expected {}", self.name, self.expected())))
    }

    /// The values that are right, in words.
    fn expected(&self) -> String {
        match self.kind {
            OptionKind::Switch => "on or off".to_owned(),
            OptionKind::Integer { least, most, expected: "" } => format!("{least} to {most}"),
            OptionKind::Integer { expected, .. } | OptionKind::Number { expected, .. } => expected.to_owned(),
            OptionKind::Time => TIME.to_owned(),
            OptionKind::Choice([one, other]) => format!("{one} or {other}"),
            OptionKind::Choice(words) => format!("one of {}", words.join(", ")),
            OptionKind::Some(words) => format!("`none`, or some of {}", words.join("+")),
            OptionKind::Text => "a value".to_owned(),
        }
    }
}

/// The largest value of an [`OptionInfo::count`]: it fits all types that counts are read as.
const MAX_COUNT: i64 = u32::MAX as i64;

const TIME: &str = "a time like `100ms`, `2s` or `3m`";

/// Lists of options one after the other; `N` is their number.
pub const fn join<const N: usize>(lists: &[&[OptionInfo]]) -> [OptionInfo; N] {
    let mut joined = [OptionInfo::text("", ""); N];
    let (mut n, mut list) = (0, 0);
    while list < lists.len() {
        let mut idx = 0;
        while idx < lists[list].len() {
            joined[n] = lists[list][idx];
            n += 1;
            idx += 1;
        }
        list += 1;
    }
    assert!(n == N, "the number of options is wrong");
    joined
}

/// How many threads search one position.
pub const THREADS: OptionInfo = OptionInfo::integer(
    "threads",
    1..=256,
    "1",
    "search threads; with more than one, games cannot be repeated exactly",
);

/// The size of a transposition table.
pub const TABLE: OptionInfo =
    OptionInfo::integer("table", 0..=4096, "32", "size of the transposition table in MB; 0 turns it off");

/// Limits that every agent takes in addition to its own options.
pub const LIMITS: [OptionInfo; 4] = [
    OptionInfo::count("depth", "", "plies to search").expecting("a number of plies"),
    OptionInfo::integer("nodes", 0..=i64::MAX, "", "positions, or playouts, to search per move")
        .expecting("a number of positions"),
    OptionInfo::time("movetime", "", "time per move, such as `100ms` or `2s`"),
    OptionInfo::time("clock", "", "time for the whole game, such as `180s`"),
];

/// Reads `100ms`, `2s`, `1.5s` or `3m`.
///
/// # Errors
/// Says how a time is written.
pub fn read_duration(text: &str) -> Result<Duration, SpecError> {
    let wrong = || SpecError::new(format!("{text:?}: expected {TIME}"));
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
