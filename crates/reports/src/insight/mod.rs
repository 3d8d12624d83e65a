//! Report 002, Tetress: minimax on tokens and lines at risk, as deep as half a second allows, and the
//! agents that its team tried before and wished for.

mod evaluation;
mod hybrid;

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use yarra_engine::alphabeta::{self, AlphaBeta, MAX_DEPTH, Order, Plan};
use yarra_engine::eval::Direct;
use yarra_engine::info::{expect_game, read_duration};
use yarra_engine::mcts::{self, Mcts};
use yarra_engine::tactics::AllMoves;
use yarra_engine::{AgentInfo, Limits, OptionInfo, Settings, SpecError};
use yarra_games::tetress::{SIZE, Tetress};
use yarra_games::{Position, Record};

use crate::judges::JudgeInfo;
pub use evaluation::Evaluation;
pub use hybrid::Hybrid;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "insight",
        about: "deepening alpha-beta on tokens and lines at risk, greedy while there are many moves",
        source: "report 002, 2. Implementation Details and Optimisations",
        options: &[MANY, THINK, DEPTH, RISK, WIN, LISTS, ORDER],
        make: |pos, settings| {
            expect_game::<Tetress>("insight", pos)?;
            Ok(Box::new(deepening(settings)?))
        },
    },
    AgentInfo {
        name: "insight-greedy",
        about: "the best position after one move, by tokens and lines at risk",
        source: "report 002, 4. Other Approaches, Greedy agent",
        options: &[RISK, WIN],
        make: |pos, settings| {
            expect_game::<Tetress>("insight-greedy", pos)?;
            let planner = Box::new(|_: &Tetress, _: &Record, _: Limits| Plan::fixed(1));
            Ok(Box::new(minimax(settings, alphabeta::Options::default(), planner)?))
        },
    },
    AgentInfo {
        name: "insight-mcts",
        about: "tree search with random playouts",
        source: "report 002, 4. Other Approaches, MCTS agent",
        options: &[PLAYOUTS, THINK, EXPLORATION],
        make: |pos, settings| {
            expect_game::<Tetress>("insight-mcts", pos)?;
            Ok(Box::new(playouts(settings, Evaluation::default())?))
        },
    },
    AgentInfo {
        name: "insight-fixed",
        about: "alpha-beta to a depth that depends on the number of moves",
        source: "report 002, 4. Other Approaches, Predetermined-depth agent",
        options: &[MANY, SOME, SHALLOW, MIDDLE, DEEP, RISK, WIN, LISTS],
        make: |pos, settings| {
            expect_game::<Tetress>("insight-fixed", pos)?;
            let depths = Depths::read(settings)?;
            let planner =
                Box::new(move |pos: &Tetress, _: &Record, _: Limits| depths.plan(pos.n_legal_moves()));
            Ok(Box::new(minimax(settings, move_cache(settings)?, planner)?))
        },
    },
    AgentInfo {
        name: "insight-hybrid",
        about: "`insight` while there are many moves, `insight-mcts` once there are few",
        source: "report 002, 6. Future Improvements",
        options: &[THRESHOLD, MANY, THINK, DEPTH, RISK, WIN, LISTS, ORDER, PLAYOUTS, EXPLORATION],
        make: |pos, settings| {
            expect_game::<Tetress>("insight-hybrid", pos)?;
            Ok(Box::new(Hybrid {
                many: deepening(settings)?,
                few: playouts(settings, evaluation_of(settings)?)?,
                threshold: settings.get("threshold")?,
            }))
        },
    },
];

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Tetress> = JudgeInfo {
    name: "insight",
    about: "report 002: tokens, less the lines at risk",
    make: || Arc::new(Evaluation::default()),
};

const MANY: OptionInfo =
    OptionInfo { name: "many", default: "200", about: "above so many legal moves, look one ply ahead" };
const SOME: OptionInfo =
    OptionInfo { name: "some", default: "40", about: "above so many legal moves, look `middle` plies ahead" };
const SHALLOW: OptionInfo = OptionInfo { name: "shallow", default: "1", about: "plies above `many` moves" };
const MIDDLE: OptionInfo = OptionInfo { name: "middle", default: "2", about: "plies above `some` moves" };
const DEEP: OptionInfo = OptionInfo { name: "deep", default: "3", about: "plies elsewhere" };
const THINK: OptionInfo =
    OptionInfo { name: "think", default: "0.5s", about: "time after which no new depth or playout begins" };
const DEPTH: OptionInfo = OptionInfo { name: "depth", default: "64", about: "plies to look ahead at most" };
const RISK: OptionInfo =
    OptionInfo { name: "risk", default: "6", about: "a line is at risk from this many own tokens on" };
const WIN: OptionInfo = OptionInfo { name: "win", default: "999", about: "what a won game is worth" };
const LISTS: OptionInfo =
    OptionInfo { name: "lists", default: "100000", about: "positions whose moves are remembered in a turn" };
const ORDER: OptionInfo = OptionInfo {
    name: "order",
    default: "off",
    about: "`previous` sorts moves by their scores of previous turns and depths",
};
const PLAYOUTS: OptionInfo =
    OptionInfo { name: "playouts", default: "0", about: "playouts a move; 0 leaves it to the time" };
