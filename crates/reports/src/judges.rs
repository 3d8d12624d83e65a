//! The reports' evaluations by name.

use std::sync::Arc;

use yarra_engine::eval::Judge;
use yarra_games::Game;
use yarra_games::cachex::{Bits, Rhombus};
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

/// A game whose positions some report can judge.
pub trait Judged: Game {
    /// The evaluations of the game, the best known first: it is the default.
    const JUDGES: &'static [JudgeInfo<Self>];
}

impl Judged for Infexion {
    const JUDGES: &'static [JudgeInfo<Infexion>] = &[entourage::JUDGE, psotip::JUDGE, raccoons::JUDGE];
}

impl Judged for Tetress {
    const JUDGES: &'static [JudgeInfo<Tetress>] = &[insight::JUDGE];
}

impl<B: Bits, const CAPTURES: bool> Judged for Rhombus<B, CAPTURES> {
    const JUDGES: &'static [JudgeInfo<Self>] = &[
        JudgeInfo {
            name: "tbd",
            about: "the opponent's shortest distance less the own one (report 003)",
            make: || Arc::new(tbd::Paths::default()),
        },
        JudgeInfo {
            name: "cells",
            about: "own stones less the opponent's (report 003)",
            make: || Arc::new(tbd::Cells),
        },
    ];
}
