//! The prover: alpha-beta over all legal moves to a fixed depth, without evaluation or pruning heuristics.

use std::str::FromStr;

use yarra_games::cpu::fastest;
use yarra_games::{Game, Move, MoveList, Player, Position, Work, with_game};

use crate::search::sort_by;
use crate::tactics::gain;
use crate::{Bound, Score, SpecError, Table};

/// What a proof counts, over all legal moves of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// 1 for a move that wins by force within the depth, 0 for others.
    Win,
    /// 0 for a move that loses by force within the depth, 1 for others.
    Hold,
    /// The material that the mover is ahead after best play to the depth; a won game counts [`WON`].
    Score,
}

impl FromStr for By {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<By, SpecError> {
        match text {
            "win" => Ok(By::Win),
            "hold" => Ok(By::Hold),
            "score" => Ok(By::Score),
            _ => Err(SpecError::new(format!("expected win, hold or score, found {text:?}"))),
        }
    }
}

/// A won game where material is counted.
pub const WON: i32 = 1000;
/// The window in which every worth lies.
pub const ALL: (i32, i32) = (-WON, WON);

/// Determines the value of moves by alpha-beta over all legal moves of both sides.
#[derive(Clone, Copy, Debug)]
pub struct Prover {
    /// What is counted.
    pub by: By,
    /// Plies, the move itself among them.
    pub depth: u32,
    /// The maximum number of positions.
    pub max_nodes: u64,
}

impl Prover {
    /// The values of some moves, exact inside the window and bounds outside it. `None` if it takes too many
    /// positions.
    pub fn worths(self, pos: &dyn Position, moves: &[Move], window: (i32, i32)) -> Option<Vec<i32>> {
        with_game(pos, Worths { prover: self, moves, window })
    }
}

struct Worths<'a> {
    prover: Prover,
    moves: &'a [Move],
    window: (i32, i32),
}

impl Work for Worths<'_> {
    type Output = Option<Vec<i32>>;

    fn run<G: Game>(self, pos: &G) -> Option<Vec<i32>> {
        let Prover { by, depth, max_nodes } = self.prover;
        let (table, cuts) = (Table::new(TABLE_BYTES), vec![0; usize::from(u16::MAX) + 1]);
        let mut search = ProofSearch { table, cuts, n_nodes: 0, max_nodes };
        let (floor, ceiling) = self.window;
        let (turn, depth) = (pos.turn(), depth.checked_sub(1)?);
        let mut worth = |m| {
            let after = pos.after(m);
            Some(match by {
                By::Win => i32::from(search.is_won(&after, turn, depth)?),
                By::Hold => i32::from(!search.is_won(&after, turn.opponent(), depth)?),
                By::Score => -search.lead(&after, depth, (-ceiling, -floor))?,
            })
        };
        self.moves.iter().map(|&m| worth(m)).collect()
    }
}

const TABLE_BYTES: usize = 4 << 20;

struct ProofSearch {
    table: Table,
    /// History: how often a move, by its number, caused a cutoff. It orders moves that capture the same.
    cuts: Vec<u32>,
    n_nodes: u64,
    max_nodes: u64,
}

impl ProofSearch {
    /// Whether a player wins by force within a number of plies.
    fn is_won<G: Game>(&mut self, pos: &G, player: Player, depth: u32) -> Option<bool> {
        if let Some(outcome) = pos.outcome() {
            return Some(outcome.winner == Some(player));
        }
        if depth == 0 {
            return Some(false);
        }
        let key = self.enter(pos, depth)?;
        if let Some(entry) = self.table.get(key) {
            return Some(entry.score(0) != Score::DRAW);
        }
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let is_chooser = pos.turn() == player;
        let mut is_won = !is_chooser;
        for m in moves {
            // One winning move is enough for the player, one defense for the opponent.
            if self.is_won(&pos.after(m), player, depth - 1)? == is_chooser {
                is_won = is_chooser;
                break;
            }
        }
        self.table.insert(key, (Score(is_won.into()), Bound::Exact), None, depth, 0);
        Some(is_won)
    }

    /// The material lead of the player to move after best play: exact inside the window, a bound outside it.
    fn lead<G: Game>(&mut self, pos: &G, depth: u32, (mut alpha, beta): (i32, i32)) -> Option<i32> {
        if depth == 0 || pos.outcome().is_some() {
            return Some(lead_now(pos));
        }
        let key = self.enter(pos, depth)?;
        let window = (Score(alpha), Score(beta));
        if let Some(score) = self.table.get(key).and_then(|entry| entry.cutoff(depth, 0, window)) {
            return Some(score.0);
        }
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let mut best = -WON - 1;
        if depth == 1 {
            best = fastest(
                #[inline(always)]
                || best_at_once(pos, &moves, beta),
            );
        } else {
            let promise = |m: Move| i64::from(gain(pos, m)) << 32 | i64::from(self.cuts[usize::from(m.0)]);
            sort_by(&mut moves, |m| -promise(m));
            for m in moves {
                best = best.max(-self.lead(&pos.after(m), depth - 1, (-beta, -alpha))?);
                alpha = alpha.max(best);
                if beta <= alpha {
                    self.cuts[usize::from(m.0)] += depth * depth;
                    break;
                }
            }
        }
        let bound = match best {
            _ if best <= window.0.0 => Bound::Upper,
            _ if beta <= best => Bound::Lower,
            _ => Bound::Exact,
        };
        self.table.insert(key, (Score(best), bound), None, depth, 0);
        Some(best)
    }

    /// Counts a position. Its table entry holds for this depth alone, and so for this ply.
    fn enter<G: Game>(&mut self, pos: &G, depth: u32) -> Option<u64> {
        self.n_nodes += 1;
        (self.n_nodes <= self.max_nodes)
            .then(|| pos.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// The material lead of the player to move, or the result of a game that is over.
#[inline(always)]
fn lead_now<G: Game>(pos: &G) -> i32 {
    let turn = pos.turn();
    if let Some(outcome) = pos.outcome() {
        return outcome.winner.map_or(0, |winner| if winner == turn { WON } else { -WON });
    }
    pos.material(turn) as i32 - pos.material(turn.opponent()) as i32
}

/// The lead after the best of the moves, or after the first that reaches `beta`.
#[inline(always)]
fn best_at_once<G: Game>(pos: &G, moves: &[Move], beta: i32) -> i32 {
    let mut best = -WON - 1;
    for &m in moves {
        best = best.max(-lead_now(&pos.after(m)));
        if beta <= best {
            break;
        }
    }
    best
}
