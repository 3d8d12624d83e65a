//! The recursion: principal variation search over the children with the best static evaluations.

use yarra_games::cpu::Cpu;
use yarra_games::tetress::{TURN_LIMIT, Tetress};
use yarra_games::{Game, Move, Position};

use super::eval::Boards;
use super::thread::{MAX_DEPTH, TetressThread};
use crate::eval::usual_end;
use crate::profile::{Part, time};
use crate::search::{Bound, NO_MOVE, TableKeys, Window};
use crate::{Choice, Score, Watch};

/// How many children are evaluated together: enough vector instructions at a time that none waits for another.
const N_AT_ONCE: usize = 16;
/// The hash move and two killers, in a vector of four.
const N_EARLY: usize = 4;
/// ABDADA applies from this depth on.
const MIN_ABDADA_DEPTH: i32 = 3;

/// The recursion, with everything it needs at hand.
pub struct TetressSearch<'a, 'w> {
    pub thread: &'a mut TetressThread,
    pub watch: &'a mut Watch<'w>,
    /// The root's best line so far.
    pub best: &'a Choice,
}

/// A visit to a node.
#[derive(Clone, Copy)]
pub struct TetressVisit<'a> {
    pub pos: &'a Tetress,
    pub depth: i32,
    pub window: Window,
    /// The distance from the root.
    pub ply: u32,
}

/// A node whose children are being searched.
struct Parent<'a> {
    pos: &'a Tetress,
    depth: i32,
    ply: u32,
    alpha: Score,
    beta: Score,
    best: Score,
    mv: Move,
    n_searched: u32,
}

/// A child with its static evaluation, for the player to move there.
struct Child {
    mv: Move,
    pos: Tetress,
    value: Score,
}

/// Whether a node needs no more children.
type IsDone = bool;

impl TetressSearch<'_, '_> {
    /// The value of a position for the player to move. The game is not over there. Each call selects the CPU's
    /// instructions again, because a recursion cannot be inlined.
    pub fn search<C: Cpu>(&mut self, cpu: C, visit: TetressVisit<'_>) -> Score {
        cpu.run(
            #[inline(always)]
            || self.search_here(cpu, visit),
        )
    }

    #[inline(always)]
    fn search_here<C: Cpu>(&mut self, cpu: C, visit: TetressVisit<'_>) -> Score {
        let TetressVisit { pos, depth, window, ply } = visit;
        let (alpha, beta) = window;
        let is_pv = 1 < beta.0 - alpha.0;
        if is_pv {
            self.thread.run.clear_line(ply);
        }

        // Transposition table cutoff.
        let key = key(pos);
        let known = self.thread.table.get(key);
        let known_move = known.and_then(|entry| entry.mv());
        if !is_pv && let Some(score) = known.and_then(|entry| entry.cutoff(depth as u32, ply, window)) {
            self.thread.run.stats.table_hits += 1;
            return score;
        }

        // No line is longer than the game.
        let plies = depth.min(i32::from(TURN_LIMIT - pos.ply())).min((MAX_DEPTH - ply) as i32);
        let (best, mv) = (-Score::INFINITE, NO_MOVE);
        let mut parent = Parent { pos, depth: plies, ply, alpha, beta, best, mv, n_searched: 0 };
        self.search_children(cpu, known_move, &mut parent);
        if self.thread.run.is_stopped {
            return Score::DRAW;
        }
        if self.thread.run.is_whole(ply) {
            let bound = Bound::of(parent.best, window);
            // In a node that failed low no move has proven better than the others.
            let m = if bound == Bound::Upper { known_move } else { Some(parent.mv) };
            self.thread.table.insert(key, (parent.best, bound), m, depth as u32, ply);
        }
        parent.best
    }

