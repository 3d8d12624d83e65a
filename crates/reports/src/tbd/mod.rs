//! Report 003, Cachex, by TBD: greedy first, alpha-beta on shortest distances later, and always a steal.
//!
//! The agents play Hex too, where there is nothing to steal.

mod astar;
mod eval;

use std::sync::Arc;

use yarra_engine::agent::position_of;
use yarra_engine::alphabeta::{self, Plan};
use yarra_engine::eval::Judge;
use yarra_engine::mcts::MctsOptions;
use yarra_engine::mcts::options::{self as mcts, CUT, PLAYOUTS, ROLLOUT};
use yarra_engine::profile::{Part, time};
use yarra_engine::simple::each_move;
use yarra_engine::spec::{Factory, factory};
use yarra_engine::tactics::{AllMoves, Tactics};
use yarra_engine::{Agent, AgentError, AgentInfo, AlphaBeta, Budget, Choice, Limits, Mcts, OptionInfo};
use yarra_engine::{Score, Settings, SpecError, Term, Watch};
use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Game, Move, MoveList, Player, Position, Record, RhombusWork, with_rhombus};

pub use astar::distance_by_pairs;
pub use eval::{Cells, Paths, distance};

/// Calls a generic function with the type of a position of Cachex or Hex.
macro_rules! for_rhombus {
    ($make:ident, $pos:ident, $settings:ident) => {{
        struct Make<'a>(&'a Settings);
        impl RhombusWork for Make<'_> {
            type Output = Result<Factory, SpecError>;

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
        about: "greedy on its own shortest distance at first, then alpha-beta on the difference of both distances",
        source: "report 003, Algorithm",
        differs: &[
            "one sweep finds the shortest distance instead of n² runs of A*: the same number, faster; eval=astar is the report's way",
            "the depth for n < 6 is 8 - n: the report's n - 8 is negative",
            "the maximum number of turns is n²: the report does not say; the team's program counts turns=stones",
            "a blocked way costs n² instead of infinity: scores are finite, and no way costs more",
            "a win is worth more than any evaluation, and more the sooner it comes: the report gives it no value",
            "greedy play chooses one of equals at random: the report does not say which",
            "links and center are our choice of further features: the report wishes for some without naming them",
        ],
        options: &[TABLE, ENTRIES, EVAL, CELLS, LINKS, CENTER, STEAL, SMALL, SUM, FIRST, SHARE, TURNS],
        prepare: |pos, settings| for_rhombus!(tbd, pos, settings),
    },
    AgentInfo {
        name: "tbd-greedy",
        about: "the move that leaves it the shortest distance to connect",
        source: "report 003, Algorithm (depth zero)",
        differs: &["it chooses one of equals at random: the report does not say which"],
        options: &[EVAL, STEAL],
        prepare: |pos, settings| for_rhombus!(tbd_greedy, pos, settings),
    },
    AgentInfo {
        name: "tbd-mcts",
        about: "Monte Carlo tree search, which the report wished to compare with",
        source: "report 003, Performance Evaluation (a wish)",
        differs: &["the report only wishes for a Monte Carlo tree search: all numbers are our choice"],
        options: &[
            EVAL,
            CELLS,
            LINKS,
            CENTER,
            STEAL_OR_SEARCH,
            PLAYOUTS,
            mcts::EXPLORATION.with("1.414"),
            ROLLOUT,
            CUT,
            mcts::SCALE.with("2"),
        ],
        prepare: |pos, settings| for_rhombus!(tbd_mcts, pos, settings),
    },
];

const TABLE: OptionInfo = OptionInfo::switch("table", "off", "cache evaluations");
const ENTRIES: OptionInfo = OptionInfo::count("entries", "200000", "evaluations that the cache holds");
const EVAL: OptionInfo = OptionInfo::choice(
    "eval",
    &["paths", "astar", "cells"],
    "paths",
    "evaluation: shortest `paths`, the same by 2n² runs of A* (`astar`), or `cells` (number of stones)",
);
const CELLS: OptionInfo = OptionInfo::number("cells", "0", "weight of a stone in the evaluation by paths");
const LINKS: OptionInfo =
    OptionInfo::number("links", "0", "weight of a pair of adjacent stones in the evaluation by paths");
const CENTER: OptionInfo =
    OptionInfo::number("center", "0", "weight of a stone on the center in the evaluation by paths");
const STEAL: OptionInfo = OptionInfo::choice(
    "steal",
    &["always", "eval", "never"],
    "always",
    "steal `always`, `never`, or if it has the best `eval`",
);
const STEAL_OR_SEARCH: OptionInfo = OptionInfo::choice(
    "steal",
    &["always", "eval"],
    "always",
    "steal `always`, or if the search (`eval`) prefers it",
);
const SMALL: OptionInfo =
    OptionInfo::integer("small", 0..=255, "6", "boards below this size are searched to one fixed depth");
