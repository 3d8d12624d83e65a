//! The standing of a match: results, remaining rounds, and the time and memory of the agents.

use yarra_engine::profile::Parts;
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Cause, Ending, Failure, Player};

use crate::{Match, Played, Round, Tally};

/// The standing of a match.
#[derive(Clone, Debug)]
pub struct Standing {
    tally: Tally,
    /// What is known about each round; `None` if it has not been played.
    results: Vec<Option<GameResult>>,
    costs: [Costs; 2],
    n_opening_plies: usize,
    /// The player that moves first in every game.
    first: Player,
}

/// A game of a match in short.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// Its number.
    pub round: Round,
    /// How it ended.
    pub ending: Option<Ending>,
    /// The number of moves, including the opening.
    pub n_plies: usize,
    /// The seconds of each player.
    pub seconds: ByPlayer<f64>,
    /// The fault that ended it, if one did.
    pub fault: Option<GameFault>,
}

/// A fault that ended a game of a match.
#[derive(Clone, Debug)]
pub struct GameFault {
    /// Its kind.
    pub failure: Failure,
    /// Which of the match's two agents failed: 0 for the first, 1 for the second.
    pub seat: usize,
    /// Its color.
    pub player: Player,
    /// Whether the agent had not made a move yet.
    pub is_before_first_move: bool,
    /// What happened, such as the traceback of an exception.
    pub message: String,
    /// The move that it tried to make, in its own words.
    pub said: Option<String>,
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
    /// The most bytes held at one time.
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
            results: vec![None; spec.games as usize],
            costs: Default::default(),
            n_opening_plies: spec.openings.n_plies.into(),
            first: contest.start().turn(),
        }
    }

    /// The rounds that have not been played.
    pub fn missing(&self) -> Vec<Round> {
        (0..).zip(&self.results).filter(|(_, result)| result.is_none()).map(|(n, _)| Round(n)).collect()
    }

    /// How much has been played, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        f64::from(self.tally.n_games()) / self.results.len() as f64
    }

    /// Whether a round has been played.
    pub fn is_done(&self, round: Round) -> bool {
        self.results[round.0 as usize].is_some()
    }

    /// The results.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The games so far, in the order of their rounds.
    pub fn results(&self) -> impl Iterator<Item = &GameResult> {
        self.results.iter().flatten()
    }

    /// The faults of the first (0) or the second (1) agent, in the order of their rounds.
    pub fn faults(&self, seat: usize) -> impl Iterator<Item = (Round, &GameFault)> {
        self.results()
            .filter_map(|result| Some((result.round, result.fault.as_ref()?)))
            .filter(move |(_, fault)| fault.seat == seat)
    }

    /// Whether an agent shows nothing of its strength: it failed before its first move, or in every game.
    pub fn is_broken(&self, seat: usize) -> bool {
        let n_faults = self.faults(seat).count();
        let is_early = self.faults(seat).any(|(_, fault)| fault.is_before_first_move);
        is_early || 0 < n_faults && n_faults == self.results().count()
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
        self.results[round.0 as usize] = Some(GameResult {
            round,
            ending: game.ending.clone(),
            n_plies: game.moves.len(),
            seconds,
            fault: self.fault_of(round, game),
        });
        seconds
    }

    fn fault_of(&self, round: Round, game: &SavedGame) -> Option<GameFault> {
        let Some(&Ending { winner: Some(winner), cause: Cause::Fault(failure) }) = game.ending.as_ref()
        else {
            return None;
        };
        let player = winner.opponent();
        let told = game.fault.as_ref();
        let note = || game.note.clone().unwrap_or_default();
        // The one who moves first after the opening has moved once a single move was made, the other after two.
        let n_moves = game.moves.len().saturating_sub(self.n_opening_plies);
        let moves_first =
            if self.n_opening_plies.is_multiple_of(2) { self.first } else { self.first.opponent() };
        let n_needed = if player == moves_first { 1 } else { 2 };
        Some(GameFault {
            failure,
            seat: round.seat_of(player),
            player,
            is_before_first_move: n_moves < n_needed,
            message: told.map_or_else(note, |fault| fault.message.clone()),
            said: told.and_then(|fault| fault.said.clone()),
        })
    }
}
