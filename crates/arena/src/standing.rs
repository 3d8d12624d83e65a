//! The standing of a match: results, remaining rounds, and the time and memory of the agents.

use yarra_engine::profile::Parts;
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Player};

use crate::{Match, Played, Round, Tally};

/// The standing of a match.
#[derive(Clone, Debug)]
pub struct Standing {
    tally: Tally,
    is_done: Vec<bool>,
    costs: [Costs; 2],
    n_opening_plies: usize,
    /// The player that moves first in every game.
    first: Player,
}

/// The time and memory of an agent's moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    /// The number of moves.
    pub n_moves: u64,
    /// The number of games.
    pub n_games: u64,
    /// Seconds of all moves.
    pub total: f64,
    /// Seconds of the longest move.
    pub longest_move: f64,
    /// Seconds of the longest game.
    pub longest_game: f64,
    /// The most bytes after a move.
    pub memory: u64,
    /// Where the time went in the games that were profiled.
    pub parts: Parts,
    /// Seconds of the games that were profiled.
    pub profiled: f64,
}

impl Standing {
    /// The standing of a match before its first game.
    pub fn new(contest: &Match<'_>) -> Standing {
        let spec = contest.spec();
        Standing {
            tally: Tally::default(),
            is_done: vec![false; spec.games as usize],
            costs: Default::default(),
            n_opening_plies: spec.openings.n_plies.into(),
            first: contest.start().turn(),
        }
    }

    /// The rounds that have not been played.
    pub fn missing(&self) -> Vec<Round> {
        (0..).zip(&self.is_done).filter(|(_, is_done)| !**is_done).map(|(n, _)| Round(n)).collect()
    }

    /// How much has been played, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        f64::from(self.tally.n_games()) / self.is_done.len() as f64
    }

    /// Whether a round has been played.
    pub fn is_done(&self, round: Round) -> bool {
        self.is_done[round.0 as usize]
    }

    /// The results.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The costs of the first and the second agent.
    pub fn costs(&self) -> &[Costs; 2] {
        &self.costs
    }

    /// Counts a game that was just played and returns the seconds of each player.
    pub fn add_played(&mut self, round: Round, played: &Played) -> ByPlayer<f64> {
        let seconds = self.add(round, &played.saved);
        for player in Player::BOTH {
            let costs = &mut self.costs[round.seat_of(player)];
            costs.parts.add(&played.parts[player]);
            costs.profiled += seconds[player];
        }
        seconds
    }

    /// Counts a game and returns the seconds of each player.
    pub fn add(&mut self, round: Round, game: &SavedGame) -> ByPlayer<f64> {
        self.is_done[round.0 as usize] = true;
        self.tally.add(round, game.ending.as_ref().and_then(|ending| ending.winner));
        let mut seconds = ByPlayer::<f64>::default();
        let moves = game.times.iter().zip(&game.memory).enumerate();
        for (idx, (&time, &memory)) in moves.skip(self.n_opening_plies) {
            let player = if idx.is_multiple_of(2) { self.first } else { self.first.opponent() };
            seconds[player] += time;
            let costs = &mut self.costs[round.seat_of(player)];
            costs.n_moves += 1;
            costs.longest_move = costs.longest_move.max(time);
            costs.memory = costs.memory.max(memory);
        }
        for player in Player::BOTH {
            let costs = &mut self.costs[round.seat_of(player)];
            costs.n_games += 1;
            costs.total += seconds[player];
            costs.longest_game = costs.longest_game.max(seconds[player]);
        }
        seconds
    }
}
