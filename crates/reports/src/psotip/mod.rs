//! Report 001, Infexion: iterative deepening that knows when to stop, on a heuristic of four components.
//!
//! The report's tree of nodes is a table here: it remembers what each position was worth, for sorting,
//! and lives on from turn to turn. A list of moves is remembered beside it.

mod heuristic;
mod opening;

use std::sync::Arc;
use std::time::Duration;

use yarra_engine::agent::position_of;
use yarra_engine::alphabeta::{self, AlphaBeta, MAX_DEPTH, Order, Plan};
use yarra_engine::eval::Direct;
use yarra_engine::info::{expect_game, read_duration};
use yarra_engine::tactics::AllMoves;
use yarra_engine::{
    Agent, AgentError, AgentInfo, Choice, Limits, OptionInfo, Settings, SpecError, Term, Watch,
};
use yarra_games::infexion::Infexion;
use yarra_games::{Player, Position, Record};

use crate::judges::JudgeInfo;
pub use heuristic::{Components, Heuristic};
pub use opening::Opening;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "psotip",
    about: "deepening alpha-beta on defenders, attackers and sufficiently protected power",
    source: "report 001, Minimax",
    options: OPTIONS,
    make: |pos, settings| Ok(Box::new(Psotip::new(pos, settings)?)),
}];

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Infexion> = JudgeInfo {
    name: "psotip",
    about: "report 001: defenders, attackers and sufficiently protected power",
    make: || Arc::new(Heuristic::default()),
};

const OPTIONS: &[OptionInfo] = &[
    OptionInfo { name: "defenders", default: "0.5", about: "X, the weight of defenders, in hundredths" },
    OptionInfo { name: "attackers", default: "0.5", about: "Y, the weight of attackers, in hundredths" },
    OptionInfo {
        name: "sufficient",
        default: "1",
        about: "how many more defenders than attackers a token needs; 0 follows the report's prose",
    },
    OptionInfo {
        name: "settled",
        default: "0.1",
        about: "stop once two depths in a row agree within this share; -1 never does",
    },
    OptionInfo {
        name: "skip",
        default: "0.5",
        about: "begin no new depth once one took more than this share of the move's time",
    },
    OptionInfo {
        name: "game",
        default: "180s",
        about: "time for its moves of a whole game, where no limit is set",
    },
    OptionInfo {
        name: "opening",
        default: "first",
        about: "moves that are fixed: `first`, `triangle` (three of them) or `off`",
    },
    OptionInfo { name: "reuse", default: "on", about: "keep the search tree between turns" },
    OptionInfo { name: "tree", default: "64", about: "megabytes for the values of positions" },
    OptionInfo { name: "lists", default: "50000", about: "positions whose moves are remembered" },
    OptionInfo {
        name: "transpositions",
        default: "off",
        about: "whether a known position is not searched again (not in the report)",
    },
    OptionInfo { name: "depth", default: "64", about: "plies to look ahead at most" },
];

/// The megabytes that a tree may have at most.
const MAX_MEGABYTES: usize = 1 << 14;

/// The report's agent.
pub struct Psotip {
    search: AlphaBeta<Infexion, Direct<Heuristic>>,
    opening: Opening,
    /// The clock that it keeps for itself where nobody else does.
    game_time: Duration,
    used: Duration,
}

impl Psotip {
    fn new(pos: &dyn Position, settings: &Settings) -> Result<Psotip, SpecError> {
        expect_game::<Infexion>("psotip", pos)?;
        let timing = Timing::read(settings)?;
        let planner = move |pos: &Infexion, _: &Record, limits: Limits| timing.plan(pos, limits);
        Ok(Psotip {
            search: AlphaBeta::new(
                Direct(heuristic_of(settings)?),
                Box::new(AllMoves),
                search_options(settings)?,
                Box::new(planner),
            ),
            opening: settings.get("opening")?,
            game_time: read_duration(&settings.get::<String>("game")?)?,
            used: Duration::ZERO,
        })
    }
}

fn heuristic_of(settings: &Settings) -> Result<Heuristic, SpecError> {
    let hundredths = |name| {
        let weight = settings.get::<f64>(name)?;
        // Beyond a thousand the sums of a full board would not fit.
        if !(-1000.0..=1000.0).contains(&weight) {
            return Err(SpecError::new(format!("{name}={weight}: expected a weight from -1000 to 1000")));
        }
        Ok((weight * 100.0).round() as i32)
    };
    Ok(Heuristic {
        defenders: hundredths("defenders")?,
        attackers: hundredths("attackers")?,
        sufficient: settings.get("sufficient")?,
    })
}

/// Alpha Beta Pruning + Iterative Deepening + Move Ordering, and Re-using the Search Tree: children in
/// the order of what they were worth before, and move lists that are not made twice.
fn search_options(settings: &Settings) -> Result<alphabeta::Options, SpecError> {
    let n_megabytes = settings.get::<usize>("tree")?;
    if MAX_MEGABYTES < n_megabytes {
        return Err(SpecError::new(format!("tree={n_megabytes}: expected at most {MAX_MEGABYTES}")));
    }
    Ok(alphabeta::Options {
        table_bytes: n_megabytes << 20,
        table_cuts: settings.is_on("transpositions")?,
        cached_lists: settings.get("lists")?,
        keeps_between_moves: settings.is_on("reuse")?,
        order: Order { previous_iteration: true, ..Order::default() },
        ..alphabeta::Options::default()
    })
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
    fn read(settings: &Settings) -> Result<Timing, SpecError> {
        let skip = settings.get::<f64>("skip")?;
        if !(0.0..=1.0).contains(&skip) {
            return Err(SpecError::new(format!("skip={skip}: expected a share from 0 to 1")));
        }
        Ok(Timing { depth: settings.get("depth")?, settled: settings.get("settled")?, skip })
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
