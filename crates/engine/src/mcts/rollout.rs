//! How a game goes on beyond the tree.

use yarra_games::cpu::fastest;
use yarra_games::{Game, Move, MoveList, Outcome, Player};

use super::MctsOptions;
use crate::eval::Judge;
use crate::tactics::gain;
use crate::{Budget, Score};

/// Who plays beyond the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// Any move.
    Random,
    /// The move that takes most from the opponent; any move if none takes anything.
    Greedy,
    /// The move that minimax to depth 2 prefers. Once the time is up, the position is evaluated instead.
    Minimax,
}

/// Plays a game from a position: its result for the player to move there, from -1 to 1.
pub fn run<G: Game>(
    pos: &G,
    options: &MctsOptions,
    judge: &dyn Judge<G>,
    rng: &mut fastrand::Rng,
    budget: Budget,
) -> f64 {
    let viewer = pos.turn();
    let n_plies = options.cut_after.unwrap_or(u32::MAX);
    let last = match options.rollout {
        Rollout::Random => fastest(
            #[inline(always)]
            || play_on(*pos, n_plies, |pos| pos.random_move(rng)),
        ),
        Rollout::Greedy => {
            let mut moves = MoveList::new();
            play_on(*pos, n_plies, |pos| {
                moves.clear();
                pos.legal_moves(&mut moves);
                let gains = moves.iter().map(|&m| (gain(pos, m), m));
                match gains.max_by_key(|&(gain, m)| (gain, std::cmp::Reverse(m))) {
                    Some((gain, m)) if 0 < gain => Some(m),
                    _ => pos.random_move(rng),
                }
            })
        }
        Rollout::Minimax => {
            let mut shallow = Shallow { judge, budget, moves: MoveList::new(), replies: MoveList::new() };
            play_on(*pos, n_plies, |pos| shallow.best(pos))
        }
    };
    match last.outcome() {
        Some(outcome) => value_of(outcome, viewer),
        None => {
            let value = judge.value(&last).units();
            let for_viewer = if last.turn() == viewer { value } else { -value };
            // A curve through 0 that reaches one half, three wins in four, at the scale.
            (for_viewer / options.scale * 0.5_f64.atanh()).tanh()
        }
    }
}

#[inline(always)]
fn play_on<G: Game>(mut pos: G, n_plies: u32, mut next: impl FnMut(&G) -> Option<Move>) -> G {
    for _ in 0..n_plies {
        let Some(m) = next(&pos) else { break };
        pos.play(m);
    }
    pos
}

/// Minimax to depth 2.
struct Shallow<'a, G> {
    judge: &'a dyn Judge<G>,
    budget: Budget,
    moves: MoveList,
    replies: MoveList,
}

impl<G: Game> Shallow<'_, G> {
    /// The best move, the first of equals. `None` if the game is over or the time is up.
    fn best(&mut self, pos: &G) -> Option<Move> {
        if pos.outcome().is_some() {
            return None;
        }
        self.moves.clear();
        pos.legal_moves(&mut self.moves);
        let mut best = (-Score::INFINITE, None);
        for idx in 0..self.moves.len() {
            if self.budget.is_spent(0) {
                return None;
            }
            let after = pos.after(self.moves[idx]);
            let score = match after.outcome() {
                Some(outcome) => -self.judge.ended(&after, outcome, 1),
                None => self.after_reply(&after, best.0),
            };
            if best.0 < score {
                best = (score, Some(self.moves[idx]));
            }
        }
        best.1
    }

    /// The value after the opponent's best reply for the player who has just moved, as far as it exceeds `alpha`.
    fn after_reply(&mut self, pos: &G, alpha: Score) -> Score {
        self.replies.clear();
        pos.legal_moves(&mut self.replies);
        let mut worst = Score::INFINITE;
        for &reply in &self.replies {
            let last = pos.after(reply);
            let score = match last.outcome() {
                Some(outcome) => self.judge.ended(&last, outcome, 2),
                None => self.judge.value(&last),
            };
            worst = worst.min(score);
            if worst <= alpha {
                break;
            }
        }
        worst
    }
}

/// What an outcome is worth to a player: 1, 0 or -1.
pub fn value_of(outcome: Outcome, viewer: Player) -> f64 {
    match outcome.winner {
        None => 0.0,
        Some(winner) if winner == viewer => 1.0,
        Some(_) => -1.0,
    }
}
