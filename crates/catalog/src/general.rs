//! The agents that every game has, built from the engine's parts.

use std::time::Duration;

use yarra_engine::alphabeta::{self, MAX_DEPTH, Method, Order, Plan};
use yarra_engine::mcts::options::{CUT, EXPLORATION, PLAYOUTS, REUSE, ROLLOUT, SCALE, SELECT, SIZE, SOLVE};
use yarra_engine::mcts::{Mcts, MctsOptions};
use yarra_engine::options::TABLE;
use yarra_engine::simple::{Greedy, Random};
use yarra_engine::spec::{Factory, factory};
use yarra_engine::tactics::{AllMoves, CapturesFirst};
use yarra_engine::time::Paced;
use yarra_engine::{AgentInfo, AlphaBeta, Limits, OptionInfo, Settings, SpecError, Tactics};
use yarra_games::{Game, Position, Work, with_game};

use crate::evals::judge;

/// The agents that every game has.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "random",
        about: "a random legal move",
        source: "",
        differs: &[],
        options: &[],
        prepare: |_, _| Ok(factory(Random::new)),
    },
    AgentInfo {
        name: "greedy",
        about: "the move after which the evaluation is best",
        source: "",
        differs: &[],
        options: &[EVAL],
        prepare: |pos, settings| with_game(pos, PrepareGreedy(settings)),
    },
    AgentInfo {
        name: "minimax",
        about: "minimax to a fixed depth, 2 if no limit is given",
        source: "",
        differs: &[],
        options: &[EVAL],
        prepare: |pos, settings| by_depth(pos, settings, Method::Minimax, 2),
    },
    AgentInfo {
        name: "negamax",
        about: "alpha-beta to a fixed depth, 3 if no limit is given",
        source: "",
        differs: &[],
        options: &[EVAL, TABLE.with("0"), ORDER.with("captures")],
        prepare: |pos, settings| by_depth(pos, settings, Method::AlphaBeta, 3),
    },
    AgentInfo {
        name: "negascout",
        about: "NegaScout to a fixed depth, 3 if no limit is given",
        source: "",
        differs: &[],
        options: &[EVAL, TABLE.with("0"), ORDER.with("captures"), WINDOW],
        prepare: |pos, settings| by_depth(pos, settings, negascout(settings), 3),
    },
    AgentInfo {
        name: "deepening",
        about: "NegaScout with iterative deepening, 1 s per move if no limit is given",
        source: "",
        differs: &[],
        options: &[EVAL, TABLE.with("16"), ORDER, WINDOW],
        prepare: |pos, settings| with_game(pos, PrepareDeepening(settings)),
    },
    AgentInfo {
        name: "mcts",
        about: "Monte Carlo tree search, 1 s per move if no limit is given; `nodes` are playouts, 1000 under a depth",
        source: "",
        differs: &[],
        options: &[EVAL, PLAYOUTS, EXPLORATION, ROLLOUT, CUT, SCALE, SELECT, REUSE, SOLVE, SIZE],
        prepare: |pos, settings| with_game(pos, PrepareMcts(settings)),
    },
];

const EVAL: OptionInfo = OptionInfo::text("eval", "the evaluation; the game's first if not given");
const ORDER: OptionInfo = OptionInfo::some(
    "order",
    &["captures", "history", "killers", "hash", "previous"],
    "captures+killers+hash",
    "move ordering: `none`, or some of `captures+history+killers+hash+previous`, the last two with a table",
);
const WINDOW: OptionInfo = OptionInfo::integer(
    "window",
    i32::MIN as i64..=i32::MAX as i64,
    "1",
    "width of the null window in hundredths",
)
.expecting("a whole number");

type Prepared = Result<Factory, SpecError>;

struct PrepareGreedy<'a>(&'a Settings);

