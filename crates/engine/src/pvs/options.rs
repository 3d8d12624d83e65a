//! The techniques of the search, and how they are switched.

use super::MAX_QUIESCENCE;
use crate::{OptionInfo, Settings, SpecError};

/// Which techniques are on.
#[derive(Clone, Copy, Debug)]
pub struct PvsOptions {
    /// The number of search threads.
    pub threads: usize,
    /// Size of the transposition table in bytes; 0 for none.
    pub table_bytes: usize,
    /// Whether killers and countermoves are tried early.
    pub killers: bool,
    /// Whether quiet moves are sorted by history.
    pub history: bool,
    /// The greatest depth of quiescence search; 0 for none.
    pub quiescence: u32,
    /// The divisor of late move reductions; 0 for none.
    pub lmr: u32,
    /// Late move pruning: quiet moves at depth 1, times depth squared at the next; 0 for all.
    pub lmp: u32,
    /// Whether null move pruning is on.
    pub null: bool,
    /// The margin of futility pruning in hundredths a ply; 0 for none.
    pub futility: i32,
}

impl PvsOptions {
    /// No selective technique: the value is that of the whole tree.
    pub const SOUND: PvsOptions = PvsOptions {
        threads: 1,
        table_bytes: 1 << 20,
        killers: true,
        history: true,
        quiescence: 0,
        lmr: 0,
        lmp: 0,
        null: false,
        futility: 0,
    };

    /// The options that settings ask for.
    ///
    /// # Errors
    /// If a value is of the wrong kind or too large.
    pub fn read(settings: &Settings) -> Result<PvsOptions, SpecError> {
        Ok(PvsOptions {
            threads: read_threads(settings)?,
            table_bytes: at_most::<usize>(settings, "table", 4096)? << 20,
            killers: settings.is_on("killers")?,
            history: settings.is_on("history")?,
            quiescence: at_most(settings, "quiescence", MAX_QUIESCENCE)?,
            lmr: at_most(settings, "lmr", 1000)?,
            lmp: at_most(settings, "lmp", 1000)?,
            null: settings.has("null") && settings.is_on("null")?,
            futility: at_most(settings, "futility", 1_000_000)?,
        })
    }
}

/// The number of an option, no more than `most`.
///
/// # Errors
/// If it is another value.
pub fn at_most<T>(settings: &Settings, name: &str, most: T) -> Result<T, SpecError>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Default,
{
    within(settings, name, T::default(), most)
}

fn within<T>(settings: &Settings, name: &str, least: T, most: T) -> Result<T, SpecError>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let number: T = settings.get(name)?;
    if least <= number && number <= most {
        return Ok(number);
    }
    Err(SpecError::new(format!("{name}={number}: expected {least} to {most}")))
}

/// The number of threads that was asked for.
///
/// # Errors
/// If it is none, or there are too many.
pub fn read_threads(settings: &Settings) -> Result<usize, SpecError> {
    within(settings, "threads", 1, MAX_THREADS)
}

/// More threads than anyone has cores.
const MAX_THREADS: usize = 256;

/// The options of champions by depth; each game lists those that it has, some with a default of its own.
pub const THREADS: OptionInfo =
    option("threads", "1", "threads that search at once; more than one, and no two games are the same");
pub const TABLE: OptionInfo = option("table", "32", "MB for positions seen before; 0 for none");
pub const KILLERS: OptionInfo =
    option("killers", "on", "try moves early that cut in sister positions or answered the same move");
pub const HISTORY: OptionInfo = option("history", "on", "sort quiet moves by how often they cut elsewhere");
pub const QUIESCENCE: OptionInfo =
    option("quiescence", "6", "plies of captures behind the last ply; 0 for none");
pub const LMR: OptionInfo =
    option("lmr", "1", "late quiet moves lose depth: the larger, the less; 0 for none");
pub const LMP: OptionInfo =
    option("lmp", "2", "quiet moves that the last ply looks at, more on those before; 0 for all");
pub const NULL: OptionInfo = option("null", "on", "leave a position that is good even after a pass");
pub const FUTILITY: OptionInfo =
    option("futility", "200", "hundredths that a ply near the leaves can change at most; 0 looks at all");
pub const WEIGHTS: OptionInfo =
    option("weights", "fitted", "`fitted` to self-play, or those first set by `hand`");

/// An option.
pub const fn option(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
    OptionInfo { name, default, about }
}

/// Whether the weights are the fitted ones rather than those set by hand.
///
/// # Errors
/// If they are neither.
pub fn are_weights_fitted(settings: &Settings) -> Result<bool, SpecError> {
    match settings.get::<String>("weights")?.as_str() {
        "fitted" => Ok(true),
        "hand" => Ok(false),
        other => Err(SpecError::new(format!("weights={other}: expected fitted or hand"))),
    }
}
