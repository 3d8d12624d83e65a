//! Report 001, Infexion: iterative deepening that knows when to stop, on a heuristic of four components.
//!
//! The report's tree of nodes is a table here: it stores the value of each position for move ordering and is kept
//! between turns. Move lists are cached as well.

mod heuristic;
mod opening;

use std::sync::Arc;
use std::time::Duration;

use yarra_engine::agent::position_of;
use yarra_engine::alphabeta::{self, AlphaBeta, MAX_DEPTH, Order, Plan};
use yarra_engine::eval::Direct;
use yarra_engine::spec::{expect_game, factory};
use yarra_engine::tactics::AllMoves;
use yarra_engine::{Agent, AgentError, AgentInfo, Choice, Limits, OptionInfo, Settings, Term, Watch};
use yarra_games::infexion::Infexion;
use yarra_games::{Player, Position, Record};

use crate::judges::JudgeInfo;
pub use heuristic::{Components, Heuristic};
pub use opening::Opening;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "psotip",
    about: "iterative deepening alpha-beta on defenders, attackers and sufficiently protected power",
    source: "report 001, Minimax",
    differs: &[
        "the tree of nodes is a table of values and a cache of move lists, which takes less memory; a full one forgets",
        "nodes off the game's path are overwritten once the table is full, not discarded each turn: that takes no time",
        "positions that are reached in two ways share one value there: the report's tree has two nodes",
        "a token is unprotected at 0 or less, as in the pseudocode; the prose (less than 0) is sufficient=0",
        "within 10 % is relative to the larger of both scores, at least 1: the report does not say of what",
        "the first move is 3-3, or 3-4 if that is taken: the report does not name it",
        "a win is worth more than any evaluation, and more the sooner it comes: the report gives it no value",
        "the own clock is off under a fixed depth or number of nodes, so that games can be repeated",
    ],
    options: OPTIONS,
    prepare: |pos, settings| {
        expect_game::<Infexion>("psotip", pos)?;
        let settings = settings.clone();
        Ok(factory(move |_| Psotip::new(&settings)))
    },
}];

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Infexion> = JudgeInfo {
    name: "psotip",
    about: "report 001: defenders, attackers and sufficiently protected power",
    make: || Arc::new(Heuristic::default()),
};

const OPTIONS: &[OptionInfo] = &[
    WEIGHT,
    OptionInfo { name: "attackers", about: "Y, the weight of an attacker", ..WEIGHT },
    OptionInfo::integer(
        "sufficient",
        i32::MIN as i64..=i32::MAX as i64,
        "1",
        "how many more defenders than attackers protect a token; 0 follows the report's prose",
    )
    .expecting("a whole number"),
    OptionInfo::number(
        "settled",
        "0.1",
        "stop once two consecutive depths agree within this share; -1 turns it off",
    ),
    OptionInfo::number(
        "skip",
        "0.5",
        "start no new depth once one took more than this share of the move's time",
    )
    .within(0.0, 1.0, "a share from 0 to 1"),
    OptionInfo::time("game", "180s", "time for all its moves of a game if no limit is given"),
    OptionInfo::choice(
        "opening",
        &["first", "triangle", "off"],
        "first",
        "fixed opening moves: the `first`, three that form a `triangle`, or `off`",
    ),
    OptionInfo::switch("reuse", "on", "keep the search tree between moves"),
    OptionInfo::integer("tree", 0..=1 << 14, "64", "size of the search tree in MB"),
    OptionInfo::count("lists", "50000", "positions whose moves are cached"),
    OptionInfo::switch("transpositions", "off", "cut off at known positions (not in the report)"),
    OptionInfo::count("depth", "64", "maximum depth in plies"),
];

/// Beyond a thousand the sums of a full board would not fit.
const WEIGHT: OptionInfo = OptionInfo::number("defenders", "0.5", "X, the weight of a defender").within(
    -1000.0,
    1000.0,
    "a weight from -1000 to 1000",
);