    /// Searches the hash move and the killers, then the other children by their static evaluations.
    #[inline(always)]
    fn search_children<C: Cpu>(&mut self, cpu: C, known: Option<Move>, parent: &mut Parent<'_>) {
        let &mut Parent { pos, ply, .. } = parent;
        let has_killers = self.thread.options.killers;
        let [first, second] = if has_killers { self.thread.killers.at(ply) } else { [NO_MOVE; 2] };
        let is_root_known = ply == 0 && 0 < self.thread.run.stats.depth();
        let hash_move = if is_root_known { self.best.mv } else { known.unwrap_or(NO_MOVE) };
        let mut early = [NO_MOVE; N_EARLY];
        let mut n_early = 0;
        for m in [hash_move, first, second] {
            let is_new = m != NO_MOVE && !early.contains(&m) && !self.thread.run.is_excluded(m, ply);
            if is_new && pos.is_legal(m) {
                early[n_early] = m;
                n_early += 1;
            }
        }
        if 0 < n_early {
            let early = &early[..n_early];
            let Some(values) = self.evaluate::<N_EARLY>(pos, early, ply + 1) else { return };
            for (&mv, value) in early.iter().zip(values) {
                if self.search_child(cpu, &Child { mv, pos: pos.after(mv), value }, parent) {
                    return;
                }
            }
        }
        let base = self.thread.children.len();
        if !self.evaluate_children(&early[..n_early], parent) {
            self.search_best(cpu, base, parent);
        }
        self.thread.children.truncate(base);
    }

    /// Evaluates all children but the early ones. At the last ply that is their value.
    #[inline(always)]
    fn evaluate_children(&mut self, early: &[Move], parent: &mut Parent<'_>) -> IsDone {
        let &mut Parent { pos, depth, ply, .. } = parent;
        self.thread.run.clear_line(ply + 1);
        let thread = &mut *self.thread;
        time(
            Part::Moves,
            #[inline(always)]
            || thread.list(pos),
        );
        if !early.is_empty() || !thread.run.is_whole(ply) {
            thread.legal.retain(|&m| !early.contains(&m) && !thread.run.is_excluded(m, ply));
        }
        let mut done = 0;
        while done < self.thread.legal.len() {
            let mut chunk = [NO_MOVE; N_AT_ONCE];
            let n = (self.thread.legal.len() - done).min(N_AT_ONCE);
            chunk[..n].copy_from_slice(&self.thread.legal[done..done + n]);
            done += n;
            let Some(values) = self.evaluate::<N_AT_ONCE>(pos, &chunk[..n], ply + 1) else { return true };
            for (&m, value) in chunk[..n].iter().zip(values) {
                let score = -value;
                if depth <= 1 || score == Score::win_in(ply + 1) {
                    parent.n_searched += 1;
                    if self.note_score(m, score, parent) {
                        return true;
                    }
                } else {
                    self.thread.children.push(m, score.0);
                }
            }
        }
        depth <= 1
    }

    /// Searches the children with the best evaluations.
    #[inline(always)]
    fn search_best<C: Cpu>(&mut self, cpu: C, base: usize, parent: &mut Parent<'_>) {
        let &mut Parent { pos, depth, ply, .. } = parent;
        let width = self.thread.width(depth, ply);
        let mut next = base;
        let mut deferred = Vec::new();
        while let Some((mv, score)) = self.thread.children.take_best(next) {
            next += 1;
            // Width pruning. While all moves lose, every one must be searched.
            let is_lost = parent.best.0 < -Score::MAX_EVALUATION.0;
            if width <= parent.n_searched + deferred.len() as u32 && !is_lost {
                break;
            }
            // ABDADA: defer a child that another thread is searching.
            let child = pos.after(mv);
            if MIN_ABDADA_DEPTH <= depth && 0 < parent.n_searched && self.thread.abdada.has(key(&child)) {
                deferred.push((mv, score));
                continue;
            }
            if self.search_announced(cpu, &Child { mv, pos: child, value: Score(-score) }, parent) {
                return;
            }
        }
        for (mv, score) in deferred {
            if self.search_announced(cpu, &Child { mv, pos: pos.after(mv), value: Score(-score) }, parent) {
                return;
            }
        }
    }

    /// Searches one child, which other threads defer meanwhile.
    #[inline(always)]
    fn search_announced<C: Cpu>(&mut self, cpu: C, child: &Child, parent: &mut Parent<'_>) -> IsDone {
        if parent.depth < MIN_ABDADA_DEPTH {
            return self.search_child(cpu, child, parent);
        }
        let key = key(&child.pos);
        self.thread.abdada.enter(key);
        let is_done = self.search_child(cpu, child, parent);
        self.thread.abdada.leave(key);
        is_done
    }

