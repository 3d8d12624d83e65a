//! The turn limit, and limits of nodes, time and patience.

use std::ops::ControlFlow;
use std::time::Duration;

use yarra_engine::alphabeta::Options;
use yarra_engine::mcts::Select;
use yarra_engine::{Agent, Limits, Mcts, mcts};
use yarra_games::Game;
use yarra_games::cachex::Cachex;
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;

use crate::alphabeta::{Search, plain_value, remembering, search};
use crate::{at_ply, check_line, choose, depth, nodes, noisy, random_positions, record_at};

/// One agent meets the same board far from the limit and at the last plies, and is right each time.
fn check_near_the_limit<G: Game>(size: u8, max_moves: usize) {
    let options =
        Options { keeps_between_moves: true, table_bytes: 1 << 18, cached_lists: 0, ..remembering() };
    let mut agent: Search<G> = search(options, false);
    let positions = random_positions::<G>(size, 600, 2);
    let few_moves = positions.iter().filter(|pos| 10 < pos.ply() && pos.n_legal_moves() <= max_moves);
    for pos in few_moves.take(12) {
        let limit = pos.turn_limit();
        let last = if (limit - pos.ply()).is_multiple_of(2) { limit } else { limit - 1 };
        // What it remembers from here is deeper than what it is asked for below.
        choose(&mut agent, &record_at(pos), depth(4));
        for (ply, plies) in [(last - 4, 2), (last - 2, 2), (last - 4, 3), (last - 2, 3)] {
            let late = at_ply(pos, ply);
            let record = record_at(&late);
            let value = plain_value::<G>(&mut record.clone(), plies, 0);
            assert_eq!(choose(&mut agent, &record, depth(plies)).score, Some(value), "at {late}");
        }
    }
}

#[test]
fn the_turn_limit_is_seen_through_the_table() {
    check_near_the_limit::<Infexion>(7, 40);
    check_near_the_limit::<Tetress>(11, 25);
    check_near_the_limit::<Cachex<u64>>(5, 20);
}

fn agents<G: Game>() -> Vec<Box<dyn Agent>> {
    let queue = mcts::MctsOptions { select: Select::Queue, ..mcts::MctsOptions::default() };
    vec![
        Box::new(search::<G>(remembering(), true)),
        Box::new(search::<G>(Options::default(), false)),
        Box::new(Mcts::<G>::new(noisy(), mcts::MctsOptions::default(), 5)),
        Box::new(Mcts::<G>::new(noisy(), queue, 5)),
    ]
}

fn check_repeats<G: Game>(size: u8) {
    for pos in random_positions::<G>(size, 5, 3) {
        let record = record_at(&pos);
        let limits = Limits { depth: Some(4), ..nodes(300) };
        let choices = [(); 2].map(|()| {
            agents::<G>().iter_mut().map(|agent| choose(&mut **agent, &record, limits)).collect::<Vec<_>>()
        });
        for (first, second) in choices[0].iter().zip(&choices[1]) {
            assert_eq!((first.score, &first.line), (second.score, &second.line), "at {pos}");
            assert_eq!(first.stats.nodes, second.stats.nodes);
            assert!(first.stats.nodes <= 300);
        }
    }
}

#[test]
fn searches_of_fixed_nodes_repeat_exactly() {
    check_repeats::<Infexion>(7);
    check_repeats::<Tetress>(11);
    check_repeats::<Cachex<u128>>(9);
}

#[test]
fn a_search_that_is_broken_off_or_out_of_time_still_gives_a_legal_move() {
    let pos = Cachex::<u128>::start(9).expect("a size of the type");
    let record = record_at(&pos);
    let deep = Limits { depth: Some(64), ..Limits::default() };
    let no_time = Limits { move_time: Some(Duration::ZERO), ..deep };
    let no_clock = Limits { clock: Some(Duration::from_millis(1)), ..deep };
    for agent in &mut agents::<Cachex<u128>>() {
        choose(&mut **agent, &record, no_time);
        choose(&mut **agent, &record, no_clock);
        for n_calls in [0, 3, 10] {
            let mut n_left = n_calls;
            let mut watch = |_: &yarra_engine::Progress<'_>| {
                n_left -= 1;
                if n_left < 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let choice = agent.choose(&record, deep, &mut watch).expect("a search never fails");
            check_line(&record, &choice);
        }
    }
}

#[test]
fn a_tree_search_thinks_as_long_as_the_limit_says() {
    let record = record_at(&Cachex::<u128>::start(9).expect("a size of the type"));
    let options = mcts::MctsOptions { think_time: Duration::from_nanos(1), ..mcts::MctsOptions::default() };
    let limits = Limits { move_time: Some(Duration::from_secs(60)), ..Limits::default() };
    let mut n_calls = 0;
    let mut watch = |_: &yarra_engine::Progress<'_>| {
        n_calls += 1;
        if n_calls < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut agent = Mcts::<Cachex<u128>>::new(noisy(), options, 1);
    agent.choose(&record, limits, &mut watch).expect("a search never fails");
    assert_eq!(n_calls, 3);
}

#[test]
fn caches_stay_within_their_bounds() {
    let record = record_at(&Infexion::start(7).expect("the only size"));
    let options = Options { cached_evaluations: 10, cached_lists: 10, ..Options::default() };
    let choice = choose(&mut search::<Infexion>(options, false), &record, depth(2));
    assert!(100 < choice.stats.evaluations);
    assert!(choice.stats.memory < 2000);
}
