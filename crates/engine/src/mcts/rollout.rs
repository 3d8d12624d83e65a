//! How a game goes on beyond the tree.

use yarra_games::cpu::fastest;
use yarra_games::{Game, MoveList, Outcome, Player};

use super::MctsOptions;
use crate::eval::Judge;
use crate::tactics::gain;

/// Who plays beyond the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// Any move.
    Random,
    /// The move that takes most from the opponent; any move if none takes anything.
    Greedy,
}

/// Plays a game from a position: its result for the player to move there, from -1 to 1.
pub fn run<G: Game>(pos: &G, options: &MctsOptions, judge: &dyn Judge<G>, rng: &mut fastrand::Rng) -> f64 {
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
fn play_on<G: Game>(mut pos: G, n_plies: u32, mut next: impl FnMut(&G) -> Option<yarra_games::Move>) -> G {
    for _ in 0..n_plies {
        let Some(m) = next(&pos) else { break };
        pos.play(m);
    }
    pos
}

/// What an outcome is worth to a player: 1, 0 or -1.
pub fn value_of(outcome: Outcome, viewer: Player) -> f64 {
    match outcome.winner {
        None => 0.0,
        Some(winner) if winner == viewer => 1.0,
        Some(_) => -1.0,
    }
}
