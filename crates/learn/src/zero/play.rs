//! One game of self-play.

use std::ops::RangeInclusive;

use fastrand::Rng;
use yarra_engine::net::Oracle;
use yarra_engine::net::conv::net_game;
use yarra_engine::zero::{GuidedSearch, ZeroOptions};
use yarra_games::{Player, Position, Record};

use super::game::SelfPlayGame;

/// How games of self-play go.
#[derive(Clone, Debug)]
pub struct PlayRules {
    /// Simulations per move.
    pub n_simulations: u64,
    /// The search.
    pub search: ZeroOptions,
    /// How many moves at the start are random.
    pub n_random: RangeInclusive<u16>,
    /// After this many searched moves, the lead decides.
    pub stop_after: Option<usize>,
    /// Whether a game ends once a player's search has long been sure of the result.
    pub resigns: bool,
}

/// A value beyond this is sure.
const SURE: f64 = 0.95;
/// A game is given up once this many searches in a row were sure.
const N_SURE: usize = 6;
/// This share of games is never given up, so that nets learn how won games are won.
const PLAYED_OUT: f64 = 0.1;

/// Plays a game that follows from the oracle, the rules and the seed alone.
pub fn play_game(
    start: &dyn Position,
    oracle: &mut dyn Oracle,
    rules: &PlayRules,
    seed: u64,
) -> SelfPlayGame {
    let mut rng = Rng::with_seed(seed);
    let mut record = opening(start, rules, &mut rng);
    let mut game = SelfPlayGame::new(start.size(), record.moves());
    let resigns = rules.resigns && PLAYED_OUT <= rng.f64();
    let mut search = GuidedSearch::new(rules.search);
    let mut policy = Vec::new();
    // Searches in a row that were sure of the same winner, positive for red.
    let mut n_sure = 0_isize;
    let result = loop {
        if let Some(outcome) = record.outcome() {
            break outcome.winner.map_or(0.0, |winner| in_view_of_red(winner, 1.0));
        }
        if rules.stop_after.is_some_and(|n| n <= game.n_samples()) {
            break in_view_of_red(record.now().turn(), lead_now(record.now()).into());
        }
        search.begin(&record, Some(rules.n_simulations), oracle, &mut rng);
        while search.n_done() < rules.n_simulations && !search.is_settled() {
            search.simulate(oracle);
        }
        let value = search.policy(&mut policy);
        let m = search.best(1)[0].line[0];
        game.add(m, value, &policy);
        let value = in_view_of_red(record.now().turn(), value);
        let sign = if SURE < value.abs() { value.signum() as isize } else { 0 };
        n_sure = if 0 < sign * n_sure { n_sure + sign } else { sign };
        record.play(m);
        if resigns && N_SURE <= n_sure.unsigned_abs() && record.outcome().is_none() {
            break n_sure.signum() as f64;
        }
    };
    game.end(result);
    game
}

/// Random moves that do not end the game.
fn opening(start: &dyn Position, rules: &PlayRules, rng: &mut Rng) -> Record {
    loop {
        let mut record = Record::new(start.boxed());
        for _ in 0..rng.u16(rules.n_random.clone()) {
            let moves = record.legal_moves();
            let Some(&m) = rng.choice(&moves) else { break };
            record.play(m);
        }
        if record.outcome().is_none() {
            return record;
        }
    }
}

/// What the lead would be worth if the game ended here.
fn lead_now(pos: &dyn Position) -> f32 {
    net_game(pos).expect("a net's game").lead(pos)
}

fn in_view_of_red(player: Player, value: f64) -> f64 {
    if player == Player::Red { value } else { -value }
}
