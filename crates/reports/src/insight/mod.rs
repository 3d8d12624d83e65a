//! Report 002, Tetress: minimax on tokens and lines at risk, as deep as half a second allows, and the
//! agents that its team tried before and wished for.

mod evaluation;
mod hybrid;

use std::sync::Arc;
use std::time::Duration;

use yarra_engine::alphabeta::{self, AlphaBeta, MAX_DEPTH, Order, Plan};
use yarra_engine::eval::Direct;
use yarra_engine::mcts::options::{self as mcts, PLAYOUTS};
use yarra_engine::mcts::{Mcts, MctsOptions};
use yarra_engine::spec::{expect_game, factory};
use yarra_engine::tactics::AllMoves;
use yarra_engine::{AgentInfo, Limits, OptionInfo, Settings};
use yarra_games::tetress::{SIZE, Tetress};
use yarra_games::{Position, Record};

use crate::judges::JudgeInfo;
pub use evaluation::Evaluation;
pub use hybrid::Hybrid;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "insight",
        about: "iterative deepening alpha-beta on tokens and lines at risk, greedy while there are many moves",
        source: "report 002, 2. Implementation Details and Optimisations",
        differs: &[
            "`six or more` tokens are at risk, as in the text; `more than 6`, as under the formula, is risk=7",
            "a depth that has begun is finished, unless it would take more than four fifths of the time left: out of time is lost",
            "the cache of moves is bounded: the report's dictionary grows as long as the turn lasts",
            "no random opening: the team's program plays two random plies, which `match --openings random:2` plays for both",
            "bit sets instead of Python sets of coordinates: that is faster here",
        ],
        options: &[MANY, THINK, DEPTH, RISK, WIN, LISTS, ORDER],
        prepare: |pos, settings| {
            expect_game::<Tetress>("insight", pos)?;
            let settings = settings.clone();
            Ok(factory(move |_| deepening(&settings)))
        },
    },
    AgentInfo {
        name: "insight-greedy",
        about: "the move after which the evaluation by tokens and lines at risk is best",
        source: "report 002, 4. Other Approaches, Greedy agent",
        differs: &[],
        options: &[RISK, WIN],
        prepare: |pos, settings| {
            expect_game::<Tetress>("insight-greedy", pos)?;
            let evaluation = Evaluation::read(settings);
            let planner = |_: &Tetress, _: &Record, _: Limits| Plan::fixed(1);
            Ok(factory(move |_| minimax(evaluation, alphabeta::Options::default(), Box::new(planner))))
        },
    },
    AgentInfo {
        name: "insight-mcts",
        about: "Monte Carlo tree search with random playouts",
        source: "report 002, 4. Other Approaches, MCTS agent",
        differs: &["exploration and time are our choice: the report gives no numbers"],
        options: &[PLAYOUTS, THINK, EXPLORATION],
        prepare: |pos, settings| {
            expect_game::<Tetress>("insight-mcts", pos)?;
            let options = playout_options(settings);
            Ok(factory(move |seed| Mcts::<Tetress>::new(Arc::new(Evaluation::default()), options, seed)))
        },
    },
    AgentInfo {
        name: "insight-fixed",
        about: "alpha-beta to a depth that depends on the number of legal moves",
        source: "report 002, 4. Other Approaches, Predetermined-depth agent",
        differs: &["the thresholds and depths are those of the team's program: the report gives none"],
        options: &[FROM_MANY, FROM_SOME, FROM_FEW, SHALLOW, MIDDLE, DEEP, DEEPEST, RISK, WIN, LISTS],
        prepare: |pos, settings| {
            expect_game::<Tetress>("insight-fixed", pos)?;
            let (evaluation, options) = (Evaluation::read(settings), move_cache(settings));
            let depths = Depths::read(settings);
            let planner = move |pos: &Tetress, _: &Record, _: Limits| depths.plan(pos.n_legal_moves());
            Ok(factory(move |_| minimax(evaluation, options, Box::new(planner))))
        },
    },
    AgentInfo {
        name: "insight-hybrid",
        about: "`insight` while there are many moves, `insight-mcts` once there are few",
        source: "report 002, 6. Future Improvements",
        differs: &[
            "the report leaves the threshold to learning: games (`lab threshold`) prefer 0, no playouts at all; 2 comes next",
        ],
        options: &[THRESHOLD, MANY, THINK, DEPTH, RISK, WIN, LISTS, ORDER, PLAYOUTS, EXPLORATION],
        prepare: |pos, settings| {
            expect_game::<Tetress>("insight-hybrid", pos)?;
            let settings = settings.clone();
            Ok(factory(move |seed| {
                let evaluation = Arc::new(Evaluation::read(&settings));
                let few = Mcts::<Tetress>::new(evaluation, playout_options(&settings), seed);
                Hybrid { many: deepening(&settings), few, threshold: settings.get("threshold") }
            }))
        },
    },
];

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Tetress> = JudgeInfo {
    name: "insight",
    about: "report 002: tokens minus lines at risk",
    make: || Arc::new(Evaluation::default()),
};

