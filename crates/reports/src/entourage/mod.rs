//! Report 000, Infexion: negamax at depth 4 that evaluates clusters and looks at few moves, and what it was
//! compared with.

pub mod clusters;
pub mod endgame;
pub mod judge;
pub mod tactics;

use std::sync::Arc;
use std::time::Duration;

use yarra_engine::alphabeta::{Method, Options, Plan};
use yarra_engine::eval::Judge;
use yarra_engine::info::expect_game;
use yarra_engine::mcts::{self, Rollout, Select};
use yarra_engine::simple::Greedy;
use yarra_engine::{Agent, AgentInfo, AlphaBeta, Limits, Mcts, OptionInfo, Settings, SpecError};
use yarra_games::Position;
use yarra_games::infexion::Infexion;

use crate::judges::JudgeInfo;
use crate::options::{duration, join, number, option};
use judge::Weights;
use tactics::Habits;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "entourage",
        about: "alpha-beta at depth 4 with cluster evaluation, few moves, endgame and desperation play",
        source: "report 000, Our approach - Negamax",
        options: &NEGAMAX_OPTIONS,
        make: |pos, settings| {
            expect_game::<Infexion>("entourage", pos)?;
            searcher(settings, Method::AlphaBeta)
        },
    },
    AgentInfo {
        name: "entourage-negascout",
        about: "the same by NegaScout",
        source: "report 000, Alternative approaches, NegaScout",
        options: &NEGASCOUT_OPTIONS,
        make: |pos, settings| {
            expect_game::<Infexion>("entourage-negascout", pos)?;
            let hundredths = (number(settings, "window")? * 100.0).round() as i32;
            searcher(settings, Method::NegaScout { window: hundredths })
        },
    },
    AgentInfo {
        name: "entourage-mcts",
        about: "best-first playouts, cut short and judged by clusters",
        source: "report 000, Alternative approaches, Monte Carlo Tree Search",
        options: &MCTS_OPTIONS,
        make: by_playouts,
    },
    AgentInfo {
        name: "entourage-shallow",
        about: "depth 2 over all moves",
        source: "report 000, Performance evaluations, Negamax (shallow Minimax)",
        options: &SHALLOW_OPTIONS,
        make: |pos, settings| {
            expect_game::<Infexion>("entourage-shallow", pos)?;
            searcher(settings, Method::AlphaBeta)
        },
    },
    AgentInfo {
        name: "entourage-greedy",
        about: "the move after which the clusters look best",
        source: "report 000, Performance evaluations, Approach (greedy)",
        options: &judge::OPTIONS,
        make: |pos, settings| {
            expect_game::<Infexion>("entourage-greedy", pos)?;
            Ok(Box::new(Greedy::new(judge(settings)?, settings.seed)))
        },
    },
];

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Infexion> = JudgeInfo {
    name: "entourage",
    about: "report 000: stacks, power, and clusters that dominate those next to them",
    make: || Arc::new(Weights::default()),
};

const NEGAMAX_HABITS: [OptionInfo; 5] = [
    option("depth", "4", "plies to look ahead"),
    option("reduction", "on", "leave out spawns away from one's stacks and idle spreads of singles"),
    option("ordering", "on", "look at captures first"),
    option("endgame", "on", "only capture when far ahead"),
    option("desperation", "on", "play faster when time is short"),
];

const SHALLOW_HABITS: [OptionInfo; 5] = [
    option("depth", "2", "plies to look ahead"),
    option("reduction", "off", "leave out spawns away from one's stacks and idle spreads of singles"),
    option("ordering", "on", "look at captures first"),
    option("endgame", "off", "only capture when far ahead"),
    option("desperation", "off", "play faster when time is short"),
];

const DESPERATION: [OptionInfo; 3] = [
    option("desperate_clock", "15s", "with less time left for the game, look ahead no further than"),
    option("desperate_depth", "2", "so many plies"),
    option("desperate_move", "18s", "after this time play the best move so far"),
];

