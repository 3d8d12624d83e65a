//! Self-play for samples: short searches from random openings, with a few random moves.

use std::ops::ControlFlow;

use fastrand::Rng;
use yarra_engine::{Agent, AgentError, Limits, Score};
use yarra_games::{Player, Position, Record, mixed};

use super::games::{PlayedGame, kept_score};
use crate::selfplay::self_play;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayPlan {
    /// Nodes per move.
    pub nodes: u64,
    /// The fewest and the most random moves at the start.
    pub opening: (u16, u16),
    /// The percentage of random moves after that: the fit must see mistakes being punished.
    pub blunders: u8,
    /// A game is decided once the score has favored the same player by this much, in hundredths...
    pub decided: i32,
    /// ...for this many moves in a row.
    pub n_decided: u32,
}

/// Scores from here on are forced ends, or as good as: estimates are far below.
const FORCED: i32 = 100_000;

/// Plays one game, which follows from the agent and the generator alone.
///
/// # Errors
/// If the agent fails.
pub fn play_game(
    agent: &mut dyn Agent,
    start: &dyn Position,
    plan: PlayPlan,
    rng: &mut Rng,
) -> Result<PlayedGame, AgentError> {
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    let n_opening = usize::from(rng.u16(plan.opening.0..=plan.opening.1));
    let random = |game: &Record| {
        let is_random = game.moves().len() < n_opening || rng.u8(..100) < plan.blunders;
        let moves = if is_random { game.legal_moves() } else { Vec::new() };
        rng.choice(&moves).copied()
    };
    let mut game = Record::new(start.boxed());
    let mut scores: Vec<(usize, i16)> = Vec::new();
    let mut verdict = Verdict { leader: Player::Red, n_times: 0 };
    self_play(agent, limits, &mut game, random, |game, choice| {
        let score = choice.score.unwrap_or_default();
        if score.0.abs() < FORCED {
            scores.push((game.moves().len(), kept_score(score.0)));
        }
        verdict.hear(game.now().turn(), score, plan.decided);
        if verdict.n_times < plan.n_decided { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let winner = game.outcome().map_or(Some(verdict.leader), |outcome| outcome.winner);
    let mut moves: Vec<_> = game.moves().iter().map(|&m| (m, None)).collect();
    for (ply, score) in scores {
        // The last search may have broken the game off before its move.
        if let Some(entry) = moves.get_mut(ply) {
            entry.1 = Some(score);
        }
    }
    Ok(PlayedGame { size: start.size(), winner, moves })
}

/// Who leads clearly, and for how many moves in a row.
struct Verdict {
    leader: Player,
    n_times: u32,
}

impl Verdict {
    fn hear(&mut self, turn: Player, score: Score, decided: i32) {
        let leader = if 0 < score.0 { turn } else { turn.opponent() };
        if score.0.abs() < decided {
            self.n_times = 0;
        } else if leader == self.leader {
            self.n_times += 1;
        } else {
            (self.leader, self.n_times) = (leader, 1);
        }
    }
}

/// The generator of a game by its round's seed and its number.
pub fn generator(seed: u64, index: u64) -> Rng {
    Rng::with_seed(mixed(seed, index))
}
