//! What the recipe does with a net, by the name of its game.

use std::sync::Arc;

use yarra_engine::agent::Agent;
use yarra_engine::net::Oracle;
use yarra_engine::net::conv::{ConvNet, NetOracle, net_game};
use yarra_engine::zero::{Zero, ZeroOptions};
use yarra_games::{GameInfo, GameSpec, MoveList, Position};

use super::game::SelfPlayGame;
use super::play::{PlayRules, play_game};
use crate::run::View;

/// Plays a game on a board of some size.
pub fn play(
    game: &'static GameInfo,
    size: u8,
    net: &Arc<ConvNet>,
    rules: &PlayRules,
    seed: u64,
) -> SelfPlayGame {
    let start = GameSpec::new(game, size).expect("a size of the game").start();
    // Another stream than that of the game.
    let mut oracle = NetOracle::new(net.clone(), Some(!seed));
    play_game(&*start, &mut oracle, rules, seed)
}

/// All games of a shard; `None` if it is broken.
pub fn read_games(game: &'static GameInfo, mut bytes: &[u8]) -> Option<Vec<SelfPlayGame>> {
    let mut games = Vec::new();
    while !bytes.is_empty() {
        games.push(SelfPlayGame::read(game, &mut bytes)?);
    }
    Some(games)
}

/// An agent that plays with a net.
pub fn agent(net: &Arc<ConvNet>, seed: u64) -> Box<dyn Agent> {
    Box::new(Zero::new(NetOracle::new(net.clone(), None), ZeroOptions::default(), seed))
}

/// What a net says about a position without search; `None` if no net plays its game.
pub fn view(net: ConvNet, pos: &dyn Position) -> Option<View> {
    net_game(pos)?;
    let (mut moves, mut logits) = (MoveList::new(), Vec::new());
    pos.legal_moves(&mut moves);
    let value = NetOracle::new(Arc::new(net), None).evaluate(pos, &moves, &mut logits);
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let policy = moves.into_iter().zip(weights).map(|(m, weight)| (m, weight / sum)).collect();
    Some(View { value: value.into(), policy })
}
