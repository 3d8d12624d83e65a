//! Work on games whose type is known only at run time.

use std::sync::Arc;

use yarra_engine::agent::Agent;
use yarra_engine::net::Oracle;
use yarra_engine::net::conv::{ConvNet, NetGame, NetOracle, NetWork, with_net_game};
use yarra_engine::zero::{Zero, ZeroOptions};
use yarra_games::{GameInfo, GameSpec, MoveList, Position};

use super::game::{SelfPlayGame, ValueTarget};
use super::play::{PlayRules, play_game};
use crate::conv::Sample;
use crate::run::View;

fn start(game: &'static GameInfo, size: u8) -> Option<Box<dyn Position>> {
    GameSpec::new(game, size).map(GameSpec::start)
}

fn on<W: NetWork>(game: &'static GameInfo, size: u8, work: W) -> W::Output {
    let start = start(game, size).expect("a size of the game");
    with_net_game(&*start, work).expect("the plan has a net for the game")
}

/// Plays a game on a board of some size.
pub fn play(
    game: &'static GameInfo,
    size: u8,
    net: &Arc<ConvNet>,
    rules: &PlayRules,
    seed: u64,
) -> SelfPlayGame {
    struct Play<'a>(&'a Arc<ConvNet>, &'a PlayRules, u64);
    impl NetWork for Play<'_> {
        type Output = SelfPlayGame;

        fn run<G: NetGame>(self, start: &G) -> SelfPlayGame {
            let Play(net, rules, seed) = self;
            // Another stream than that of the game.
            let mut oracle = NetOracle::new(net.clone(), Some(!seed));
            play_game(start, &mut oracle, rules, seed)
        }
    }
    on(game, size, Play(net, rules, seed))
}

/// A sample of a game.
pub fn sample(game: &'static GameInfo, of: &SelfPlayGame, n: usize, target: ValueTarget) -> Sample {
    struct Draw<'a>(&'a SelfPlayGame, usize, ValueTarget);
    impl NetWork for Draw<'_> {
        type Output = Sample;

        fn run<G: NetGame>(self, _: &G) -> Sample {
            self.0.sample::<G>(self.1, self.2)
        }
    }
    on(game, of.size, Draw(of, n, target))
}

/// All games of a shard; `None` if it is broken.
pub fn read_games(game: &'static GameInfo, mut bytes: &[u8]) -> Option<Vec<SelfPlayGame>> {
    struct Read<'a, 'b>(&'a mut &'b [u8]);
    impl NetWork for Read<'_, '_> {
        type Output = Option<SelfPlayGame>;

        fn run<G: NetGame>(self, _: &G) -> Option<SelfPlayGame> {
            SelfPlayGame::read::<G>(self.0)
        }
    }
    let mut games = Vec::new();
    while let Some(&size) = bytes.first() {
        let start = start(game, size)?;
        games.push(with_net_game(&*start, Read(&mut bytes))??);
    }
    Some(games)
}

/// An agent that plays with a net.
pub fn agent(game: &'static GameInfo, size: u8, net: &Arc<ConvNet>, seed: u64) -> Box<dyn Agent> {
    struct Make<'a>(&'a Arc<ConvNet>, u64);
    impl NetWork for Make<'_> {
        type Output = Box<dyn Agent>;

        fn run<G: NetGame>(self, _: &G) -> Box<dyn Agent> {
            let oracle = NetOracle::new(self.0.clone(), None);
            Box::new(Zero::<G, _>::new(oracle, ZeroOptions::default(), self.1))
        }
    }
    on(game, size, Make(net, seed))
}

/// What a net says about a position without search; `None` if no net plays its game.
pub fn view(net: ConvNet, pos: &dyn Position) -> Option<View> {
    struct See(ConvNet);
    impl NetWork for See {
        type Output = View;

        fn run<G: NetGame>(self, pos: &G) -> View {
            let (mut moves, mut logits) = (MoveList::new(), Vec::new());
            pos.legal_moves(&mut moves);
            let value = NetOracle::new(Arc::new(self.0), None).evaluate(pos, &moves, &mut logits);
            let most = logits.iter().copied().fold(f32::MIN, f32::max);
            let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - most).exp()).collect();
            let sum: f64 = weights.iter().sum();
            let policy = moves.into_iter().zip(weights).map(|(m, weight)| (m, weight / sum)).collect();
            View { value: value.into(), policy }
        }
    }
    with_net_game(pos, See(net))
}