const SUM: OptionInfo = OptionInfo::count("sum", "8", "depth plus size on small boards");
const FIRST: OptionInfo = OptionInfo::count("first", "0", "initial depth on larger boards");
const SHARE: OptionInfo =
    OptionInfo::number("share", "0.3", "share of n² turns after which the depth grows by one").above_zero();
const TURNS: OptionInfo = OptionInfo::choice(
    "turns",
    &["played", "stones"],
    "played",
    "what the schedule counts as turns: all that were `played`, or the `stones` on the board",
);

fn tbd<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Factory, SpecError> {
    let schedule = Schedule {
        small: settings.get("small"),
        sum: settings.get("sum"),
        first: settings.get("first"),
        share: settings.get("share"),
        by_stones: settings.get::<&str>("turns") == "stones",
    };
    let cached_evaluations = if settings.get("table") { settings.get("entries") } else { 0 };
    let settings = settings.clone();
    Ok(factory(move |seed| {
        Composite::<B, CAPTURES>::new(&settings, Some(schedule), cached_evaluations, seed)
    }))
}

fn tbd_greedy<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Factory, SpecError> {
    let settings = settings.clone();
    Ok(factory(move |seed| Composite::<B, CAPTURES>::new(&settings, None, 0, seed)))
}

fn tbd_mcts<B: Bits, const CAPTURES: bool>(settings: &Settings) -> Result<Factory, SpecError> {
    let judge = judge::<B, CAPTURES>(Eval::read(settings));
    let (options, steal, limits) = (MctsOptions::read(settings), Steal::read(settings), settings.limits);
    Ok(factory(move |seed| {
        let search = Mcts::<Rhombus<B, CAPTURES>>::new(judge.clone(), options, seed);
        Stealing { search, steal, limits }
    }))
}

/// The evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Eval {
    Paths(Paths),
    Cells,
}

impl Eval {
    fn read(settings: &Settings) -> Eval {
        if settings.get::<&str>("eval") == "cells" { Eval::Cells } else { Eval::Paths(Paths::read(settings)) }
    }
}

fn judge<B: Bits, const CAPTURES: bool>(eval: Eval) -> Arc<dyn Judge<Rhombus<B, CAPTURES>>> {
    match eval {
        Eval::Paths(paths) => Arc::new(paths),
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

impl Steal {
    fn read(settings: &Settings) -> Steal {
        match settings.get("steal") {
            "eval" => Steal::IfBest,
            "never" => Steal::Never,
            _ => Steal::Always,
        }
    }
}

/// The steal, where it is legal.
fn steal_at<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<Move> {
    (CAPTURES && pos.ply() == 1).then(|| pos.read_move("steal").ok())?
}

/// How deep the composite searches (Algorithm, "Specifically, depth was ...").
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
    /// Whether stones on the board count instead of turns, as in the team's program: captures take them back.
    pub by_stones: bool,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule { small: 6, sum: 8, first: 0, share: 0.3, by_stones: false }
    }
}

impl Schedule {
    /// The depth for the next move.
    fn depth_at<B: Bits, const CAPTURES: bool>(&self, pos: &Rhombus<B, CAPTURES>) -> u32 {
        let n_stones = || Player::BOTH.map(|player| pos.material(player)).iter().sum::<u32>() as u16;
        self.depth(pos.size(), if self.by_stones { n_stones() } else { pos.ply() })
    }

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
    fn new(settings: &Settings, schedule: Option<Schedule>, cached_evaluations: usize, seed: u64) -> Self {
        let (eval, steal) = (Eval::read(settings), Steal::read(settings));
        let options = alphabeta::Options { cached_evaluations, ..alphabeta::Options::default() };
        let tactics = Box::new(Allowed { steal });
        let planner = Box::new(move |pos: &Rhombus<B, CAPTURES>, _: &Record, _: Limits| {
            Plan::fixed(schedule.unwrap_or_default().depth_at(pos))
        });
        let rng = fastrand::Rng::with_seed(seed);
        let search = AlphaBeta::new(judge(eval), tactics, options, planner);
        Composite { search, eval, steal, schedule, limits: settings.limits, rng }
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
                Eval::Paths(paths) => Score::from_units(-f64::from(paths.distance(&after, mover))),
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
        let planned = self.schedule.map(|schedule| schedule.depth_at(&pos));
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

/// A tree search that steals without searching.
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
