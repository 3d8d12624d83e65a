//! The champion of Cachex and Hex: perfect on the two smallest boards of Cachex, else the search by depth.
//!
//! A search by playouts with RAVE was tried beside it and lost every match on boards of 7 and more
//! (docs/strength.md), so there is none.

mod expert;
mod openings;
mod perfect;
pub mod retrograde;
pub mod solved;

use std::any::Any;

use yarra_games::cachex::{Bits, Cachex, Hex, Rhombus, U256};
use yarra_games::{Player, Position, Record};

use super::{Champion, Options};
use crate::agent::position_of;
use crate::{Agent, AgentError, AgentInfo, Choice, Limits, OptionInfo, Settings, SpecError, Term, Watch};
pub use expert::{Counts, FEATURES, Feature, N_FEATURES, Paths, Sight, TURN, counts};
pub use openings::{first_move, is_stolen};
pub use perfect::end_of;

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "deep search of shortest ways and captures; 1 s unless a limit says otherwise",
    source: "",
    options: OPTIONS,
    make,
}];

/// What can be chosen: the parts of the search, with what is best here, and what is known beforehand.
pub const OPTIONS: &[OptionInfo] = &[
    option("table", "32", "MB for positions seen before; 0 for none"),
    option("aspiration", "on", "begin each depth with a narrow window around the last score"),
    option("killers", "on", "try moves early that cut in sister positions or answered the same move"),
    option("history", "on", "sort quiet moves by how often they cut elsewhere"),
    option("quiescence", "4", "plies of captures behind the last ply; 0 for none"),
    option("lmr", "1", "late quiet moves lose depth: the larger, the less; 0 for none"),
    option("lmp", "4", "quiet moves that the last ply looks at, more on those before; 0 for all"),
    option("null", "off", "leave a position that is good even after a pass"),
    option("futility", "100", "hundredths that a ply near the leaves can change at most; 0 looks at all"),
    option("forced", "on", "leave out moves that let the opponent connect at once"),
    option("openings", "on", "know the first move, and which ones to steal"),
    option("solved", "on", "play the boards of 3 and 4 from tables"),
];

const fn option(name: &'static str, default: &'static str, about: &'static str) -> OptionInfo {
    OptionInfo { name, default, about }
}

fn make(pos: &dyn Position, settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    let any = pos as &dyn Any;
    if any.is::<Cachex<u64>>() {
        made::<u64, true>(settings)
    } else if any.is::<Cachex<u128>>() {
        made::<u128, true>(settings)
    } else if any.is::<Cachex<U256>>() {
        made::<U256, true>(settings)
    } else if any.is::<Hex<u64>>() {
        made::<u64, false>(settings)
    } else if any.is::<Hex<u128>>() {
        made::<u128, false>(settings)
    } else if any.is::<Hex<U256>>() {
        made::<U256, false>(settings)
    } else {
        let found = pos.spec();
        Err(SpecError::new(format!("this champion plays cachex and hex, not {found}")))
    }
}

fn made<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    Ok(Box::new(Crosser::<B, CAPTURES>::new(settings)?))
}

/// The champion of one width of board.
pub struct Crosser<B: Bits, const CAPTURES: bool> {
    search: Champion<Rhombus<B, CAPTURES>, Paths>,
    leaves_out: bool,
    knows_openings: bool,
    knows_ends: bool,
}

/// Boards that have stood so often may stand for the seventh time within a search.
const OFTEN: usize = 3;

impl<B: Bits, const CAPTURES: bool> Crosser<B, CAPTURES> {
    /// A champion with some parts switched on.
    ///
    /// # Errors
    /// If a setting is of the wrong kind or too large.
    pub fn new(settings: &Settings) -> Result<Crosser<B, CAPTURES>, SpecError> {
        Ok(Crosser {
            search: Champion::new(Paths::default(), Options::read(settings)?),
            leaves_out: settings.is_on("forced")?,
            knows_openings: settings.is_on("openings")?,
            knows_ends: settings.is_on("solved")?,
        })
    }
}

impl<B: Bits, const CAPTURES: bool> Agent for Crosser<B, CAPTURES> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.search.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game)?;
        let most = n_times_of_the_most_frequent(game);
        if self.knows_ends
            && let Some(choice) = perfect::choice(&pos, most)
        {
            return Ok(choice);
        }
        let expert = &mut self.search.expert;
        *expert = Paths { must_play: self.leaves_out && most < OFTEN, steals: true };
        if self.knows_openings && pos.ply() < 2 {
            if let Some(m) = openings::choice(&pos) {
                return Ok(m.into());
            }
            // The table says that the first stone is not worth stealing.
            expert.steals = !openings::is_known(&pos);
        }
        self.search.choose(game, limits, watch)
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        self.search.terms(game)
    }
}

fn n_times_of_the_most_frequent(game: &Record) -> usize {
    let boards = game.boards();
    let n_times = |board| boards.iter().filter(|&other| other == board).count();
    boards.iter().map(n_times).max().unwrap_or(0)
}
