//! The state that an evaluator carries down the tree is the one computed from scratch.

use std::fmt::Debug;
use std::sync::Arc;

use yarra_engine::champion::cachex::net::shape;
use yarra_engine::champion::cachex::{FITTED, Paths};
use yarra_engine::champion::infexion::net::SHAPE;
use yarra_engine::champion::infexion::{HAND, Reach};
use yarra_engine::eval::MoveSource;
use yarra_engine::net::nnue::Nnue;
use yarra_games::Game;
use yarra_games::cachex::{Cachex, Hex, U256};
use yarra_games::infexion::Infexion;

use crate::nnue::random_net;
use crate::random_positions;

/// The laws of `Evaluator::child` and `MoveSource::null_child`, after every legal move of random positions.
fn check_states<G: Game, E: MoveSource<G>>(evaluator: &E, size: u8)
where
    E::State: PartialEq + Debug,
{
    for pos in random_positions::<G>(size, 100, 23) {
        let state = evaluator.root(&pos);
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        for m in legal {
            let after = pos.after(m);
            if after.outcome().is_none() {
                let child = evaluator.child(&state, &pos, m, &after);
                assert_eq!(child, evaluator.root(&after), "{m:?} at {pos}");
            }
        }
        if let Some(after) = evaluator.null_move(&pos) {
            let child = evaluator.null_child(&state, &pos, &after);
            assert_eq!(child, evaluator.root(&after), "a null move at {pos}");
            assert_eq!(after.turn(), pos.turn().opponent(), "a null move at {pos}");
        }
    }
}

#[test]
fn states_of_infexion_are_those_from_scratch() {
    check_states::<Infexion, _>(&Reach::default(), 7);
    let net = Arc::new(Nnue::quantized(&random_net(SHAPE, 9), SHAPE));
    check_states::<Infexion, _>(&Reach::with_net(HAND, net), 7);
    let positions = random_positions::<Infexion>(7, 100, 23);
    let has_null_move = |pos: &&Infexion| Reach::default().null_move(pos).is_some();
    assert!(20 < positions.iter().filter(has_null_move).count());
}

#[test]
fn states_of_cachex_and_hex_are_those_from_scratch() {
    check_states::<Cachex<u64>, _>(&Paths::default(), 5);
    check_states::<Cachex<u128>, _>(&Paths::default(), 9);
    check_states::<Cachex<U256>, _>(&Paths::default(), 12);
    check_states::<Hex<u64>, _>(&Paths::default(), 7);
    let with_net = |size| {
        let net = Nnue::quantized(&random_net(shape(size), 9), shape(size));
        Paths::with_net(FITTED, Arc::new(net))
    };
    check_states::<Cachex<u64>, _>(&with_net(5), 5);
    check_states::<Cachex<u128>, _>(&with_net(9), 9);
}