const WINDOW: [OptionInfo; 1] =
    [option("window", "0.01", "width of the null window, in the evaluation's unit")];

const NUMBERS: [OptionInfo; 15] =
    join(&[&judge::OPTIONS, &tactics::OPTIONS, &endgame::OPTIONS, &DESPERATION]);
const NEGAMAX_OPTIONS: [OptionInfo; 20] = join(&[&NEGAMAX_HABITS, &NUMBERS]);
const SHALLOW_OPTIONS: [OptionInfo; 20] = join(&[&SHALLOW_HABITS, &NUMBERS]);
const NEGASCOUT_OPTIONS: [OptionInfo; 21] = join(&[&NEGAMAX_HABITS, &WINDOW, &NUMBERS]);

const PLAYOUT_OPTIONS: [OptionInfo; 7] = [
    option("rollout", "random", "who plays beyond the tree: random, or greedy (captures first)"),
    option("cut", "10", "plies after which a rollout is judged; 0 plays to the end"),
    option("queue", "on", "grow the best leaf of all, from a priority queue"),
    option("playouts", "0", "playouts a move; 0 leaves it to the time"),
    option("think", "500ms", "time a move, where nothing else limits it"),
    option("exploration", "1.4142", "how much a little-tried move is favored"),
    option("scale", "10", "the evaluation that counts as winning three times out of four"),
];
const MCTS_OPTIONS: [OptionInfo; 11] = join(&[&PLAYOUT_OPTIONS, &judge::OPTIONS]);

fn judge(settings: &Settings) -> Result<Arc<dyn Judge<Infexion>>, SpecError> {
    Ok(Arc::new(Weights::read(settings)?))
}

/// Report 000, Our approach - Negamax, and Alternative approaches, NegaScout.
fn searcher(settings: &Settings, method: Method) -> Result<Box<dyn Agent>, SpecError> {
    let desperation = Desperation::read(settings)?;
    let depth = settings.get("depth")?;
    Ok(Box::new(AlphaBeta::<Infexion, _>::new(
        judge(settings)?,
        Box::new(Habits::read(settings)?),
        Options { method, ..Options::default() },
        Box::new(move |_, _, limits| match &desperation {
            Some(desperation) => desperation.plan(depth, limits),
            None => Plan::fixed(depth),
        }),
    )))
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
    /// The times that were asked for; `None` if it is switched off.
    ///
    /// # Errors
    /// If an option is of the wrong kind.
    pub fn read(settings: &Settings) -> Result<Option<Desperation>, SpecError> {
        let desperation = Desperation {
            clock: duration(settings, "desperate_clock")?,
            depth: settings.get("desperate_depth")?,
            move_time: duration(settings, "desperate_move")?,
        };
        Ok(settings.is_on("desperation")?.then_some(desperation))
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
fn by_playouts(pos: &dyn Position, settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    expect_game::<Infexion>("entourage-mcts", pos)?;
    let rollout = match settings.get::<String>("rollout")?.as_str() {
        "random" => Rollout::Random,
        "greedy" => Rollout::Greedy,
        other => return Err(SpecError::new(format!("rollout={other}: expected random or greedy"))),
    };
    let scale = number(settings, "scale")?;
    if scale <= 0.0 {
        return Err(SpecError::new(format!("scale={scale}: expected a number above 0")));
    }
    let nonzero = |n: u64| (n != 0).then_some(n);
    let options = mcts::Options {
        rollout,
        cut_after: nonzero(settings.get::<u32>("cut")?.into()).map(|n| n as u32),
        select: if settings.is_on("queue")? { Select::Queue } else { Select::Descent },
        playouts: nonzero(settings.get("playouts")?),
        think_time: duration(settings, "think")?,
        exploration: number(settings, "exploration")?,
        scale,
        ..mcts::Options::default()
    };
    Ok(Box::new(Mcts::new(judge(settings)?, options, settings.seed)))
}
