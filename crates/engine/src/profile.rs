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
    /// Finding shortest paths.
    Paths,
    /// Evaluation, including the parts it is made of.
    Evaluation,
    /// Rollouts.
    Rollouts,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 8] = [
        Part::Moves,
        Part::Reduction,
        Part::Ordering,
        Part::Endgame,
        Part::Clusters,
        Part::Paths,
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
            Part::Paths => "paths",
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

/// A quantity of positions whose average the analysis of report 000 uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// s: legal moves of an internal node.
    LegalMoves,
    /// p: power of a cell of the player to move at an internal node.
    Power,
    /// n: occupied cells of a leaf.
    Occupied,
    /// c: clusters of a leaf.
    Clusters,
}

/// Sums and counts of each [`Quantity`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Means([(f64, u64); 4]);

impl Means {
    /// The average, if the quantity was measured.
    pub fn get(&self, quantity: Quantity) -> Option<f64> {
        let (sum, count) = self.0[quantity as usize];
        (0 < count).then(|| sum / count as f64)
    }
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static PARTS: RefCell<Parts> = RefCell::default();
    static MEANS: RefCell<Means> = RefCell::default();
}

/// Whether the profile of this thread is on.
#[inline(always)]
pub fn is_on() -> bool {
    IS_ON.get()
}

/// Takes a position's quantity into the average.
pub fn note(quantity: Quantity, value: f64) {
    MEANS.with_borrow_mut(|means| {
        let (sum, count) = &mut means.0[quantity as usize];
        *sum += value;
        *count += 1;
    });
}

/// Takes the averages of this thread so far.
pub fn take_means() -> Means {
    MEANS.take()
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
    let started = IS_ON.get().then(Instant::now);
    let result = work();
    if let Some(started) = started {
        add(part, started);
    }
    result
}

/// Adds a call that began then. Not generic, since it would be compiled for hundreds of callers.
#[cold]
fn add(part: Part, started: Instant) {
    let elapsed = started.elapsed();
    PARTS.with_borrow_mut(|parts| {
        let (total, n_calls) = &mut parts.0[part as usize];
        *total += elapsed;
        *n_calls += 1;
    });
}
