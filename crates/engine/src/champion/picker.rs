//! The next move to look at: the table's, captures by gain, killers, then quiet moves by experience.

use yarra_games::{Game, Move};

use super::{Expert, Options};

/// Moves with their ranks, best picked first; those of all nodes on the way lie one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Moves(Vec<i64>);

/// How many moves are compared at once.
const N_LANES: usize = 8;

impl Moves {
    /// Adds a move of some rank.
    #[inline(always)]
    pub fn push(&mut self, m: Move, rank: i32) {
        // Equal ranks are told apart by the move, so that the order never depends on how they were listed.
        self.0.push(i64::from(rank) << 16 | i64::from(u16::MAX - m.0));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A move and its rank.
    #[inline(always)]
    pub fn get(&self, idx: usize) -> (Move, i32) {
        let packed = self.0[idx];
        (Move(u16::MAX - packed as u16), (packed >> 16) as i32)
    }

    #[inline(always)]
    fn add(&mut self, idx: usize, rank: i32) {
        self.0[idx] += i64::from(rank) << 16;
    }

    /// The best move from some place on, which is brought to that place.
    #[inline(always)]
    pub fn take_best(&mut self, idx: usize) -> Option<(Move, i32)> {
        let rest = self.0.get_mut(idx..)?;
        // First which, then where, with vectors and without a guess at each move. Loops, for what iterators are made of
        // is not always inlined, and is compiled for the oldest machine then: a fifth of a search's nodes a second.
        let (chunks, tail) = rest.as_chunks::<N_LANES>();
        let mut greatest = [i64::MIN; N_LANES];
        for chunk in chunks {
            let mut lane = 0;
            while lane < N_LANES {
                greatest[lane] = chunk[lane].max(greatest[lane]);
                lane += 1;
            }
        }
        let mut most = i64::MIN;
        for &packed in &greatest {
            most = most.max(packed);
        }
        for &packed in tail {
            most = most.max(packed);
        }
        let mut best = 0;
        while best < rest.len() && rest[best] != most {
            best += 1;
        }
        if best == rest.len() {
            return None;
        }
        rest.swap(0, best);
        Some(self.get(idx))
    }

    /// Forgets all moves from some place on.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

/// What the search has learned about quiet moves.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    killers: Vec<[Move; 2]>,
    answers: Vec<Move>,
    history: Vec<i32>,
    n_moves: usize,
}

/// No game has so many moves.
pub const NO_MOVE: Move = Move(u16::MAX);
/// No move's history goes beyond this.
const MAX_HISTORY: i32 = 1 << 14;

impl Memory {
    /// Makes room, and forgets everything.
    pub fn forget(&mut self, n_moves: usize, n_plies: usize) {
        self.n_moves = n_moves;
        self.killers = vec![[NO_MOVE; 2]; n_plies];
        self.answers = vec![NO_MOVE; n_moves];
        self.history = vec![0; 2 * n_moves];
    }

    /// A new search begins two plies later: killers move up, history fades.
    pub fn age(&mut self) {
        let n = self.killers.len().min(2);
        self.killers.rotate_left(n);
        for count in &mut self.history {
            *count /= 2;
        }
    }

    #[inline(always)]
    fn rank(&self, side: usize, m: Move) -> i32 {
        self.history[side * self.n_moves + usize::from(m.0)]
    }

    /// A quiet move cut, after `last` was played.
    #[inline(always)]
    pub fn note_cut(&mut self, m: Move, side: usize, ply: u32, last: Move, bonus: i32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
        if last != NO_MOVE {
            self.answers[usize::from(last.0)] = m;
        }
        self.note(m, side, bonus);
    }

    /// A quiet move did well or, below 0, badly. The further a count has gone, the slower it goes on.
    #[inline(always)]
    pub fn note(&mut self, m: Move, side: usize, bonus: i32) {
        let count = &mut self.history[side * self.n_moves + usize::from(m.0)];
        *count += bonus - *count * bonus.abs() / MAX_HISTORY;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    ListCaptures,
    Captures,
    Killers,
    ListQuiets,
    Quiets,
}

/// Gives the moves of a node one by one. Lists are made only when they are needed.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    stage: Stage,
    hash_move: Move,
    /// Two killers and the answer to the last move.
    early: [Move; 3],
    n_early: usize,
    base: usize,
    next: usize,
    first_quiet: usize,
}

/// A move as it was picked.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    pub mv: Move,
    pub is_quiet: bool,
}

