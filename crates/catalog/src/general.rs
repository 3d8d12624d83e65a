//! The agents that every game has, put together from the engine's parts.

use std::time::Duration;

use yarra_engine::alphabeta::{self, MAX_DEPTH, Method, Order, Plan};
use yarra_engine::mcts::{self, Rollout, Select};
use yarra_engine::simple::{Greedy, Random};
use yarra_engine::tactics::{AllMoves, CapturesFirst};
use yarra_engine::{Agent, AgentInfo, AlphaBeta, Limits, Mcts, OptionInfo, Settings, SpecError, Tactics};
use yarra_games::Position;
use yarra_reports::judges::Judged;

use crate::evals::{Work, judge, with_judged};
use crate::paced::Paced;

/// The agents that every game has.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "random",
        about: "any legal move",
        source: "",
        options: &[],
        make: |_, settings| Ok(Box::new(Random::new(settings.seed))),
    },
    AgentInfo {
        name: "greedy",
        about: "the move after which the evaluation is best",
        source: "",
        options: &[EVAL],
        make: |pos, settings| with_judged(pos, MakeGreedy(settings)),
    },
    AgentInfo {
        name: "minimax",
        about: "every line to a depth, 2 unless a limit says otherwise",
        source: "",
        options: &[EVAL],
        make: |pos, settings| by_depth(pos, settings, Method::Minimax, 2),
    },
    AgentInfo {
        name: "negamax",
        about: "alpha-beta to a depth, 3 unless a limit says otherwise",
        source: "",
        options: &[EVAL, OptionInfo { default: "0", ..TABLE }, OptionInfo { default: "captures", ..ORDER }],
        make: |pos, settings| by_depth(pos, settings, Method::AlphaBeta, 3),
    },
    AgentInfo {
        name: "negascout",
        about: "alpha-beta with narrow windows to a depth, 3 unless a limit says otherwise",
        source: "",
        options: &[
            EVAL,
            OptionInfo { default: "0", ..TABLE },
            OptionInfo { default: "captures", ..ORDER },
            WINDOW,
        ],
        make: |pos, settings| {
            let window = settings.get("window")?;
            by_depth(pos, settings, Method::NegaScout { window }, 3)
        },
    },
    AgentInfo {
        name: "deepening",
        about: "narrow windows, depth after depth as long as there is time, 1 s unless a limit says otherwise",
        source: "",
        options: &[EVAL, TABLE, ORDER, WINDOW],
        make: |pos, settings| with_judged(pos, MakeDeepening(settings)),
    },
    AgentInfo {
        name: "mcts",
        about: "a tree grown by playouts, 1 s unless a limit says otherwise; `nodes` are playouts, 1000 under a depth",
        source: "",
        options: MCTS,
        make: |pos, settings| with_judged(pos, MakeMcts(settings)),
    },
];

const EVAL: OptionInfo =
    OptionInfo { name: "eval", default: "", about: "the evaluation, the game's first if not given" };
const TABLE: OptionInfo =
    OptionInfo { name: "table", default: "16", about: "MB for positions seen before; 0 for none" };
const ORDER: OptionInfo = OptionInfo {
    name: "order",
    default: "captures+killers+hash",
    about: "what moves are sorted by: `none`, or some of `captures+history+killers+hash+previous`, the last two with a table",
};
const WINDOW: OptionInfo =
    OptionInfo { name: "window", default: "1", about: "width of the narrow windows in hundredths" };

const MCTS: &[OptionInfo] = &[
    EVAL,
    OptionInfo { name: "playouts", default: "0", about: "playouts a move; 0 leaves it to the limits" },
    OptionInfo { name: "exploration", default: "1.4142", about: "how much little-tried moves are favored" },
    OptionInfo { name: "rollout", default: "random", about: "how games go on: `random` or `greedy`" },
    OptionInfo { name: "cut", default: "0", about: "plies after which a game is judged; 0 plays to the end" },
    OptionInfo { name: "scale", default: "10", about: "evaluation that wins three times out of four" },
    OptionInfo { name: "select", default: "descent", about: "the next leaf: by `descent` or from a `queue`" },
    OptionInfo { name: "reuse", default: "on", about: "whether the tree lives on to the next move" },
    OptionInfo { name: "solve", default: "on", about: "whether proven results are passed up" },
    OptionInfo { name: "size", default: "4000000", about: "nodes that the tree may have" },
];

const THINK_TIME: Duration = Duration::from_secs(1);

type Made = Result<Box<dyn Agent>, SpecError>;

struct MakeGreedy<'a>(&'a Settings);

impl Work for MakeGreedy<'_> {
    type Output = Made;

    fn run<G: Judged>(self) -> Made {
        let name: String = self.0.get("eval")?;
        Ok(Box::new(Greedy::<G>::new(judge(&name)?, self.0.seed)))
    }
}

fn by_depth(pos: &dyn Position, settings: &Settings, method: Method, depth: u32) -> Made {
    with_judged(pos, MakeByDepth { settings, method, depth })
}