impl Work for PrepareGreedy<'_> {
    type Output = Prepared;

    fn run<G: Game>(self, _: &G) -> Prepared {
        let judge = judge::<G>(self.0.get("eval"))?;
        Ok(factory(move |seed| Greedy::new(judge.clone(), seed)))
    }
}

fn by_depth(pos: &dyn Position, settings: &Settings, method: Method, depth: u32) -> Prepared {
    with_game(pos, PrepareByDepth { settings, method, depth })
}

struct PrepareByDepth<'a> {
    settings: &'a Settings,
    method: Method,
    depth: u32,
}

impl Work for PrepareByDepth<'_> {
    type Output = Prepared;

    fn run<G: Game>(self, _: &G) -> Prepared {
        let judge = judge::<G>(self.settings.get("eval"))?;
        let (depth, has_captures_first) = (self.depth, has_captures_first(self.settings));
        let options = alphabeta::Options { method: self.method, ..search_options(self.settings) };
        Ok(factory(move |_| {
            let planner = Box::new(move |_: &G, _: &_, _| Plan::fixed(depth));
            let agent = AlphaBeta::new(judge.clone(), tactics(has_captures_first), options, planner);
            Paced { agent, complete: |limits| limits }
        }))
    }
}

struct PrepareDeepening<'a>(&'a Settings);

impl Work for PrepareDeepening<'_> {
    type Output = Prepared;

    fn run<G: Game>(self, _: &G) -> Prepared {
        let judge = judge::<G>(self.0.get("eval"))?;
        let has_captures_first = has_captures_first(self.0);
        let method = negascout(self.0);
        let options = alphabeta::Options { method, keeps_between_moves: true, ..search_options(self.0) };
        Ok(factory(move |_| {
            let planner = Box::new(|_: &G, _: &_, limits: Limits| {
                // The next depth takes several times as long as all before it.
                let soft_time = limits.hard_time().map(|hard| hard / 2);
                Plan { soft_time, ..Plan::deepening(MAX_DEPTH) }
            });
            let agent = AlphaBeta::new(judge.clone(), tactics(has_captures_first), options, planner);
            Paced { agent, complete: Limits::or_think_time }
        }))
    }
}

struct PrepareMcts<'a>(&'a Settings);

impl Work for PrepareMcts<'_> {
    type Output = Prepared;

    fn run<G: Game>(self, _: &G) -> Prepared {
        let judge = judge::<G>(self.0.get("eval"))?;
        // `Paced` sets the time, unless the number of playouts is limited.
        let options = MctsOptions { think_time: Duration::MAX, ..MctsOptions::read(self.0) };
        let has_playouts = options.playouts.is_some();
        Ok(factory(move |seed| {
            let agent = Mcts::new(judge.clone(), options, seed);
            Paced {
                agent,
                complete: move |limits: Limits| if has_playouts { limits } else { limits.or_think_time() },
            }
        }))
    }
}

fn negascout(settings: &Settings) -> Method {
    Method::NegaScout { window: settings.get("window") }
}

/// The settings of `table` and `order`; none for an agent without these options.
fn search_options(settings: &Settings) -> alphabeta::Options {
    let has = |word| words(settings).any(|chosen| chosen == word);
    let order = Order {
        history: has("history"),
        killers: has("killers"),
        hash_move: has("hash"),
        previous_iteration: has("previous"),
        last_best: true,
    };
    let table_bytes = settings.get_or::<usize>("table", 0) << 20;
    alphabeta::Options { table_bytes, order, ..alphabeta::Options::default() }
}

fn has_captures_first(settings: &Settings) -> bool {
    words(settings).any(|word| word == "captures")
}

fn words(settings: &Settings) -> impl Iterator<Item = &str> {
    settings.get_or("order", "none").split('+')
}

fn tactics<G: Game>(has_captures_first: bool) -> Box<dyn Tactics<G>> {
    if has_captures_first { Box::new(CapturesFirst) } else { Box::new(AllMoves) }
}