/// The report's agent.
pub struct Psotip {
    search: AlphaBeta<Infexion, Direct<Heuristic>>,
    opening: Opening,
    /// The agent's own clock, used where no limit is given.
    game_time: Duration,
    used: Duration,
}

impl Psotip {
    fn new(settings: &Settings) -> Psotip {
        let timing = Timing::read(settings);
        let planner = move |pos: &Infexion, _: &Record, limits: Limits| timing.plan(pos, limits);
        Psotip {
            search: AlphaBeta::new(
                Direct(heuristic_of(settings)),
                Box::new(AllMoves),
                search_options(settings),
                Box::new(planner),
            ),
            opening: Opening::read(settings),
            game_time: settings.get("game"),
            used: Duration::ZERO,
        }
    }
}

fn heuristic_of(settings: &Settings) -> Heuristic {
    let hundredths = |name| (settings.get::<f64>(name) * 100.0).round() as i32;
    Heuristic {
        defenders: hundredths("defenders"),
        attackers: hundredths("attackers"),
        sufficient: settings.get("sufficient"),
    }
}

/// Alpha Beta Pruning + Iterative Deepening + Move Ordering, and Re-using the Search Tree: children in
/// the order of their previous values, and cached move lists.
fn search_options(settings: &Settings) -> alphabeta::Options {
    alphabeta::Options {
        table_bytes: settings.get::<usize>("tree") << 20,
        table_cuts: settings.get("transpositions"),
        cached_lists: settings.get("lists"),
        keeps_between_moves: settings.get("reuse"),
        order: Order { previous_iteration: true, last_best: true, ..Order::default() },
        ..alphabeta::Options::default()
    }
}

/// Time Per Turn: the conditions of which the first to be met ends a search.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// The depth to search to if there is time.
    pub depth: u32,
    /// m of the Diminishing Returns Cutoff Principle, as a share of 1.
    pub settled: f64,
    /// The share of the maximum time that one iteration may take if another is to follow.
    pub skip: f64,
}

impl Default for Timing {
    /// The values that the report settled on.
    fn default() -> Timing {
        Timing { depth: MAX_DEPTH, settled: 0.1, skip: 0.5 }
    }
}

impl Timing {
    fn read(settings: &Settings) -> Timing {
        Timing { depth: settings.get("depth"), settled: settings.get("settled"), skip: settings.get("skip") }
    }

    /// Time Per Turn, and what Iterative Deepening plays when time runs out: the move of the last depth
    /// that was finished.
    pub fn plan(&self, pos: &Infexion, limits: Limits) -> Plan {
        let max_time = max_time(pos, limits);
        Plan {
            hard_time: max_time,
            settled_within: Some(self.settled),
            longest_iteration: max_time.map(|time| time.mul_f64(self.skip)),
            drops_unfinished: true,
            ..Plan::deepening(self.depth)
        }
    }
}

/// Max Time Allowed: the time that is left, in equal parts for all own turns that may be left.
fn max_time(pos: &Infexion, limits: Limits) -> Option<Duration> {
    let n_turns_left = (pos.turn_limit() - pos.ply()).div_ceil(2);
    let share = limits.clock.map(|left| left / u32::from(n_turns_left.max(1)));
    share.into_iter().chain(limits.move_time).min()
}

impl Agent for Psotip {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.used = Duration::ZERO;
        self.search.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Infexion>(game)?;
        if let Some(m) = self.opening.reply(&pos) {
            return Ok(m.into());
        }
        // Any limit will do: under a fixed depth, too, a clock would make games differ from run to run.
        let is_free = limits == Limits::default();
        let own_clock = is_free.then(|| self.game_time.saturating_sub(self.used));
        let limits = Limits { clock: limits.clock.or(own_clock), ..limits };
        let choice = self.search.choose(game, limits, watch)?;
        self.used += choice.stats.elapsed;
        Ok(choice)
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        self.search.played(game, choice)
    }

    fn end(&mut self, game: &Record) {
        self.search.end(game);
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        self.search.terms(game)
    }
}
