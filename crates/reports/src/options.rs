//! What the agents of all reports need to read their options.

use std::time::Duration;

use yarra_engine::info::read_duration;
use yarra_engine::{OptionInfo, Settings, SpecError};

/// One option of an agent.
pub const fn option(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
    OptionInfo { name, default, about }
}

/// Lists of options one after the other; `N` is their number.
pub const fn join<const N: usize>(lists: &[&[OptionInfo]]) -> [OptionInfo; N] {
    let mut joined = [option("", "", ""); N];
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

/// An option that is a number, neither infinite nor "not a number".
pub fn number(settings: &Settings, name: &str) -> Result<f64, SpecError> {
    let number = settings.get::<f64>(name)?;
    if number.is_finite() {
        return Ok(number);
    }
    Err(SpecError::new(format!("{name}={number}: expected a finite number")))
}

/// An option that is a time such as `18s`.
pub fn duration(settings: &Settings, name: &str) -> Result<Duration, SpecError> {
    read_duration(&settings.get::<String>(name)?)
}

/// Something made of options, with the defaults of all of them.
pub fn by_default<T>(options: &'static [OptionInfo], read: fn(&Settings) -> Result<T, SpecError>) -> T {
    let made = Settings::read(options, "", 0).and_then(|settings| read(&settings));
    made.unwrap_or_else(|error| panic!("the defaults are of the right kind: {error}"))
}
