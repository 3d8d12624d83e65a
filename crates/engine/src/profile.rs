//! Where a search's time goes, by part.
//!
//! Off by default, and then it costs one check of a flag. There is one profile per thread: the parts of a search are
//! in different modules, and passing a stopwatch through all of them would clutter every signature.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// A part of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Listing and making moves.
    Moves,
    /// Pruning moves that do not seem useful.
    Reduction,
    /// Sorting moves.
    Ordering,
    /// Detecting endgames.
    Endgame,
    /// Finding groups of stones.
    Clusters,
    /// Evaluation, including the parts it is made of.
    Evaluation,
    /// Rollouts.
    Rollouts,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 7] = [
        Part::Moves,
        Part::Reduction,
        Part::Ordering,
        Part::Endgame,
        Part::Clusters,
        Part::Evaluation,
        Part::Rollouts,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Moves => "moves",
            Part::Reduction => "reduction",
            Part::Ordering => "ordering",
            Part::Endgame => "endgame",
            Part::Clusters => "clusters",
            Part::Evaluation => "evaluation",
            Part::Rollouts => "rollouts",
        }
    }
}

/// Time and calls of each part, in the order of [`Part::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(pub [(Duration, u64); Part::ALL.len()]);

impl Parts {
    /// Adds another profile.
    pub fn add(&mut self, other: &Parts) {
        for (mine, others) in self.0.iter_mut().zip(other.0) {
            mine.0 += others.0;
            mine.1 += others.1;
        }
    }
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static PARTS: RefCell<Parts> = RefCell::default();
}

/// Switches the profile of this thread on or off.
pub fn switch(is_on: bool) {
    IS_ON.set(is_on);
}

/// Takes what this thread has measured so far.
pub fn take() -> Parts {
    PARTS.take()
}

/// Does some work and, if the profile is on, measures it.
#[inline(always)]
pub fn time<R>(part: Part, work: impl FnOnce() -> R) -> R {
    if !IS_ON.get() {
        return work();
    }
    let started = Instant::now();
    let result = work();
    let elapsed = started.elapsed();
    PARTS.with_borrow_mut(|parts| {
        let (total, n_calls) = &mut parts.0[part as usize];
        *total += elapsed;
        *n_calls += 1;
    });
    result
}
