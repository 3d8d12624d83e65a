//! Report 000, Infexion: negamax to depth 4 with cluster evaluation and move reduction, and the agents it was compared
//! with.

mod capture;
pub mod clusters;
pub mod endgame;
pub mod judge;
pub mod tactics;

use std::sync::Arc;
use std::time::Duration;

use yarra_engine::alphabeta::{Method, Options, Plan};
use yarra_engine::eval::Judge;
use yarra_engine::mcts::MctsOptions;
use yarra_engine::mcts::options::{CUT, EXPLORATION, PLAYOUTS, QUEUE, ROLLOUT, SCALE, THINK};
use yarra_engine::options::join;
use yarra_engine::simple::Greedy;
use yarra_engine::spec::{Factory, expect_game, factory};
use yarra_engine::{AgentInfo, AlphaBeta, Limits, Mcts, OptionInfo, Settings, SpecError};
use yarra_games::Position;
use yarra_games::infexion::Infexion;

use crate::judges::JudgeInfo;
use capture::Capture;
use judge::Weights;
use tactics::Habits;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "entourage",
        about: "alpha-beta to depth 4 with cluster evaluation, move reduction, endgame and desperation play",
        source: "report 000, Our approach - Negamax",
        differs: &[
            "the report's formula; the team's program is clusters=0.8,power_dominance=0.65,overwhelmed_at=root",
            "each pair of touching clusters counts once for the larger one: the report does not say how often one counts",
            "`overwhelmed` and `highly populated` have the program's thresholds: the report gives none",
            "an end of the game is a win, loss or draw and not evaluated: by the report's formula a win may seem worse than a large lead",
            "where reduction would leave no move, as on an empty board, nothing is reduced: some move must be played",
            "boards are copied at each ply instead of undone: that is faster here",
            "clusters that touch no opponent are not built: they dominate nobody, so the value is the same",
            "the timers are off under a fixed depth or number of nodes, so that games can be repeated",
        ],
        options: &NEGAMAX_OPTIONS,
        prepare: |pos, settings| {
            expect_game::<Infexion>("entourage", pos)?;
            Ok(searcher(settings, Method::AlphaBeta))
        },
    },
    AgentInfo {
        name: "entourage-negascout",
        about: "entourage with NegaScout instead of alpha-beta",
        source: "report 000, Alternative approaches, NegaScout",
        differs: &[
            "a scout that fails high is searched again with the full window, so no accuracy is lost: the report's lost some",
            "the differences of `entourage` apply here too",
        ],
        options: &NEGASCOUT_OPTIONS,
        prepare: |pos, settings| {
            expect_game::<Infexion>("entourage-negascout", pos)?;
            let hundredths = (settings.get::<f64>("window") * 100.0).round() as i32;
            Ok(searcher(settings, Method::NegaScout { window: hundredths }))
        },
    },
    AgentInfo {
        name: "entourage-mcts",
        about: "best-first playouts, cut short and scored by the cluster evaluation",
        source: "report 000, Alternative approaches, Monte Carlo Tree Search",
        differs: &[
            "the priority is the lowest UCT bound on the way to a leaf: the report does not define it",
            "cut, exploration and time are our choice: the report gives no numbers",
            "the tree is kept between moves and proven results are passed up: both only make better use of the time",
        ],
        options: &MCTS_OPTIONS,
        prepare: by_playouts,
    },
    AgentInfo {
        name: "entourage-shallow",
        about: "alpha-beta to depth 2 over all moves",
        source: "report 000, Performance evaluations, Negamax (shallow Minimax)",
        differs: &[
            "ordering stays on: the report takes away the reduction only",
            "endgame and desperation play are off: the report calls it minimax, which has neither",
            "the differences of `entourage` apply here too",
        ],
        options: &SHALLOW_OPTIONS,
        prepare: |pos, settings| {
            expect_game::<Infexion>("entourage-shallow", pos)?;
            Ok(searcher(settings, Method::AlphaBeta))
        },
    },
    AgentInfo {
        name: "entourage-greedy",
        about: "the move after which the cluster evaluation is best",
        source: "report 000, Performance evaluations, Approach (greedy)",
        differs: &[
            "the report does not define its greedy agent; entourage-capture is the one of the team's program",
        ],
        options: &judge::OPTIONS,
        prepare: |pos, settings| {
            expect_game::<Infexion>("entourage-greedy", pos)?;
            let judge = judge(settings);
            Ok(factory(move |seed| Greedy::new(judge.clone(), seed)))
        },
    },
    AgentInfo {
        name: "entourage-capture",
        about: "greedy for power: the spread that captures the most, or else a random spawn",
        source: "report 000, Performance evaluations, Approach (greedy)",
        differs: &[
            "the report does not define its greedy agent; this is the one of the team's program",
            "without a capture and without room to spawn it spreads at random: the rules ask for a move",
        ],
        options: &[],
        prepare: |pos, _| {
            expect_game::<Infexion>("entourage-capture", pos)?;
            Ok(factory(Capture::new))
        },
    },
];

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Infexion> = JudgeInfo {
    name: "entourage",
    about: "report 000: stacks, power, and clusters that dominate adjacent ones",
    make: || Arc::new(Weights::default()),
};

