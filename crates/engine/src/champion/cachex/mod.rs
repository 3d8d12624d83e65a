//! The champion of Cachex and Hex: principal variation search by shortest paths and captures, with a net beside them on
//! boards of Cachex from 7 to 9.
//!
//! In Cachex it plays boards of 3 and 4 perfectly from tables and knows proven wins on that of 5. A Monte Carlo tree
//! search with RAVE was tried too and lost every match on boards of 7 and more, so there is none.

mod eval;
pub mod net;
mod openings;
mod perfect;
pub mod proven;
pub mod retrograde;
pub mod solved;
mod weights;

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Player, Position, Record, RhombusWork, with_rhombus};

use super::Weights;
use super::net::{Evaluation, Extra, NetEvaluation, NnueGame, NoNet};
use super::source::{NET, WEIGHTS};
use crate::agent::position_of;
use crate::eval::Evaluator;
use crate::options::{TABLE, THREADS};
use crate::pvs::options::{FUTILITY, HISTORY, KILLERS, LMP, LMR, QUIESCENCE};
use crate::pvs::{Pvs, PvsOptions};
use crate::spec::{Factory, factory};
use crate::{
    Agent, AgentError, AgentInfo, Choice, Limits, OptionInfo, Score, Settings, SpecError, Term, Watch,
};
pub use eval::{Distances, Features, N_FEATURES, NAMES, Paths, features};
pub use openings::is_stolen;
pub use perfect::end_of;
pub use weights::{FITTED, HAND, V0_1};

/// Hex's champion by name: there is nothing to capture or steal, and no table.
pub const HEX_AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "principal variation search on shortest paths, 1 s per move if no limit is given",
    source: "",
    differs: &[],
    options: OPTIONS.split_at(N_SEARCH_OPTIONS).0,
    prepare,
}];

/// Cachex's champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "principal variation search on shortest paths and captures, 1 s per move if no limit is given",
    source: "",
    differs: &[],
    options: OPTIONS,
    prepare,
}];

/// How many of the options are those of the search and its evaluation.
const N_SEARCH_OPTIONS: usize = 10;

/// The options: those of the search, with the defaults that are best here, and the tables.
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
    NET.with("on"),
    OptionInfo::switch(
        "openings",
        "on",
        "use the opening book for 5 × 5: first moves, steals and replies to a steal",
    ),
    OptionInfo::switch("steal", "on", "let the search decide whether to steal; off never steals"),
    OptionInfo::switch("solved", "on", "use solved tables for 3 × 3 and 4 × 4, and proven wins on 5 × 5"),
];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    let wrong = || SpecError::new(format!("no champion plays {} with these options", pos.spec()));
    let game = pos.info().name;
    // Weights fitted to Cachex lose in Hex, which has no captures.
    let built_in = if game == "hex" { [HAND; 3] } else { [FITTED, HAND, V0_1] };
    let net = || if game == "hex" { None } else { net::built_in(pos.size()) };
    let evaluation = Evaluation::choose(settings, game, net::shape(pos.size()), built_in, net)?;
    champion(pos, settings, evaluation).ok_or_else(wrong)
}

/// Makes champions with this evaluation; `None` if the game is neither Cachex nor Hex, or if no net plays on the board.
pub fn champion(
    pos: &dyn Position,
    settings: &Settings,
    evaluation: Evaluation<N_FEATURES>,
) -> Option<Factory> {
    let settings = settings.clone();
    match evaluation {
        Evaluation::Counts(weights) => with_rhombus(pos, MakeChampion { settings, weights }),
        Evaluation::Net(evaluation) => net::with_board(pos, MakeGuided { settings, evaluation }),
    }
}

/// What an evaluation says about a position for the player to move; `None` if [`champion`] makes none of it.
pub fn value(pos: &dyn Position, evaluation: Evaluation<N_FEATURES>) -> Option<Score> {
    match evaluation {
        Evaluation::Counts(weights) => with_rhombus(pos, Value(weights)),
        Evaluation::Net(evaluation) => net::with_board(pos, GuidedValue(evaluation)),
    }
}

struct Value(Weights<N_FEATURES>);

impl RhombusWork for Value {
    type Output = Score;

    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> Score {
        let paths = Paths::new(self.0);
        paths.value(&paths.root(pos), pos)
    }
}

struct GuidedValue(NetEvaluation<N_FEATURES>);

impl RhombusWork for GuidedValue {
    type Output = Score;

    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> Score {
        let paths = Paths::with_net(self.0.weights, self.0.net);
        paths.value(&paths.root(pos), pos)
    }
}

