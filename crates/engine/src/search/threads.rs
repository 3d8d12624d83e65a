//! Lazy SMP: several threads search one position, each with its own history tables and all with one transposition
//! table. Searches that want to can also share work by ABDADA.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use yarra_games::{Game, Record};

use crate::agent::position_of;
use crate::{AgentError, Choice, Limits, Progress, Stop, Table, Watch};

/// The positions being searched right now. By ABDADA, threads defer moves that another thread is searching: by the time
/// they come back to them, the table has the result.
pub struct Abdada(Vec<AtomicU64>);

/// Many more slots than nodes being searched at once, so that two hardly ever share one.
const N_SLOTS: usize = 1 << 12;

impl Abdada {
    /// An empty set for this many threads.
    pub fn new(n_threads: usize) -> Abdada {
        let n_slots = if n_threads < 2 { 0 } else { N_SLOTS };
        Abdada((0..n_slots).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> Option<&AtomicU64> {
        self.0.get(key as usize % N_SLOTS)
    }

    /// Whether some thread is searching a position.
    #[inline(always)]
    pub fn has(&self, key: u64) -> bool {
        self.slot(key).is_some_and(|slot| slot.load(Relaxed) == key)
    }

    /// The search of a position begins.
    #[inline(always)]
    pub fn enter(&self, key: u64) {
        if let Some(slot) = self.slot(key) {
            slot.store(key, Relaxed);
        }
    }

    /// The search of a position is over.
    #[inline(always)]
    pub fn leave(&self, key: u64) {
        if let Some(slot) = self.slot(key) {
            slot.store(0, Relaxed);
        }
    }
}

/// The search threads of one agent: `S` is what one thread keeps from move to move.
pub struct LazySmp<S> {
    table: Arc<Table>,
    threads: Vec<S>,
}

impl<S: Send> LazySmp<S> {
    /// This many threads over a table of this size.
    pub fn new(
        n_threads: usize,
        table_bytes: usize,
        thread: impl Fn(Arc<Table>, Arc<Abdada>) -> S,
    ) -> LazySmp<S> {
        let table = Arc::new(Table::new(table_bytes));
        let abdada = Arc::new(Abdada::new(n_threads));
        let threads = (0..n_threads.max(1)).map(|_| thread(table.clone(), abdada.clone())).collect();
        LazySmp { table, threads }
    }

    /// A new game begins: clears the table and each thread.
    pub fn clear(&mut self, clear: impl Fn(&mut S)) {
        self.table.clear();
        self.threads.iter_mut().for_each(clear);
    }

    /// The best lines of a game's position.
    ///
    /// # Errors
    /// If the game is not the agent's.
    pub fn lines<G: Game>(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
        run: impl Fn(&mut S, &RootTask<'_, G>, &mut Watch<'_>) -> Vec<Choice> + Sync,
    ) -> Result<Vec<Choice>, AgentError> {
        let pos = position_of::<G>(game)?;
        self.table.grow_older();
        // Helpers run until the first thread is done. Every second one starts a ply deeper, because threads in
        // lockstep would learn little from each other.
        let endless = Limits { depth: limits.depth, nodes: Some(u64::MAX), ..Limits::default() };
        let run = &run;
        let jobs = self.threads.iter_mut().enumerate().map(|(idx, thread)| -> Job<'_> {
            let limits = if idx == 0 { limits } else { endless };
            let first_depth = 1 + idx as u32 % 2;
            let task = RootTask { pos, game, limits, n_lines, first_depth };
            Box::new(move |watch| run(thread, &task, watch))
        });
        let mut lines = search_in_parallel(jobs.collect(), watch);
        lines[0].stats.memory = self.table.memory();
        Ok(lines)
    }
}

/// What a thread searches.
pub struct RootTask<'a, G> {
    /// The root.
    pub pos: G,
    /// The game that led to it.
    pub game: &'a Record,
    pub limits: Limits,
    /// MultiPV: the number of lines.
    pub n_lines: usize,
    /// The depth of the first iteration.
    pub first_depth: u32,
}

/// The search of one thread.
type Job<'a> = Box<dyn FnOnce(&mut Watch<'_>) -> Vec<Choice> + Send + 'a>;

/// Searches with all threads. The first one is watched and decides; the others search until it is done, and their
/// choices are dropped.
fn search_in_parallel(jobs: Vec<Job<'_>>, watch: &mut Watch<'_>) -> Vec<Choice> {
    let mut others = jobs.into_iter();
    let Some(first) = others.next() else { return Vec::new() };
    if others.len() == 0 {
        return first(watch);
    }
    let is_over = Stop::new();
    let nodes: Vec<AtomicU64> = others.as_slice().iter().map(|_| AtomicU64::new(0)).collect();
    let nodes_of_others = || nodes.iter().map(|nodes| nodes.load(Relaxed)).sum::<u64>();
    thread::scope(|scope| {
        let is_over = &is_over;
        let mut helpers = Vec::new();
        for (search, nodes) in others.zip(&nodes) {
            helpers.push(scope.spawn(move || {
                search(&mut |progress: &Progress<'_>| {
                    nodes.store(progress.nodes, Relaxed);
                    is_over.flow()
                })
            }));
        }
        let mut choices = first(&mut |progress: &Progress<'_>| {
            watch(&Progress { nodes: progress.nodes + nodes_of_others(), ..*progress })
        });
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