    /// Searches one child.
    #[inline(always)]
    fn search_child<C: Cpu>(&mut self, cpu: C, child: &Child, parent: &mut Parent<'_>) -> IsDone {
        parent.n_searched += 1;
        let &mut Parent { depth, ply, alpha, beta, n_searched, .. } = parent;
        self.thread.run.clear_line(ply + 1);
        if depth <= 1 || child.value.plies_to_end().is_some() {
            return self.note_score(child.mv, -child.value, parent);
        }
        let is_pv = 1 < beta.0 - alpha.0;
        let mut score = Score::INFINITE;
        let mut is_wide = n_searched == 1;
        if !is_wide {
            // Late move reductions.
            let lmr = self.thread.options.lmr;
            let mut reduction = 0;
            if 0 < lmr && 3 <= depth && lmr < n_searched {
                reduction = 1 + i32::from(5 <= depth && 4 * lmr < n_searched);
            }
            // Scout window.
            let scout = (Score(-alpha.0 - 1), -alpha);
            score = -self.value_of(cpu, child, depth - 1 - reduction, scout, ply + 1);
            if 0 < reduction && alpha < score && !self.thread.run.is_stopped {
                score = -self.value_of(cpu, child, depth - 1, scout, ply + 1);
            }
            is_wide = is_pv && alpha < score && score < beta && !self.thread.run.is_stopped;
        }
        // Full window.
        if is_wide {
            score = -self.value_of(cpu, child, depth - 1, (-beta, -alpha), ply + 1);
        }
        self.thread.run.is_stopped || self.note_score(child.mv, score, parent)
    }

    /// A child's value: its static evaluation at depth 0.
    #[inline(always)]
    fn value_of<C: Cpu>(&mut self, cpu: C, child: &Child, depth: i32, window: Window, ply: u32) -> Score {
        if depth <= 0 {
            child.value
        } else {
            self.search(cpu, TetressVisit { pos: &child.pos, depth, window, ply })
        }
    }

    /// Notes a child's value for its parent.
    #[inline(always)]
    fn note_score(&mut self, m: Move, score: Score, parent: &mut Parent<'_>) -> IsDone {
        if score <= parent.best {
            return false;
        }
        parent.best = score;
        parent.mv = m;
        if score <= parent.alpha {
            return false;
        }
        let thread = &mut *self.thread;
        if 1 < parent.beta.0 - parent.alpha.0 {
            thread.run.note_line(m, parent.ply, score);
        }
        parent.alpha = score;
        if score < parent.beta {
            return false;
        }
        thread.run.stats.cutoffs += 1;
        thread.run.stats.first_move_cutoffs += u64::from(parent.n_searched == 1);
        thread.killers.note(m, parent.ply);
        true
    }

    /// The static evaluations of the positions after at most `N` moves, for the player to move there, or how the game
    /// ended; `None` if time is up. They are `ply` plies below the root.
    #[inline(always)]
    fn evaluate<const N: usize>(&mut self, pos: &Tetress, moves: &[Move], ply: u32) -> Option<[Score; N]> {
        let n_moves = moves.len() as u64;
        let thread = &mut *self.thread;
        if !thread.run.enter(n_moves, self.best, self.watch) {
            return None;
        }
        thread.run.stats.evaluations += n_moves;
        Some(time(
            Part::Evaluation,
            #[inline(always)]
            || {
                let child_ply = pos.ply() + 1;
                let mut boards = Boards::<N>::new(child_ply);
                let mut ends = [Score::DRAW; N];
                for (idx, &m) in moves.iter().enumerate() {
                    let child = pos.after(m);
                    boards.set(idx, &child);
                    if TURN_LIMIT <= child_ply
                        && let Some(outcome) = child.outcome()
                    {
                        ends[idx] = usual_end(&child, outcome, ply);
                    }
                }
                if TURN_LIMIT <= child_ply {
                    return ends;
                }
                let features = boards.features();
                let mut scores = thread.evaluation.values(&features, child_ply);
                for (score, &n_moves) in scores.iter_mut().zip(&features.n_moves[0]) {
                    if n_moves == 0 {
                        *score = -Score::win_in(ply);
                    }
                }
                scores
            },
        ))
    }
}

/// The evaluation depends on the ply, and not only near the turn limit.
#[inline(always)]
fn key(pos: &Tetress) -> u64 {
    TableKeys::WITH_PLY.key(pos)
}
