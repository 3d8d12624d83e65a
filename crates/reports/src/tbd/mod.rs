//! Report 003, Cachex, by TBD: greedy first, alpha-beta on shortest distances later, and always a steal.
//!
//! The agents play Hex too, where there is nothing to steal.

mod eval;

use std::sync::Arc;
use std::time::Duration;

use yarra_engine::agent::position_of;
use yarra_engine::alphabeta::{self, Plan};
use yarra_engine::eval::Judge;
use yarra_engine::mcts::{self, Rollout};
use yarra_engine::profile::{Part, time};
use yarra_engine::simple::each_move;
use yarra_engine::tactics::{AllMoves, Tactics};
use yarra_engine::{Agent, AgentError, AgentInfo, AlphaBeta, Budget, Choice, Limits, Mcts, OptionInfo};
use yarra_engine::{Score, Settings, SpecError, Term, Watch};
use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Game, Move, MoveList, Player, Position, Record, RhombusWork, with_rhombus};

pub use eval::{Cells, Paths, distance};

/// Calls a generic maker with the type behind a position, if it is one of Cachex or Hex.
macro_rules! for_rhombus {
    ($make:ident, $pos:ident, $settings:ident) => {{
        struct Make<'a>(&'a Settings);
        impl RhombusWork for Make<'_> {
            type Output = Result<Box<dyn Agent>, SpecError>;

            fn run<B: Bits, const CAPTURES: bool>(self, _: &Rhombus<B, CAPTURES>) -> Self::Output {
                $make::<B, CAPTURES>(self.0)
            }
        }
        with_rhombus($pos, Make($settings)).unwrap_or_else(|| {
            let found = $pos.spec();
            Err(SpecError::new(format!("the agents of report 003 play cachex and hex, not {found}")))
        })
    }};
}

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "tbd",
        about: "greedy by its own shortest distance, then alpha-beta on the difference of both",
        source: "report 003, Algorithm",
        options: &[TABLE, ENTRIES, EVAL, CELLS, STEAL, SMALL, SUM, FIRST, SHARE],
        make: |pos, settings| for_rhombus!(tbd, pos, settings),
    },
    AgentInfo {
        name: "tbd-greedy",
        about: "the move that leaves it the shortest distance to go",
        source: "report 003, Algorithm (depth zero)",
        options: &[EVAL, STEAL],
        make: |pos, settings| for_rhombus!(tbd_greedy, pos, settings),
    },
    AgentInfo {
        name: "tbd-mcts",
        about: "tree search by playouts, which the report wished to compare with",
        source: "report 003, Performance Evaluation (a wish)",
        options: &[EVAL, CELLS, STEAL_OR_SEARCH, PLAYOUTS, EXPLORATION, ROLLOUT, CUT, SCALE],
        make: |pos, settings| for_rhombus!(tbd_mcts, pos, settings),
    },
];

const TABLE: OptionInfo =
    OptionInfo { name: "table", default: "off", about: "whether evaluations are remembered: on or off" };
const ENTRIES: OptionInfo =
    OptionInfo { name: "entries", default: "200000", about: "how many evaluations the table remembers" };
const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    default: "paths",
    about: "what positions are judged by: paths, or cells for counted stones alone",
};
const CELLS: OptionInfo =
    OptionInfo { name: "cells", default: "0", about: "what a stone adds to the judgment by paths" };
const STEAL: OptionInfo = OptionInfo {
    name: "steal",
    default: "always",
    about: "whether it steals: always, never, or eval if that looks best",
};
const STEAL_OR_SEARCH: OptionInfo = OptionInfo {
    name: "steal",
    default: "always",
    about: "whether it steals: always, or eval if that looks best",
};
const SMALL: OptionInfo =
    OptionInfo { name: "small", default: "6", about: "boards below this size have one depth for all turns" };
const SUM: OptionInfo =
    OptionInfo { name: "sum", default: "8", about: "on small boards depth and size add up to this" };
const FIRST: OptionInfo =
    OptionInfo { name: "first", default: "0", about: "the depth with which larger boards begin" };
const SHARE: OptionInfo = OptionInfo {
    name: "share",
    default: "0.3",
    about: "the share of n² turns after which depth grows by one",
};
const PLAYOUTS: OptionInfo =
    OptionInfo { name: "playouts", default: "0", about: "playouts a move; 0 thinks half a second" };
const EXPLORATION: OptionInfo =
    OptionInfo { name: "exploration", default: "1.414", about: "how much little-tried moves are favored" };
const ROLLOUT: OptionInfo =
    OptionInfo { name: "rollout", default: "random", about: "who plays beyond the tree: random or greedy" };
