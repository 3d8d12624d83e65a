//! The reports' evaluations by name.

use std::any::Any;
use std::sync::Arc;

use yarra_engine::eval::Judge;
use yarra_games::Game;
use yarra_games::cachex::{Bits, Rhombus, U256};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;

use crate::{entourage, insight, psotip, raccoons, tbd};

/// An evaluation that can be asked for by name.
pub struct JudgeInfo<G: Game> {
    /// The name, such as `entourage`.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Makes it with the report's weights.
    pub make: fn() -> Arc<dyn Judge<G>>,
}

/// The evaluations of a game, the best known first: it is the default. Empty for a game without a report.
pub fn judges<G: Game>() -> &'static [JudgeInfo<G>] {
    let lists: [&dyn Any; 8] = [
        &INFEXION,
        &TETRESS,
        &rhombus::<u64, true>(),
        &rhombus::<u128, true>(),
        &rhombus::<U256, true>(),
        &rhombus::<u64, false>(),
        &rhombus::<u128, false>(),
        &rhombus::<U256, false>(),
    ];
    lists.iter().find_map(|list| list.downcast_ref::<&'static [JudgeInfo<G>]>()).copied().unwrap_or_default()
}

const INFEXION: &[JudgeInfo<Infexion>] = &[entourage::JUDGE, psotip::JUDGE, raccoons::JUDGE];
const TETRESS: &[JudgeInfo<Tetress>] = &[insight::JUDGE];

fn rhombus<B: Bits, const CAPTURES: bool>() -> &'static [JudgeInfo<Rhombus<B, CAPTURES>>] {
    &[
        JudgeInfo {
            name: "tbd",
            about: "report 003: the opponent's shortest distance minus its own",
            make: || Arc::new(tbd::Paths::default()),
        },
        JudgeInfo {
            name: "astar",
            about: "report 003: the same by 2n² runs of A*",
            make: || Arc::new(tbd::Paths { by_pairs: true, ..tbd::Paths::default() }),
        },
        JudgeInfo {
            name: "cells",
            about: "report 003: own stones minus the opponent's",
            make: || Arc::new(tbd::Cells),
        },
    ]
}
