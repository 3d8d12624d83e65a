//! The techniques of the search for Tetress, and how they are switched.

use super::eval::Weights;
use crate::pvs::options::{TABLE, THREADS, WEIGHTS, are_weights_fitted, at_most, option, read_threads};
use crate::{OptionInfo, Settings, SpecError};

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
    pub weights: &'static Weights,
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
        weights: &Weights::HAND,
    };

    /// The options that settings ask for.
    ///
    /// # Errors
    /// If a value is of the wrong kind or too large.
    pub fn read(settings: &Settings) -> Result<TetressOptions, SpecError> {
        let weights = if are_weights_fitted(settings)? { &Weights::FITTED } else { &Weights::HAND };
        Ok(TetressOptions {
            threads: read_threads(settings)?,
            table_bytes: at_most::<usize>(settings, "table", 4096)? << 20,
            killers: settings.is_on("killers")?,
            width: at_most(settings, "width", 3000)?,
            widening: at_most(settings, "widening", 1000)?,
            lmr: at_most(settings, "lmr", 3000)?,
            weights,
        })
    }
}

/// All options.
pub const OPTIONS: &[OptionInfo] = &[
    THREADS,
    TABLE,
    option("killers", "on", "try moves that cut in sister positions before looking at all children"),
    option("width", "16", "children that are searched two plies above the leaves; 0 for all everywhere"),
    option("widening", "100", "percent by which the width grows with each ply more"),
    option("lmr", "4", "children behind so many are searched less deep at first; 0 for none"),
    WEIGHTS,
];
