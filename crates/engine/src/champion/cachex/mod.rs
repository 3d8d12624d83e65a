//! The champion of Cachex and Hex.

mod expert;

use std::any::Any;

use yarra_games::Position;
use yarra_games::cachex::{Cachex, Hex, U256};

use super::{Champion, Options};
use crate::{Agent, AgentInfo, OptionInfo, Settings, SpecError};
pub use expert::{Paths, Sight, Weights};

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "deep search on shortest ways and captures; 1 s unless a limit says otherwise",
    source: "",
    options: OPTIONS,
    make,
}];

/// What can be chosen.
pub const OPTIONS: &[OptionInfo] = &[
    option("table", "32", "MB for positions seen before; 0 for none"),
    option("aspiration", "on", "begin each depth with a narrow window around the last score"),
    option("killers", "on", "try moves early that cut in sister positions or answered the same move"),
    option("history", "on", "sort quiet moves by how often they cut elsewhere"),
    option("quiescence", "4", "plies of captures behind the last ply; 0 for none"),
    option("lmr", "1", "late quiet moves lose depth: the larger, the less; 0 for none"),
    option("lmp", "4", "quiet moves that the last ply looks at, more on those before; 0 for all"),
    option("null", "on", "leave a position that is good even after a pass"),
    option("futility", "100", "hundredths that a ply near the leaves can change at most; 0 looks at all"),
    option("w", "100,100,10,5,5,5,50", "weights"),
];

const fn option(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
    OptionInfo { name, default, about }
}

/// Calls a generic function with the type behind a position, if it is one of Cachex or Hex.
macro_rules! for_rhombus {
    ($make:ident, $pos:expr, $settings:expr) => {{
        let any = $pos as &dyn Any;
        if any.is::<Cachex<u64>>() {
            $make::<Cachex<u64>>($settings)
        } else if any.is::<Cachex<u128>>() {
            $make::<Cachex<u128>>($settings)
        } else if any.is::<Cachex<U256>>() {
            $make::<Cachex<U256>>($settings)
        } else if any.is::<Hex<u64>>() {
            $make::<Hex<u64>>($settings)
        } else if any.is::<Hex<u128>>() {
            $make::<Hex<u128>>($settings)
        } else if any.is::<Hex<U256>>() {
            $make::<Hex<U256>>($settings)
        } else {
            let found = $pos.spec();
            Err(SpecError::new(format!("this champion plays cachex and hex, not {found}")))
        }
    }};
}

fn make(pos: &dyn Position, settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    for_rhombus!(made, pos, settings)
}

fn made<G: yarra_games::Game>(settings: &Settings) -> Result<Box<dyn Agent>, SpecError>
where
    Paths: super::Expert<G>,
{
    let text: String = settings.get("w")?;
    let w: Vec<i32> = text.split('/').filter_map(|t| t.parse().ok()).collect();
    let mut weights = Weights::HAND;
    if w.len() == 7 {
        weights = Weights { distance: [w[0], w[1]], captures: [w[2], w[3]], stones: [w[4], w[5]], turn: w[6] };
    }
    let expert = Paths { weights, must_play: true };
    Ok(Box::new(Champion::<G, _>::new(expert, Options::read(settings)?)))
}
