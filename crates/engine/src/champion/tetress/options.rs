//! The techniques of the search for Tetress, and how they are switched.

use super::super::source::{NET, Source, WEIGHTS};
use super::eval::Weights;
use crate::options::{TABLE, THREADS};
use crate::{OptionInfo, Settings, SpecError};

const GAME: &str = "tetress";

/// Which techniques are on.
#[derive(Clone, Copy, Debug)]
pub struct TetressOptions {
    /// The number of search threads.
    pub threads: usize,
    /// Size of the transposition table in bytes; 0 for none.
    pub table_bytes: usize,
    /// Whether killers are tried before all children are evaluated.
    pub killers: bool,
    /// The number of children that are searched at depth 2; 0 for all at every depth.
    pub width: u32,
    /// By how many percent that number grows with each ply.
    pub widening: u32,
    /// Late move reductions apply to children after this many; 0 for none.
    pub lmr: u32,
    /// The weights of the features.
    pub weights: Weights,
}

impl TetressOptions {
    /// No selective technique: the value is that of the whole tree.
    pub const SOUND: TetressOptions = TetressOptions {
        threads: 1,
        table_bytes: 1 << 20,
        killers: true,
        width: 0,
        widening: 0,
        lmr: 0,
        weights: Weights::HAND,
    };

    /// The options that settings ask for.
    ///
    /// # Errors
    /// If the weights cannot be read.
    pub fn read(settings: &Settings) -> Result<TetressOptions, SpecError> {
        let built_in = [Weights::FITTED, Weights::HAND, Weights::V0_1];
        let weights = Source::without_net(settings, GAME)?.choose(built_in, Weights::read)?;
        Ok(TetressOptions {
            threads: settings.get("threads"),
            table_bytes: settings.get::<usize>("table") << 20,
            killers: settings.get("killers"),
            width: settings.get("width"),
            widening: settings.get("widening"),
            lmr: settings.get("lmr"),
            weights,
        })
    }
}

/// All options.
pub const OPTIONS: &[OptionInfo] = &[
    THREADS,
    TABLE,
    OptionInfo::switch("killers", "on", "try killer moves before evaluating all children"),
    OptionInfo::integer(
        "width",
        0..=3000,
        "16",
        "children searched two plies above the leaves; 0 searches all",
    ),
    OptionInfo::integer("widening", 0..=1000, "100", "percent by which the width grows per ply of depth"),
    OptionInfo::integer(
        "lmr",
        0..=3000,
        "4",
        "late move reductions: children after the first N are searched less deeply at first; 0 turns them off",
    ),
    WEIGHTS,
    NET,
];