impl Picker {
    /// The moves of a node `ply` plies below the root, where `last` led to.
    #[inline(always)]
    pub fn new(
        moves: &Moves,
        memory: &Memory,
        options: &Options,
        hash_move: Move,
        ply: u32,
        last: Move,
    ) -> Picker {
        let mut early = [NO_MOVE; 3];
        if options.killers {
            let [first, second] = memory.killers[ply as usize];
            let answer = if last == NO_MOVE { NO_MOVE } else { memory.answers[usize::from(last.0)] };
            early = [first, second, answer];
            if answer == first || answer == second {
                early[2] = NO_MOVE;
            }
        }
        let base = moves.len();
        Picker { stage: Stage::Hash, hash_move, early, n_early: 0, base, next: base, first_quiet: base }
    }

    /// The next move, `None` when all were given that are asked for.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the search lends all its parts")]
    pub fn pick<G: Game, E: Expert<G>>(
        &mut self,
        with_quiets: bool,
        expert: &E,
        pos: &G,
        sight: &mut E::Sight,
        moves: &mut Moves,
        memory: &Memory,
        options: &Options,
    ) -> Option<Pick> {
        if self.stage == Stage::Hash {
            self.stage = Stage::ListCaptures;
            let m = self.hash_move;
            if m != NO_MOVE && expert.is_legal(pos, m) {
                return Some(Pick { mv: m, is_quiet: expert.gain(pos, sight, m) <= 0 });
            }
            self.hash_move = NO_MOVE;
        }
        if self.stage == Stage::ListCaptures {
            expert.captures(pos, sight, moves);
            self.stage = Stage::Captures;
        }
        if self.stage == Stage::Captures {
            while let Some((m, _)) = moves.take_best(self.next) {
                self.next += 1;
                if m != self.hash_move {
                    return Some(Pick { mv: m, is_quiet: false });
                }
            }
            self.stage = Stage::Killers;
        }
        if !with_quiets {
            return None;
        }
        if self.stage == Stage::Killers {
            while self.n_early < self.early.len() {
                let idx = self.n_early;
                self.n_early += 1;
                let m = self.early[idx];
                let is_new = m != NO_MOVE && m != self.hash_move;
                if is_new && expert.is_legal(pos, m) && expert.gain(pos, sight, m) <= 0 {
                    return Some(Pick { mv: m, is_quiet: true });
                }
                self.early[idx] = NO_MOVE;
            }
            self.stage = Stage::ListQuiets;
        }
        if self.stage == Stage::ListQuiets {
            self.first_quiet = moves.len();
            self.next = self.first_quiet;
            expert.quiets(pos, sight, moves);
            if options.history {
                let side = pos.turn() as usize;
                for idx in self.first_quiet..moves.len() {
                    let (m, _) = moves.get(idx);
                    moves.add(idx, memory.rank(side, m));
                }
            }
            self.stage = Stage::Quiets;
        }
        while let Some((m, _)) = moves.take_best(self.next) {
            self.next += 1;
            if m != self.hash_move && m != self.early[0] && m != self.early[1] && m != self.early[2] {
                return Some(Pick { mv: m, is_quiet: true });
            }
        }
        None
    }

    /// A quiet move cut: it gains in the memory, and those that were tried in vain before it lose.
    #[inline(always)]
    pub fn note_cut(&self, moves: &Moves, memory: &mut Memory, cut: (Move, usize, u32, Move), depth: u32) {
        let (m, side, ply, last) = cut;
        let bonus = ((depth * depth * 8) as i32).min(1200);
        if self.stage == Stage::Quiets {
            for idx in self.first_quiet..self.next {
                let (tried, _) = moves.get(idx);
                if tried != m {
                    memory.note(tried, side, -bonus);
                }
            }
        }
        for killer in self.early.into_iter().take(self.n_early) {
            if killer != m && killer != NO_MOVE {
                memory.note(killer, side, -bonus);
            }
        }
        memory.note_cut(m, side, ply, last, bonus);
    }

    /// Forgets the node's lists.
    #[inline(always)]
    pub fn finish(&self, moves: &mut Moves) {
        moves.truncate(self.base);
    }
}