const CUT: OptionInfo = OptionInfo {
    name: "cut",
    default: "0",
    about: "plies after which a rollout is judged; 0 plays to the end",
};
const SCALE: OptionInfo = OptionInfo {
    name: "scale",
    default: "2",
    about: "the judgment that counts as winning three times in four",
};

fn tbd<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    let schedule = Schedule {
        small: settings.get("small")?,
        sum: settings.get("sum")?,
        first: settings.get("first")?,
        share: positive(settings, "share")?,
    };
    let is_cached = settings.is_on("table")?;
    let entries: usize = settings.get("entries")?;
    let cached_evaluations = if is_cached { entries } else { 0 };
    let weight = settings.get("cells")?;
    Ok(Box::new(Composite::<B, CAPTURES>::new(settings, Some(schedule), weight, cached_evaluations)?))
}

fn tbd_greedy<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    Ok(Box::new(Composite::<B, CAPTURES>::new(settings, None, 0.0, 0)?))
}

fn tbd_mcts<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    let eval = one_of(settings, "eval", EVALS)?;
    let judge = judge::<B, CAPTURES>(eval, settings.get("cells")?);
    let playouts: u64 = settings.get("playouts")?;
    let cut_after: u32 = settings.get("cut")?;
    let options = mcts::Options {
        exploration: settings.get("exploration")?,
        rollout: one_of(settings, "rollout", &[("random", Rollout::Random), ("greedy", Rollout::Greedy)])?,
        cut_after: (0 < cut_after).then_some(cut_after),
        scale: positive(settings, "scale")?,
        playouts: (0 < playouts).then_some(playouts),
        think_time: Duration::from_millis(500),
        ..mcts::Options::default()
    };
    let steal = one_of(settings, "steal", &STEALS[..2])?;
    let search = Mcts::<Rhombus<B, CAPTURES>>::new(judge, options, settings.seed);
    Ok(Box::new(Stealing { search, steal, limits: settings.limits }))
}

/// The value of an option that must be above 0.
fn positive(settings: &Settings, name: &str) -> Result<f64, SpecError> {
    let value = settings.get(name)?;
    if 0.0 < value {
        return Ok(value);
    }
    Err(SpecError::new(format!("{name}={value}: expected a number above 0")))
}

/// The value of an option that has few.
fn one_of<T: Copy>(settings: &Settings, name: &str, values: &[(&str, T)]) -> Result<T, SpecError> {
    let found: String = settings.get(name)?;
    if let Some((_, value)) = values.iter().find(|(word, _)| *word == found) {
        return Ok(*value);
    }
    let words: Vec<_> = values.iter().map(|(word, _)| *word).collect();
    Err(SpecError::new(format!("{name}={found}: expected one of {}", words.join(", "))))
}

/// What positions are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Eval {
    Paths,
    Cells,
}

const EVALS: &[(&str, Eval)] = &[("paths", Eval::Paths), ("cells", Eval::Cells)];

fn judge<B: Bits, const CAPTURES: bool>(eval: Eval, cells: f64) -> Arc<dyn Judge<Rhombus<B, CAPTURES>>> {
    match eval {
        Eval::Paths => Arc::new(Paths { cells }),
        Eval::Cells => Arc::new(Cells),
    }
}

/// Whether the first stone is stolen (Algorithm, last paragraph).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Steal {
    Always,
    IfBest,
    Never,
}

const STEALS: &[(&str, Steal)] =
    &[("always", Steal::Always), ("eval", Steal::IfBest), ("never", Steal::Never)];

/// The steal, where it is legal.
fn steal_at<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<Move> {
    (CAPTURES && pos.ply() == 1).then(|| pos.read_move("steal").ok())?
}

/// How deep the composite looks (Algorithm, "Specifically, depth was ...").
///
/// The report's `n-8` for small boards is read as 8 - n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Boards below this size have one depth for all turns.
    pub small: u8,
    /// On small boards depth and size add up to this.
    pub sum: u32,
    /// The depth with which larger boards begin.
    pub first: u32,
    /// The share of n² turns after which the depth grows by one.
    pub share: f64,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { small: 6, sum: 8, first: 0, share: 0.3 }
    }
}

impl Schedule {
    /// The depth after `n_turns` turns of both players. The report knows no more than n² turns, so the
    /// depth grows no further where captures make a game last longer.
    pub fn depth(&self, size: u8, n_turns: u16) -> u32 {
        if size < self.small {
            return self.sum.saturating_sub(size.into());
        }
        let max_turns = f64::from(size) * f64::from(size);
        self.first + (f64::from(n_turns).min(max_turns) / (self.share * max_turns)) as u32
    }
}