struct MakeByDepth<'a> {
    settings: &'a Settings,
    method: Method,
    depth: u32,
}

impl Work for MakeByDepth<'_> {
    type Output = Made;

    fn run<G: Judged>(self) -> Made {
        let name: String = self.settings.get("eval")?;
        let (tactics, options) = match self.method {
            Method::Minimax => (order_of("none")?.0, alphabeta::Options::default()),
            _ => search_options(self.settings)?,
        };
        let options = alphabeta::Options { method: self.method, ..options };
        let depth = self.depth;
        let planner = Box::new(move |_: &G, _: &_, _| Plan::fixed(depth));
        let search = AlphaBeta::new(judge::<G>(&name)?, tactics, options, planner);
        Ok(Box::new(Paced { agent: search, complete: |limits| limits }))
    }
}

struct MakeDeepening<'a>(&'a Settings);

impl Work for MakeDeepening<'_> {
    type Output = Made;

    fn run<G: Judged>(self) -> Made {
        let name: String = self.0.get("eval")?;
        let (tactics, options) = search_options(self.0)?;
        let method = Method::NegaScout { window: self.0.get("window")? };
        let options = alphabeta::Options { method, keeps_between_moves: true, ..options };
        let planner = Box::new(|_: &G, _: &_, limits: Limits| {
            // Another depth takes several times as long as all before it.
            let soft_time = limits.hard_time().map(|hard| hard / 2);
            Plan { soft_time, ..Plan::deepening(MAX_DEPTH) }
        });
        let search = AlphaBeta::new(judge::<G>(&name)?, tactics, options, planner);
        Ok(Box::new(Paced { agent: search, complete: or_think_time }))
    }
}

struct MakeMcts<'a>(&'a Settings);

impl Work for MakeMcts<'_> {
    type Output = Made;

    fn run<G: Judged>(self) -> Made {
        let settings = self.0;
        let name: String = settings.get("eval")?;
        let (cut, playouts) = (settings.get("cut")?, settings.get("playouts")?);
        let options = mcts::Options {
            exploration: settings.get("exploration")?,
            rollout: one_of(
                settings,
                "rollout",
                &[("random", Rollout::Random), ("greedy", Rollout::Greedy)],
            )?,
            cut_after: (0 < cut).then_some(cut),
            scale: settings.get("scale")?,
            select: one_of(settings, "select", &[("descent", Select::Descent), ("queue", Select::Queue)])?,
            keeps_tree: settings.is_on("reuse")?,
            solves: settings.is_on("solve")?,
            playouts: (0 < playouts).then_some(playouts),
            // The limits always say how long.
            think_time: Duration::MAX,
            max_nodes: settings.get("size")?,
        };
        let search = Mcts::<G>::new(judge(&name)?, options, settings.seed);
        let has_playouts = options.playouts.is_some();
        let complete = move |limits| if has_playouts { limits } else { or_think_time(limits) };
        Ok(Box::new(Paced { agent: search, complete }))
    }
}

fn or_think_time(limits: Limits) -> Limits {
    if limits != Limits::default() {
        return limits;
    }
    Limits { move_time: Some(THINK_TIME), ..limits }
}

const MAX_MEGABYTES: usize = 4096;

type Tactic<G> = Box<dyn Tactics<G>>;

/// What `table` and `order` choose.
fn search_options<G: Judged>(settings: &Settings) -> Result<(Tactic<G>, alphabeta::Options), SpecError> {
    let megabytes: usize = settings.get("table")?;
    if MAX_MEGABYTES < megabytes {
        return Err(SpecError::new(format!("table={megabytes}: expected at most {MAX_MEGABYTES}")));
    }
    let table_bytes = megabytes << 20;
    let words: String = settings.get("order")?;
    let (tactics, order) = order_of(&words)?;
    Ok((tactics, alphabeta::Options { table_bytes, order, ..alphabeta::Options::default() }))
}

fn order_of<G: Judged>(words: &str) -> Result<(Tactic<G>, Order), SpecError> {
    let mut tactics: Tactic<G> = Box::new(AllMoves);
    let mut order = Order::default();
    for word in words.split('+') {
        match word {
            "none" => {}
            "captures" => tactics = Box::new(CapturesFirst),
            "history" => order.history = true,
            "killers" => order.killers = true,
            "hash" => order.hash_move = true,
            "previous" => order.previous_iteration = true,
            _ => {
                let right = "`none`, or some of captures+history+killers+hash+previous";
                return Err(SpecError::new(format!("order={words}: expected {right}")));
            }
        }
    }
    Ok((tactics, order))
}

fn one_of<T: Copy>(settings: &Settings, name: &str, table: &[(&str, T)]) -> Result<T, SpecError> {
    let word: String = settings.get(name)?;
    let found = table.iter().find(|(known, _)| *known == word);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let words: Vec<_> = table.iter().map(|(word, _)| *word).collect();
        SpecError::new(format!("{name}={word}: expected {}", words.join(" or ")))
    })
}