const DEPTH: OptionInfo = OptionInfo::count("depth", "4", "plies to search");
const REDUCTION: OptionInfo = OptionInfo::switch(
    "reduction",
    "on",
    "skip spawns away from own stacks and spreads of singles that gain nothing",
);
const ORDERING: OptionInfo = OptionInfo::switch("ordering", "on", "search captures first");
const ENDGAME: OptionInfo = OptionInfo::switch("endgame", "on", "only capture when far ahead");
const DESPERATE: OptionInfo = OptionInfo::switch("desperation", "on", "play faster when time is short");

const NEGAMAX_HABITS: [OptionInfo; 5] = [DEPTH, REDUCTION, ORDERING, ENDGAME, DESPERATE];
const SHALLOW_HABITS: [OptionInfo; 5] =
    [DEPTH.with("2"), REDUCTION.with("off"), ORDERING, ENDGAME.with("off"), DESPERATE.with("off")];

const DESPERATION: [OptionInfo; 3] = [
    OptionInfo::time(
        "desperate_clock",
        "15s",
        "with less time left for the game, search `desperate_depth` plies",
    ),
    OptionInfo::count("desperate_depth", "2", "maximum depth when time is short"),
    OptionInfo::time("desperate_move", "18s", "play the best move found after this time"),
];

const WINDOW: [OptionInfo; 1] =
    [OptionInfo::number("window", "0.01", "width of the null window, in units of the evaluation")];

const NUMBERS: [OptionInfo; 17] =
    join(&[&judge::OPTIONS, &tactics::OPTIONS, &endgame::OPTIONS, &DESPERATION]);
const NEGAMAX_OPTIONS: [OptionInfo; 22] = join(&[&NEGAMAX_HABITS, &NUMBERS]);
const SHALLOW_OPTIONS: [OptionInfo; 22] = join(&[&SHALLOW_HABITS, &NUMBERS]);
const NEGASCOUT_OPTIONS: [OptionInfo; 23] = join(&[&NEGAMAX_HABITS, &WINDOW, &NUMBERS]);

const PLAYOUT_OPTIONS: [OptionInfo; 7] =
    [ROLLOUT, CUT.with("10"), QUEUE, PLAYOUTS, THINK, EXPLORATION, SCALE];
const MCTS_OPTIONS: [OptionInfo; 12] = join(&[&PLAYOUT_OPTIONS, &judge::OPTIONS]);

fn judge(settings: &Settings) -> Arc<dyn Judge<Infexion>> {
    Arc::new(Weights::read(settings))
}

/// Report 000, Our approach - Negamax, and Alternative approaches, NegaScout.
fn searcher(settings: &Settings, method: Method) -> Factory {
    let (judge, habits) = (judge(settings), Habits::read(settings));
    let (desperation, depth) = (Desperation::read(settings), settings.get("depth"));
    factory(move |_| {
        AlphaBeta::<Infexion, _>::new(
            judge.clone(),
            Box::new(habits),
            Options { method, ..Options::default() },
            Box::new(move |_, _, limits| match &desperation {
                Some(desperation) => desperation.plan(depth, limits),
                None => Plan::fixed(depth),
            }),
        )
    })
}

/// Report 000, Desperation play: what happens when time is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Desperation {
    /// With less time left for the game, the depth changes.
    pub clock: Duration,
    /// The depth then.
    pub depth: u32,
    /// After this time for a move, the best one so far is played.
    pub move_time: Duration,
}

impl Desperation {
    /// The times that settings give; `None` if it is switched off.
    pub fn read(settings: &Settings) -> Option<Desperation> {
        settings.get::<bool>("desperation").then(|| Desperation {
            clock: settings.get("desperate_clock"),
            depth: settings.get("desperate_depth"),
            move_time: settings.get("desperate_move"),
        })
    }

    /// Report 000, Desperation play: the two timers.
    pub fn plan(&self, depth: u32, limits: Limits) -> Plan {
        let is_short = limits.clock.is_some_and(|left| left < self.clock);
        let depth = if is_short { depth.min(self.depth) } else { depth };
        Plan { hard_time: Some(self.move_time), ..Plan::fixed(depth) }
    }
}

/// Report 000, Alternative approaches, Monte Carlo Tree Search: rollouts end in an evaluation, and a
/// priority queue says which node comes next.
fn by_playouts(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Infexion>("entourage-mcts", pos)?;
    let (judge, options) = (judge(settings), MctsOptions::read(settings));
    Ok(factory(move |seed| Mcts::new(judge.clone(), options, seed)))
}