/// The report's composite of a greedy and an alpha-beta player (Algorithm).
struct Composite<B: Bits, const CAPTURES: bool> {
    search: AlphaBeta<Rhombus<B, CAPTURES>, Arc<dyn Judge<Rhombus<B, CAPTURES>>>>,
    eval: Eval,
    steal: Steal,
    /// `None` is always greedy.
    schedule: Option<Schedule>,
    limits: Limits,
    rng: fastrand::Rng,
}

impl<B: Bits, const CAPTURES: bool> Composite<B, CAPTURES> {
    fn new(
        settings: &Settings,
        schedule: Option<Schedule>,
        cells: f64,
        cached_evaluations: usize,
    ) -> Result<Self, SpecError> {
        let eval = one_of(settings, "eval", EVALS)?;
        let steal = one_of(settings, "steal", STEALS)?;
        let options = alphabeta::Options { cached_evaluations, ..alphabeta::Options::default() };
        let tactics = Box::new(Allowed { steal });
        let planner = Box::new(move |pos: &Rhombus<B, CAPTURES>, _: &Record, _: Limits| {
            Plan::fixed(schedule.unwrap_or_default().depth(pos.size(), pos.ply()))
        });
        let rng = fastrand::Rng::with_seed(settings.seed);
        let search = AlphaBeta::new(judge(eval, cells), tactics, options, planner);
        Ok(Composite { search, eval, steal, schedule, limits: settings.limits, rng })
    }

    /// The move after which the own distance is shortest, whatever the opponent's (Algorithm, "When depth
    /// was equal to zero ..."). The report does not say which of equals: one at random.
    fn greedy(&mut self, pos: &Rhombus<B, CAPTURES>) -> Choice {
        let watch = Budget::start(None, None);
        let mut moves = MoveList::new();
        Allowed { steal: self.steal }.moves(pos, &mut moves);
        let mover = pos.turn();
        let worth = |m: &Move| {
            let after = pos.after(*m);
            let is_won = after.outcome().is_some_and(|outcome| outcome.winner == Some(mover));
            match self.eval {
                _ if is_won => Score::win_in(1),
                Eval::Paths => Score::from_units(-f64::from(distance(&after, mover))),
                Eval::Cells => -Cells.value(&after),
            }
        };
        let scores: Vec<Score> = time(Part::Evaluation, || moves.iter().map(worth).collect());
        let best = scores.iter().copied().max().expect("the game is not over");
        let ties: Vec<Move> =
            moves.iter().zip(&scores).filter(|(_, score)| **score == best).map(|(&m, _)| m).collect();
        let mut choice = Choice::from(ties[self.rng.usize(..ties.len())]);
        choice.score = Some(best);
        choice.stats = each_move(&choice, 0, moves.len(), &watch);
        choice
    }
}

impl<B: Bits, const CAPTURES: bool> Agent for Composite<B, CAPTURES> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.search.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game)?;
        if self.steal == Steal::Always
            && let Some(m) = steal_at(&pos)
        {
            return Ok(m.into());
        }
        let limits = self.limits.or(limits);
        let planned = self.schedule.map(|schedule| schedule.depth(pos.size(), pos.ply()));
        match planned.map(|depth| limits.depth.unwrap_or(depth)) {
            None | Some(0) => Ok(self.greedy(&pos)),
            Some(_) => self.search.choose(game, limits, watch),
        }
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        self.search.terms(game)
    }
}

/// All legal moves, without the steal where the agent never steals.
struct Allowed {
    steal: Steal,
}

impl<B: Bits, const CAPTURES: bool> Tactics<Rhombus<B, CAPTURES>> for Allowed {
    fn moves(&mut self, pos: &Rhombus<B, CAPTURES>, moves: &mut MoveList) {
        AllMoves.moves(pos, moves);
        if self.steal == Steal::Never
            && let Some(steal) = steal_at(pos)
        {
            moves.retain(|&m| m != steal);
        }
    }
}

/// A tree search that steals before it thinks.
struct Stealing<B: Bits, const CAPTURES: bool> {
    search: Mcts<Rhombus<B, CAPTURES>>,
    steal: Steal,
    limits: Limits,
}

impl<B: Bits, const CAPTURES: bool> Agent for Stealing<B, CAPTURES> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.search.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Rhombus<B, CAPTURES>>(game)?;
        match steal_at(&pos) {
            Some(m) if self.steal == Steal::Always => Ok(m.into()),
            _ => self.search.choose(game, self.limits.or(limits), watch),
        }
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        self.search.terms(game)
    }
}