const EXPLORATION: OptionInfo = OptionInfo {
    name: "exploration",
    default: "1.4142135623730951",
    about: "how much a little-tried move is favored over one that did well",
};
const THRESHOLD: OptionInfo =
    OptionInfo { name: "threshold", default: "10", about: "up to so many legal moves, playouts decide" };

/// The size of the table that remembers scores of previous turns.
const TABLE_BYTES: usize = 32 << 20;

type Minimax = AlphaBeta<Tetress, Direct<Evaluation>>;

fn minimax(
    settings: &Settings,
    options: alphabeta::Options,
    planner: alphabeta::Planner<Tetress>,
) -> Result<Minimax, SpecError> {
    Ok(AlphaBeta::new(Direct(evaluation_of(settings)?), Box::new(AllMoves), options, planner))
}

fn evaluation_of(settings: &Settings) -> Result<Evaluation, SpecError> {
    let risk = settings.get("risk")?;
    if !(1..=u32::from(SIZE)).contains(&risk) {
        return Err(SpecError::new(format!("risk={risk}: expected a number of tokens from 1 to {SIZE}")));
    }
    Ok(Evaluation { risk, win: settings.get("win")? })
}

/// Iterative Deepening Minimax: the agent of the report's final program.
fn deepening(settings: &Settings) -> Result<Minimax, SpecError> {
    let patience = Patience {
        many: settings.get("many")?,
        think: read_duration(&settings.get::<String>("think")?)?,
        depth: settings.get("depth")?,
    };
    let options = match settings.get("order")? {
        Ordering::Off => move_cache(settings)?,
        Ordering::Previous => by_previous_turns(move_cache(settings)?),
    };
    minimax(settings, options, Box::new(move |pos, _, _| patience.plan(pos.n_legal_moves())))
}

/// Iterative Deepening Minimax: the moves of explored positions are not generated twice in one turn.
fn move_cache(settings: &Settings) -> Result<alphabeta::Options, SpecError> {
    Ok(alphabeta::Options { cached_lists: settings.get("lists")?, ..alphabeta::Options::default() })
}

/// Attempted Optimal Ordering: children by their scores in previous turns.
fn by_previous_turns(options: alphabeta::Options) -> alphabeta::Options {
    alphabeta::Options {
        table_bytes: TABLE_BYTES,
        table_cuts: false,
        keeps_between_moves: true,
        order: Order { previous_iteration: true, ..Order::default() },
        ..options
    }
}

/// MCTS agent: plain UCT, a new tree for each move.
fn playouts(settings: &Settings, evaluation: Evaluation) -> Result<Mcts<Tetress>, SpecError> {
    let n_playouts = settings.get::<u64>("playouts")?;
    let options = mcts::Options {
        exploration: settings.get("exploration")?,
        playouts: (0 < n_playouts).then_some(n_playouts),
        think_time: read_duration(&settings.get::<String>("think")?)?,
        keeps_tree: false,
        solves: false,
        ..mcts::Options::default()
    };
    Ok(Mcts::new(Arc::new(evaluation), options, settings.seed))
}

/// Attempted Optimal Ordering: tried by the report's team and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ordering {
    Off,
    Previous,
}

impl FromStr for Ordering {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Ordering, SpecError> {
        match text {
            "off" => Ok(Ordering::Off),
            "previous" => Ok(Ordering::Previous),
            _ => Err(SpecError::new("expected `off` or `previous`")),
        }
    }
}

/// Iterative Deepening Minimax, the parameters: when to be greedy, and how long to think elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// With more legal moves than this, one ply is enough.
    pub many: usize,
    /// No depth is begun after this time; one that has begun is finished.
    pub think: Duration,
    /// The depth to search to if there is time.
    pub depth: u32,
}

impl Default for Patience {
    /// The values of the report.
    fn default() -> Patience {
        Patience { many: 200, think: Duration::from_millis(500), depth: MAX_DEPTH }
    }
}

impl Patience {
    /// Iterative Deepening Minimax, the parameters.
    pub fn plan(&self, n_moves: usize) -> Plan {
        if self.many < n_moves {
            return Plan::fixed(1);
        }
        Plan { soft_time: Some(self.think), ..Plan::deepening(self.depth) }
    }
}

/// Predetermined-depth agent: depths by the branching factor.
#[derive(Clone, Copy, Debug)]
pub struct Depths {
    /// With more legal moves than this, the depth is `shallow`.
    pub many: usize,
    /// With more legal moves than this, but not too many, the depth is `middle`.
    pub some: usize,
    /// Plies with many moves.
    pub shallow: u32,
    /// Plies with some moves.
    pub middle: u32,
    /// Plies with few moves.
    pub deep: u32,
}

impl Default for Depths {
    /// The report gives no numbers; these go with its final agent's.
    fn default() -> Depths {
        Depths { many: 200, some: 40, shallow: 1, middle: 2, deep: 3 }
    }
}

impl Depths {
    fn read(settings: &Settings) -> Result<Depths, SpecError> {
        Ok(Depths {
            many: settings.get("many")?,
            some: settings.get("some")?,
            shallow: settings.get("shallow")?,
            middle: settings.get("middle")?,
            deep: settings.get("deep")?,
        })
    }

    /// Predetermined-depth agent: the depth is settled before the search begins.
    pub fn plan(&self, n_moves: usize) -> Plan {
        Plan::fixed(match n_moves {
            n if self.many < n => self.shallow,
            n if self.some < n => self.middle,
            _ => self.deep,
        })
    }
}
