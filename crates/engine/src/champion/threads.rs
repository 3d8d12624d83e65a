//! Several searches of one position at once, each with a memory of its own and all with the same table: what
//! one of them finds, the others need not look for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use yarra_games::{Game, Record};

use crate::agent::position_of;
use crate::{AgentError, Choice, Limits, Progress, Stop, Table, Watch};

/// What is being searched right now. A search leaves the moves of a node for last that others are at: by then the table
/// knows them.
pub struct Busy(Vec<AtomicU64>);

/// Many more places than threads search nodes at once, so that hardly two share one.
const N_PLACES: usize = 1 << 12;

impl Busy {
    fn new(n_threads: usize) -> Busy {
        let n_places = if n_threads < 2 { 0 } else { N_PLACES };
        Busy((0..n_places).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn place(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get(key as usize % N_PLACES)
    }

    /// Whether somebody searches a position.
    #[inline(always)]
    pub fn has(&self, key: u64) -> bool {
        self.place(key).is_some_and(|place| place.load(Relaxed) == key)
    }

    /// The search of a position begins.
    #[inline(always)]
    pub fn enter(&self, key: u64) {
        if let Some(place) = self.place(key) {
            place.store(key, Relaxed);
        }
    }

    /// The search of a position is over.
    #[inline(always)]
    pub fn leave(&self, key: u64) {
        if let Some(place) = self.place(key) {
            place.store(0, Relaxed);
        }
    }
}

/// Searches for one agent, one a thread.
pub struct Team<S> {
    table: Arc<Table>,
    members: Vec<S>,
}

impl<S: Send> Team<S> {
    /// As many searches as threads, over a table of some size.
    pub fn new(n_threads: usize, table_bytes: usize, member: impl Fn(Arc<Table>, Arc<Busy>) -> S) -> Team<S> {
        let table = Arc::new(Table::new(table_bytes));
        let busy = Arc::new(Busy::new(n_threads));
        let members = (0..n_threads.max(1)).map(|_| member(table.clone(), busy.clone())).collect();
        Team { table, members }
    }

    /// A new game begins: the table is cleared, and each member forgets.
    pub fn forget(&mut self, forget: impl Fn(&mut S)) {
        self.table.clear();
        self.members.iter_mut().for_each(forget);
    }

    /// The best lines of a game's position.
    ///
    /// # Errors
    /// If it is another game than the agent's.
    pub fn lines<G: Game>(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
        run: impl Fn(&mut S, &Task<'_, G>, &mut Watch<'_>) -> Vec<Choice> + Sync,
    ) -> Result<Vec<Choice>, AgentError> {
        let pos = position_of::<G>(game)?;
        self.table.grow_older();
        let mut lines = together(&mut self.members, watch, |search, idx, watch| {
            // The others go on for as long as the first does, every second one of them a ply ahead: threads that
            // all do the same would learn little from each other.
            let endless = Limits { depth: limits.depth, nodes: Some(u64::MAX), ..Limits::default() };
            let limits = if idx == 0 { limits } else { endless };
            let first_depth = 1 + idx as u32 % 2;
            run(search, &Task { pos, game, limits, n_lines, first_depth }, watch)
        });
        lines[0].stats.memory = self.table.memory();
        Ok(lines)
    }
}

/// What a search is asked for.
pub struct Task<'a, G> {
    /// Where to move.
    pub pos: G,
    /// How the game came there.
    pub game: &'a Record,
    pub limits: Limits,
    /// How many lines to tell.
    pub n_lines: usize,
    /// The depth to begin with.
    pub first_depth: u32,
}

/// Searches with a whole team. The first member is watched and decides; each other one searches until the
/// first is done, and its choice is dropped. `search` is told the member's number.
fn together<S: Send>(
    team: &mut [S],
    watch: &mut Watch<'_>,
    search: impl Fn(&mut S, usize, &mut Watch<'_>) -> Vec<Choice> + Sync,
) -> Vec<Choice> {
    let Some((first, others)) = team.split_first_mut() else { return Vec::new() };
    if others.is_empty() {
        return search(first, 0, watch);
    }
    let is_over = Stop::new();
    let nodes: Vec<AtomicU64> = others.iter().map(|_| AtomicU64::new(0)).collect();
    let nodes_of_others = || nodes.iter().map(|nodes| nodes.load(Relaxed)).sum::<u64>();
    thread::scope(|scope| {
        let (search, is_over, nodes) = (&search, &is_over, &nodes);
        let mut helpers = Vec::new();
        for (idx, member) in others.iter_mut().enumerate() {
            helpers.push(scope.spawn(move || {
                let mut watch = |progress: &Progress<'_>| {
                    nodes[idx].store(progress.nodes, Relaxed);
                    is_over.flow()
                };
                search(member, idx + 1, &mut watch)
            }));
        }
        let mut watch_all = |progress: &Progress<'_>| {
            watch(&Progress { nodes: progress.nodes + nodes_of_others(), ..*progress })
        };
        let mut choices = search(first, 0, &mut watch_all);
        is_over.raise();
        for helper in helpers {
            let Ok(theirs) = helper.join() else { continue };
            if let ([choice, ..], [other, ..]) = (&mut choices[..], &theirs[..]) {
                choice.stats.add(&other.stats);
            }
        }
        choices
    })
}