const MANY: OptionInfo = OptionInfo::count("many", "200", "with more legal moves than this, search one ply");
const FROM_MANY: OptionInfo =
    OptionInfo::count("many", "200", "with at least this many legal moves, search `shallow` plies");
const FROM_SOME: OptionInfo =
    OptionInfo::count("some", "80", "with at least this many legal moves, search `middle` plies");
const FROM_FEW: OptionInfo =
    OptionInfo::count("few", "2", "with at least this many legal moves, search `deep` plies");
const SHALLOW: OptionInfo = OptionInfo::count("shallow", "1", "depth with `many` moves");
const MIDDLE: OptionInfo = OptionInfo::count("middle", "2", "depth with `some` moves");
const DEEP: OptionInfo = OptionInfo::count("deep", "3", "depth with a `few` moves");
const DEEPEST: OptionInfo = OptionInfo::count("deepest", "4", "depth with fewer moves");
const THINK: OptionInfo = mcts::THINK.with("0.5s").about("time after which no new depth or playout starts");
const DEPTH: OptionInfo = OptionInfo::count("depth", "64", "maximum depth in plies");
const RISK: OptionInfo =
    OptionInfo::integer("risk", 1..=SIZE as i64, "6", "own tokens from which on a line is at risk")
        .expecting("a number of tokens from 1 to 11");
const WIN: OptionInfo =
    OptionInfo::integer("win", i32::MIN as i64..=i32::MAX as i64, "999", "value of a won game")
        .expecting("a whole number");
const LISTS: OptionInfo =
    OptionInfo::count("lists", "100000", "positions whose moves are cached during a turn");
const ORDER: OptionInfo = OptionInfo::choice(
    "order",
    &["off", "previous"],
    "off",
    "move ordering: `previous` sorts by scores of previous turns and depths",
);
const EXPLORATION: OptionInfo = mcts::EXPLORATION.with("1.4142135623730951");
const THRESHOLD: OptionInfo =
    OptionInfo::count("threshold", "2", "use playouts with at most this many legal moves");

/// The size of the table with the scores of previous turns.
const TABLE_BYTES: usize = 32 << 20;

type Minimax = AlphaBeta<Tetress, Direct<Evaluation>>;

fn minimax(
    evaluation: Evaluation,
    options: alphabeta::Options,
    planner: alphabeta::Planner<Tetress>,
) -> Minimax {
    AlphaBeta::new(Direct(evaluation), Box::new(AllMoves), options, planner)
}

/// Iterative Deepening Minimax: the agent of the report's final program.
fn deepening(settings: &Settings) -> Minimax {
    let patience =
        Patience { many: settings.get("many"), think: settings.get("think"), depth: settings.get("depth") };
    let options = match settings.get("order") {
        "previous" => by_previous_turns(move_cache(settings)),
        _ => move_cache(settings),
    };
    let planner = Box::new(move |pos: &Tetress, _: &Record, _: Limits| patience.plan(pos.n_legal_moves()));
    minimax(Evaluation::read(settings), options, planner)
}

/// Iterative Deepening Minimax: the moves of explored positions are not generated twice in one turn.
fn move_cache(settings: &Settings) -> alphabeta::Options {
    alphabeta::Options { cached_lists: settings.get("lists"), ..alphabeta::Options::default() }
}

/// Attempted Optimal Ordering: children by their scores in previous turns.
fn by_previous_turns(options: alphabeta::Options) -> alphabeta::Options {
    alphabeta::Options {
        table_bytes: TABLE_BYTES,
        table_cuts: false,
        keeps_between_moves: true,
        order: Order { previous_iteration: true, last_best: true, ..Order::default() },
        ..options
    }
}

/// MCTS agent: plain UCT, a new tree for each move.
fn playout_options(settings: &Settings) -> MctsOptions {
    MctsOptions { keeps_tree: false, solves: false, ..MctsOptions::read(settings) }
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

/// Predetermined-depth agent: depths by the branching factor. The report gives no numbers: the defaults are those of
/// its team's program.
#[derive(Clone, Copy, Debug)]
pub struct Depths {
    /// The number of legal moves from which on each depth is used, the largest first, and the depth.
    pub steps: [(usize, u32); 3],
    /// The depth with fewer moves.
    pub deepest: u32,
}

impl Default for Depths {
    fn default() -> Depths {
        Depths { steps: [(200, 1), (80, 2), (2, 3)], deepest: 4 }
    }
}

impl Depths {
    fn read(settings: &Settings) -> Depths {
        let step = |from, depth| (settings.get(from), settings.get(depth));
        Depths {
            steps: [step("many", "shallow"), step("some", "middle"), step("few", "deep")],
            deepest: settings.get("deepest"),
        }
    }

    /// Predetermined-depth agent: the depth is settled before the search begins.
    pub fn plan(&self, n_moves: usize) -> Plan {
        let step = self.steps.iter().find(|(from, _)| *from <= n_moves);
        Plan::fixed(step.map_or(self.deepest, |&(_, depth)| depth))
    }
}