/// What both players' counts are at a position, and its inputs of a net in the view of the player to move; `None` for
/// other games.
pub fn seen(pos: &dyn Position) -> Option<([Features; 2], Vec<u16>)> {
    struct See;
    impl RhombusWork for See {
        type Output = ([Features; 2], Vec<u16>);

        fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> Self::Output {
            let [inputs, _] = pos.inputs();
            (features(pos, Paths::default().root(pos).needs), inputs)
        }
    }
    with_rhombus(pos, See)
}

struct MakeChampion {
    settings: Settings,
    weights: Weights<N_FEATURES>,
}

impl RhombusWork for MakeChampion {
    type Output = Factory;

    fn run<B: Bits, const CAPTURES: bool>(self, _: &Rhombus<B, CAPTURES>) -> Factory {
        let MakeChampion { settings, weights } = self;
        factory(move |_| CachexChampion::<B, CAPTURES>::new(&settings, Paths::new(weights)))
    }
}

struct MakeGuided {
    settings: Settings,
    evaluation: NetEvaluation<N_FEATURES>,
}

impl RhombusWork for MakeGuided {
    type Output = Factory;

    fn run<B: Bits, const CAPTURES: bool>(self, _: &Rhombus<B, CAPTURES>) -> Factory {
        let MakeGuided { settings, evaluation: NetEvaluation { weights, net } } = self;
        factory(move |_| {
            let paths = Paths::with_net(weights, net.clone());
            CachexChampion::<B, CAPTURES, _>::new(&settings, paths)
        })
    }
}

/// The champion of one type of board.
pub struct CachexChampion<B: Bits, const CAPTURES: bool, X: Extra<Rhombus<B, CAPTURES>> = NoNet> {
    search: Pvs<Rhombus<B, CAPTURES>, Paths<X>>,
    knows_openings: bool,
    knows_ends: bool,
    /// Whether the search may steal the first stone.
    steals: bool,
}

impl<B: Bits, const CAPTURES: bool, X: Extra<Rhombus<B, CAPTURES>>> CachexChampion<B, CAPTURES, X> {
    /// A champion with some techniques switched on and this evaluation.
    pub fn new(settings: &Settings, paths: Paths<X>) -> CachexChampion<B, CAPTURES, X> {
        CachexChampion {
            search: Pvs::new(paths, PvsOptions::read(settings)),
            knows_openings: settings.get_or("openings", false),
            knows_ends: settings.get_or("solved", false),
            steals: settings.get_or("steal", false),
        }
    }

    /// The choice of the tables, if they know one.
    fn known(&self, game: &Record, pos: &Rhombus<B, CAPTURES>) -> Option<Choice> {
        let is_asked = CAPTURES
            && self.knows_ends
            && pos.size() <= LARGEST_KNOWN
            && n_times_of_the_most_frequent(game) <= SPOILED;
        if !is_asked {
            return None;
        }
        perfect::choice(pos).or_else(|| {
            let mut game = game.clone();
            let before = game.undo().and_then(|_| position_of::<Rhombus<B, CAPTURES>>(&game).ok());
            proven::choice(pos, before.as_ref())
        })
    }

    fn search_lines(
        &mut self,
        steals: bool,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        self.search.source.steals = steals;
        self.search.lines(game, n_lines, limits, watch)
    }
}

impl<B, const CAPTURES: bool, X> Agent for CachexChampion<B, CAPTURES, X>
where
    B: Bits,
    X: Extra<Rhombus<B, CAPTURES>> + 'static,
    X::State: Send,
{
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.search.begin(side, game, limits)
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
        // Where the table decides about a steal, the search must not. At ply 0 the opponent may still steal.
        let steals = pos.ply() == 0 || self.steals && !(self.knows_openings && openings::is_known(&pos));
        Ok(self.search_lines(steals, game, 1, limits, watch)?.swap_remove(0))
    }

    /// The tables know only the best line.
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
        self.search_lines(true, game, n_lines, limits, watch)
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game);
        pos.map(|pos| self.search.source.terms(&pos)).unwrap_or_default()
    }
}

/// The largest board with tables.
const LARGEST_KNOWN: u8 = 5;
/// A win by the tables repeats a board at most once, with the other player to move: those of 3 and 4 hold the exact
/// plies, and on a board of 5 every move comes nearer. If a board has occurred more often than this, before the tables
/// were asked or while a search played, the repetition rule may spoil the win.
const SPOILED: usize = 4;

fn n_times_of_the_most_frequent(game: &Record) -> usize {
    let boards = game.boards();
    let n_times = |board| boards.iter().filter(|&other| other == board).count();
    boards.iter().map(n_times).max().unwrap_or(0)
}
