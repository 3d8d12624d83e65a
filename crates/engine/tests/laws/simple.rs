//! Agents that do not search.

use yarra_engine::Limits;
use yarra_engine::simple::{Greedy, Random};
use yarra_games::Game;
use yarra_games::cachex::{Cachex, Hex};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;

use crate::{choose, noisy, random_positions, record_at};

fn check_simple<G: Game>(size: u8) {
    let mut greedy = Greedy::<G>::new(noisy(), 1);
    let mut random = Random::new(1);
    for pos in random_positions::<G>(size, 50, 5) {
        let record = record_at(&pos);
        choose(&mut random, &record, Limits::default());
        let choice = choose(&mut greedy, &record, Limits::default());
        let after = pos.after(choice.mv);
        let worth = match after.outcome() {
            Some(outcome) => noisy().ended(&after, outcome, 1),
            None => noisy().value(&after),
        };
        assert_eq!(choice.score, Some(-worth), "at {pos}");
    }
}

#[test]
fn simple_agents_play_legal_moves() {
    check_simple::<Infexion>(7);
    check_simple::<Tetress>(11);
    check_simple::<Cachex<u128>>(9);
    check_simple::<Hex<u64>>(5);
}

#[test]
fn random_moves_follow_from_the_seed() {
    let record = record_at(&Cachex::<u128>::start(9).expect("a size of the type"));
    let moves = |seed| {
        let mut agent = Random::new(seed);
        [(); 5].map(|()| choose(&mut agent, &record, Limits::default()).mv)
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
}
