//! Several searches of one position at once, each with a memory of its own and all with the same table: what
//! one of them finds, the others need not look for.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use crate::{Choice, Progress, Watch};

/// Searches with a whole team. The first member is watched and decides; each other one searches until the
/// first is done, and its choice is dropped. `search` is told the member's number.
pub fn together<S: Send>(
    team: &mut [S],
    watch: &mut Watch<'_>,
    search: impl Fn(&mut S, usize, &mut Watch<'_>) -> Vec<Choice> + Sync,
) -> Vec<Choice> {
    let Some((first, others)) = team.split_first_mut() else { return Vec::new() };
    if others.is_empty() {
        return search(first, 0, watch);
    }
    let is_over = AtomicBool::new(false);
    let nodes: Vec<AtomicU64> = others.iter().map(|_| AtomicU64::new(0)).collect();
    let nodes_of_others = || nodes.iter().map(|nodes| nodes.load(Relaxed)).sum::<u64>();
    thread::scope(|scope| {
        let (search, is_over, nodes) = (&search, &is_over, &nodes);
        let mut helpers = Vec::new();
        for (idx, member) in others.iter_mut().enumerate() {
            helpers.push(scope.spawn(move || {
                let mut watch = |progress: &Progress<'_>| {
                    nodes[idx].store(progress.nodes, Relaxed);
                    if is_over.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                search(member, idx + 1, &mut watch)
            }));
        }
        let mut watch_all = |progress: &Progress<'_>| {
            watch(&Progress { nodes: progress.nodes + nodes_of_others(), ..*progress })
        };
        let mut choices = search(first, 0, &mut watch_all);
        is_over.store(true, Relaxed);
        for helper in helpers {
            let Ok(theirs) = helper.join() else { continue };
            if let ([choice, ..], [other, ..]) = (&mut choices[..], &theirs[..]) {
                choice.stats.add(&other.stats);
            }
        }
        choices
    })
}
