//! Counting move sequences, to verify the rules and to measure their speed.

use std::ops::ControlFlow;

use crate::cpu::{AnyCpu, Cpu, ModernCpu};
use crate::{Game, History, Move, MoveList, Record, Work, with_game};

/// How the positions at the end of the sequences are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// By the number of legal moves one ply before, without making the last moves.
    Counted,
    /// By making every last move: slower, but it exercises all of the rules.
    Made,
}

/// The number of sequences of exactly `depth` legal moves from the current position of a game.
///
/// A finished game has none, including one drawn by repetition.
///
/// ```
/// use yarra_games::perft::{Leaves, perft};
/// use yarra_games::{Record, start};
///
/// let record = Record::new(start("infexion")?);
/// assert_eq!(perft(&record, 3, Leaves::Counted), 124_656);
/// # Ok::<(), yarra_games::ParseError>(())
/// ```
pub fn perft(record: &Record, depth: u32, leaves: Leaves) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut n_nodes = 0;
    let _ = divide(record, depth, leaves, &mut |_, n| {
        n_nodes += n;
        ControlFlow::Continue(())
    });
    n_nodes
}

/// Calls `each` with every legal move and the number of sequences that start with it, until it breaks.
///
/// `each` is no type parameter, so that the counting is compiled once, in this crate.
///
/// # Panics
/// If `depth` is 0: an empty sequence has no first move.
pub fn divide(
    record: &Record,
    depth: u32,
    leaves: Leaves,
    each: &mut dyn FnMut(Move, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    assert!(0 < depth, "a sequence of no moves cannot be divided by its first");
    if record.outcome().is_some() {
        return ControlFlow::Continue(());
    }
    with_game(record.now(), Divide { record, depth, leaves, each })
}

struct Divide<'a> {
    record: &'a Record,
    depth: u32,
    leaves: Leaves,
    each: &'a mut dyn FnMut(Move, u64) -> ControlFlow<()>,
}

impl Work for Divide<'_> {
    type Output = ControlFlow<()>;

    fn run<G: Game>(self, pos: &G) -> ControlFlow<()> {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let mut boards = History::new(self.record, self.depth);
        for m in moves {
            let child = pos.after(m);
            let count = Count { depth: self.depth - 1, leaves: self.leaves };
            let n = match ModernCpu::detect() {
                Some(cpu) => count.from(cpu, &child, &mut boards),
                None => count.from(AnyCpu, &child, &mut boards),
            };
            (self.each)(m, n)?;
        }
        ControlFlow::Continue(())
    }
}

#[derive(Clone, Copy)]
struct Count {
    depth: u32,
    leaves: Leaves,
}

impl Count {
    fn from<G: Game, C: Cpu>(self, cpu: C, pos: &G, boards: &mut History) -> u64 {
        let mut lists = vec![MoveList::new(); self.depth as usize];
        match self.leaves {
            Leaves::Counted => count::<G, C, false>(cpu, pos, self.depth, &mut lists, boards),
            Leaves::Made => count::<G, C, true>(cpu, pos, self.depth, &mut lists, boards),
        }
    }
}

fn count<G: Game, C: Cpu, const MADE: bool>(
    cpu: C,
    pos: &G,
    depth: u32,
    lists: &mut [MoveList],
    boards: &mut History,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    cpu.run(
        #[inline(always)]
        || {
            if !boards.enter(pos) {
                return 0;
            }
            let (list, lists) = lists.split_first_mut().expect("a list for each ply");
            let n_nodes = match depth {
                1 if !MADE => pos.n_legal_moves() as u64,
                1 => children(pos, list, |child| {
                    std::hint::black_box(child);
                    1
                }),
                // The last positions need not be entered if repetition cannot end the game.
                2 if !MADE && !boards.is_watched() => {
                    children(pos, list, |child| child.n_legal_moves() as u64)
                }
                _ => children(pos, list, |child| count::<G, C, MADE>(cpu, child, depth - 1, lists, boards)),
            };
            boards.leave();
            n_nodes
        },
    )
}

#[inline(always)]
fn children<G: Game>(pos: &G, list: &mut MoveList, mut n_below: impl FnMut(&G) -> u64) -> u64 {
    list.clear();
    pos.legal_moves(list);
    let mut n_nodes = 0;
    for &m in list.iter() {
        n_nodes += n_below(&pos.after(m));
    }
    n_nodes
}
