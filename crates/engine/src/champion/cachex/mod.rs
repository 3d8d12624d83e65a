//! The champion of Cachex and Hex: perfect on the two smallest boards of Cachex, with proven openings on the next,
//! else the search by depth.
//!
//! A search by playouts with RAVE was tried beside it and lost every match on boards of 7 and more
//! (docs/strength.md), so there is none.

mod expert;
mod openings;
mod perfect;
pub mod proven;
pub mod retrograde;
pub mod solved;
mod weights;

use std::any::Any;

use yarra_games::cachex::{Bits, Cachex, Hex, Rhombus, U256};
use yarra_games::{Player, Position, Record};

use super::options::{FUTILITY, HISTORY, KILLERS, LMP, LMR, QUIESCENCE, WEIGHTS, are_weights_fitted};
use super::{Champion, Expert, Options, Weights};
use crate::agent::position_of;
use crate::options::{TABLE, THREADS};
use crate::spec::{Factory, factory};
use crate::{Agent, AgentError, AgentInfo, Choice, Limits, OptionInfo, Settings, SpecError, Term, Watch};
pub use expert::{Counts, N_FEATURES, NAMES, Paths, Sight, counts};
pub use openings::is_stolen;
pub use perfect::end_of;
pub use weights::{FITTED, HAND};

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "deep search of shortest ways and captures; 1 s unless a limit says otherwise",
    source: "",
    options: OPTIONS,
    prepare,
}];

/// What can be chosen: the parts of the search, with what is best here, and what is known beforehand.
pub const OPTIONS: &[OptionInfo] = &[
    THREADS,
    TABLE,
    KILLERS,
    HISTORY,
    QUIESCENCE.with("4"),
    LMR,
    LMP.with("4"),
    FUTILITY.with("100"),
    WEIGHTS,
    OptionInfo::switch(
        "openings",
        "on",
        "use the opening book for 5 × 5: first moves, steals and replies to a steal",
    ),
    OptionInfo::switch("steal", "on", "let the search decide whether to steal; off never steals"),
    OptionInfo::switch("solved", "on", "use solved tables for 3 × 3 and 4 × 4, and proven wins on 5 × 5"),
];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
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

fn made<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Factory, SpecError> {
    let settings = settings.clone();
    Ok(factory(move |_| Crosser::<B, CAPTURES>::new(&settings)))
}

/// The champion of one width of board.
pub struct Crosser<B: Bits, const CAPTURES: bool> {
    champion: Champion<Rhombus<B, CAPTURES>, Paths>,
    weights: &'static Weights<N_FEATURES>,
    knows_openings: bool,
    knows_ends: bool,
    /// Whether the search may steal the first stone.
    steals: bool,
}

impl<B: Bits, const CAPTURES: bool> Crosser<B, CAPTURES> {
    /// A champion with some parts switched on.
    pub fn new(settings: &Settings) -> Crosser<B, CAPTURES> {
        Crosser {
            champion: Champion::new(Paths::default(), Options::read(settings)),
            // In Hex nothing is captured, and what was fitted to Cachex loses there.
            weights: if are_weights_fitted(settings) && CAPTURES { &FITTED } else { &HAND },
            knows_openings: settings.get("openings"),
            knows_ends: settings.get("solved"),
            steals: settings.get("steal"),
        }
    }

    /// What the tables say.
    fn known(&self, game: &Record, pos: &Rhombus<B, CAPTURES>) -> Option<Choice> {
        let is_asked = CAPTURES
            && self.knows_ends
            && pos.size() <= LARGEST_KNOWN
            && n_times_of_the_most_frequent(game) <= SPOILED;
        is_asked.then(|| perfect::choice(pos).or_else(|| proven::choice(pos))).flatten()
    }

    fn search(
        &mut self,
        steals: bool,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        self.champion.expert = Paths { steals, weights: self.weights };
        self.champion.lines(game, n_lines, limits, watch)
    }
}

impl<B: Bits, const CAPTURES: bool> Agent for Crosser<B, CAPTURES> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.champion.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game)?;
        if let Some(choice) = self.known(game, &pos) {
            return Ok(choice);
        }
        if self.knows_openings
            && let Some(m) = openings::choice(&pos, game)
        {
            return Ok(m.into());
        }
        // Where the table knows that the first stone is not worth stealing, nobody else is asked. An opponent may steal.
        let steals = pos.ply() == 0 || self.steals && !(self.knows_openings && openings::is_known(&pos));
        Ok(self.search(steals, game, 1, limits, watch)?.swap_remove(0))
    }

    /// The tables know one line only, and it is the best.
    fn lines(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game)?;
        if let Some(choice) = self.known(game, &pos) {
            return Ok(vec![choice]);
        }
        self.search(true, game, n_lines, limits, watch)
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game);
        let expert = Paths { weights: self.weights, ..Paths::default() };
        pos.map(|pos| expert.terms(&pos)).unwrap_or_default()
    }
}

/// The tables know nothing of boards larger than this.
const LARGEST_KNOWN: u8 = 5;
/// A win by the tables passes a board twice at most, once for each player to move. Boards that have stood more
/// often than this may spoil it.
const SPOILED: usize = 4;

fn n_times_of_the_most_frequent(game: &Record) -> usize {
    let boards = game.boards();
    let n_times = |board| boards.iter().filter(|&other| other == board).count();
    boards.iter().map(n_times).max().unwrap_or(0)
}
