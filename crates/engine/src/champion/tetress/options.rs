//! The parts of the search for Tetress, and how they are switched.

use super::eval::Weights;
use crate::champion::options::{WEIGHTS, are_weights_fitted};
use crate::options::{TABLE, THREADS};
use crate::{OptionInfo, Settings};

/// Which parts of the search are on.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many threads search at once.
    pub threads: usize,
    /// Size of the transposition table in bytes; 0 for none.
    pub table_bytes: usize,
    /// Whether moves that cut in sister positions are tried before all children are looked at.
    pub killers: bool,
    /// Children that are searched two plies above the leaves; 0 for all at every depth.
    pub width: u32,
    /// By how many percent that number grows with each ply more.
    pub widening: u32,
    /// How late a child must be to be searched a ply less deep at first; 0 for never.
    pub lmr: u32,
    /// What the features of a position are worth.
    pub weights: &'static Weights,
}

impl Options {
    /// Only what does not change a value: no part that guesses.
    pub const SOUND: Options = Options {
        threads: 1,
        table_bytes: 1 << 20,
        killers: true,
        width: 0,
        widening: 0,
        lmr: 0,
        weights: &Weights::HAND,
    };

    /// The parts that settings switch on.
    pub fn read(settings: &Settings) -> Options {
        let weights = if are_weights_fitted(settings) { &Weights::FITTED } else { &Weights::HAND };
        Options {
            threads: settings.get("threads"),
            table_bytes: settings.get::<usize>("table") << 20,
            killers: settings.get("killers"),
            width: settings.get("width"),
            widening: settings.get("widening"),
            lmr: settings.get("lmr"),
            weights,
        }
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
];
