//! The techniques of the search, and how they are switched.

use super::MAX_QUIESCENCE;
use crate::{OptionInfo, Settings};

/// Which techniques are on.
#[derive(Clone, Copy, Debug)]
pub struct PvsOptions {
    /// The number of search threads.
    pub threads: usize,
    /// Size of the transposition table in bytes; 0 for none.
    pub table_bytes: usize,
    /// Whether killers and countermoves are tried early.
    pub killers: bool,
    /// Whether quiet moves are sorted by history.
    pub history: bool,
    /// The greatest depth of quiescence search; 0 for none.
    pub quiescence: u32,
    /// The divisor of late move reductions; 0 for none.
    pub lmr: u32,
    /// Late move pruning: quiet moves at depth 1, times depth squared at the next; 0 for all.
    pub lmp: u32,
    /// Whether null move pruning is on.
    pub null: bool,
    /// The margin of futility pruning in hundredths a ply; 0 for none.
    pub futility: i32,
}

impl PvsOptions {
    /// No selective technique: the value is that of the whole tree.
    pub const SOUND: PvsOptions = PvsOptions {
        threads: 1,
        table_bytes: 1 << 20,
        killers: true,
        history: true,
        quiescence: 0,
        lmr: 0,
        lmp: 0,
        null: false,
        futility: 0,
    };

    /// The options that settings ask for.
    pub fn read(settings: &Settings) -> PvsOptions {
        PvsOptions {
            threads: settings.get("threads"),
            table_bytes: settings.get::<usize>("table") << 20,
            killers: settings.get("killers"),
            history: settings.get("history"),
            quiescence: settings.get("quiescence"),
            lmr: settings.get("lmr"),
            lmp: settings.get("lmp"),
            null: settings.get_or("null", false),
            futility: settings.get("futility"),
        }
    }
}

/// The options of champions by depth; each game lists those that it has, some with a default of its own.
pub const KILLERS: OptionInfo =
    OptionInfo::switch("killers", "on", "try killer moves and countermoves before other quiet moves");
pub const HISTORY: OptionInfo =
    OptionInfo::switch("history", "on", "order quiet moves by history: how often they caused cutoffs");
pub const QUIESCENCE: OptionInfo = OptionInfo::integer(
    "quiescence",
    0..=MAX_QUIESCENCE as i64,
    "6",
    "depth of the quiescence search in plies; 0 turns it off",
);
pub const LMR: OptionInfo = OptionInfo::integer(
    "lmr",
    0..=1000,
    "1",
    "late move reductions: higher values reduce less; 0 turns them off",
);
pub const LMP: OptionInfo = OptionInfo::integer(
    "lmp",
    0..=1000,
    "2",
    "late move pruning: quiet moves tried on the last ply, more on earlier plies; 0 tries all",
);
pub const NULL: OptionInfo = OptionInfo::switch("null", "on", "null move pruning");
pub const FUTILITY: OptionInfo = OptionInfo::integer(
    "futility",
    0..=1_000_000,
    "200",
    "futility pruning: margin per ply in hundredths; 0 turns it off",
);
