//! Report 004, Infexion: minimax to depth 2 on power and cells, with a cache of evaluations, and a simplified AlphaZero.

mod eval;
pub mod zero;

use std::sync::Arc;

use yarra_engine::alphabeta::{Options, Plan};
use yarra_engine::eval::Judge;
use yarra_engine::options::join;
use yarra_engine::profile::{Part, time};
use yarra_engine::spec::{Factory, expect_game, factory};
use yarra_engine::tactics::AllMoves;
use yarra_engine::{AgentInfo, AlphaBeta, OptionInfo, Settings, SpecError, Tactics};
use yarra_games::infexion::Infexion;
use yarra_games::infexion::cells::FIRST_SPREAD;
use yarra_games::{MoveList, Position};

use crate::judges::JudgeInfo;
pub use eval::Weights;

/// The agents of this report.
pub const AGENTS: &[AgentInfo] = &[MINIMAX, zero::AGENT];

const MINIMAX: AgentInfo = AgentInfo {
    name: "raccoons",
    about: "alpha-beta to depth 2 on power and cells",
    source: "report 004, Agent 2: Minimax Implementation",
    differs: &[
        "power and cells weigh the same, as in the text; the team's program is cells=6",
        "a win is worth more than any evaluation, and more the sooner it comes: the report gives it no value",
        "states are cached by a hash of 64 bits instead of the board: two boards with one hash are not to be expected",
        "enemy_attacked and empty_attacked have no default weight: the report dropped both terms without one",
    ],
    options: &OPTIONS,
    prepare: minimax,
};

/// The report's evaluation.
pub const JUDGE: JudgeInfo<Infexion> = JudgeInfo {
    name: "raccoons",
    about: "report 004: power and cells",
    make: || Arc::new(Weights::default()),
};

const OPTIONS: [OptionInfo; 8] = join(&[&HABITS, &eval::OPTIONS]);

const HABITS: [OptionInfo; 3] = [
    OptionInfo::count("depth", "2", "plies to search"),
    OptionInfo::switch("ordering", "on", "search spreads before spawns"),
    OptionInfo::count("cache", "12000", "evaluations to cache; the oldest are replaced first"),
];

/// Report 004, Agent 2, 1 (The Minimax Algorithm).
fn minimax(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Infexion>("raccoons", pos)?;
    let judge: Arc<dyn Judge<Infexion>> = Arc::new(Weights::read(settings));
    let is_ordered: bool = settings.get("ordering");
    // Report 004, Agent 2, Optimizations: the dictionary of evaluated states.
    let options = Options { cached_evaluations: settings.get("cache"), ..Options::default() };
    let depth = settings.get("depth");
    Ok(factory(move |_| {
        let tactics: Box<dyn Tactics<Infexion>> =
            if is_ordered { Box::new(SpreadsFirst) } else { Box::new(AllMoves) };
        AlphaBeta::new(judge.clone(), tactics, options, Box::new(move |_, _, _| Plan::fixed(depth)))
    }))
}

/// Report 004, Agent 2, 1 (The Minimax Algorithm): spreads before spawns, for no spawn wins.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpreadsFirst;

impl Tactics<Infexion> for SpreadsFirst {
    fn moves(&mut self, pos: &Infexion, moves: &mut MoveList) {
        AllMoves.moves(pos, moves);
        time(Part::Ordering, || {
            let n_spawns = moves.partition_point(|&m| m < FIRST_SPREAD);
            moves.rotate_left(n_spawns);
        });
    }
}
