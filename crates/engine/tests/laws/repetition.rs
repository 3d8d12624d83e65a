//! The seventh time of a board ends a game of Cachex, and searches see it coming.

use yarra_engine::Limits;
use yarra_engine::alphabeta::Options;
use yarra_games::Record;
use yarra_games::cachex::Cachex;

use crate::alphabeta::{Search, all_options, plain_value, remembering, search};
use crate::{choose, depth};

const START: &str = ".bbr/.rr./r.b./..b. r 8";
const CYCLE: [&str; 6] = ["2-3", "1-3", "0-3", "2-1", "1-2", "0-2"];

/// A game that has gone in circles for this many plies; the 36th ends it.
fn record_after(n_plies: usize) -> Record {
    Record::read("cachex:4", Some(START), CYCLE.into_iter().cycle().take(n_plies)).expect("a cycle")
}

#[test]
fn the_cycle_ends_the_game_with_its_last_ply() {
    assert_eq!(record_after(35).outcome(), None);
    assert!(record_after(36).outcome().is_some());
}

#[test]
fn searches_see_the_seventh_time() {
    for n_plies in 32..36 {
        let record = record_after(n_plies);
        let value = plain_value::<Cachex<u64>>(&mut record.clone(), 3, 0);
        for options in all_options() {
            let choice = choose(&mut search::<Cachex<u64>>(options, false), &record, depth(3));
            assert_eq!(choice.score, Some(value), "{options:?} after {n_plies} plies");
        }
        let choice = choose(&mut search::<Cachex<u64>>(remembering(), true), &record, depth(3));
        assert_eq!(choice.score, Some(value), "deepening after {n_plies} plies");
    }
}

#[test]
fn a_table_that_lives_on_is_not_spoiled_by_draws_of_one_history() {
    let options = Options { keeps_between_moves: true, ..remembering() };
    // The same boards with little and with much history, in both orders, as roots and below them.
    let orders =
        [[(5, 2), (35, 2)], [(35, 2), (5, 2)], [(34, 3), (10, 2)], [(35, 3), (4, 4)], [(35, 2), (4, 3)]];
    for order in orders {
        let mut agent: Search<Cachex<u64>> = search(options, false);
        for (n_plies, plies) in order {
            let record = record_after(n_plies);
            let value = plain_value::<Cachex<u64>>(&mut record.clone(), plies, 0);
            assert_eq!(choose(&mut agent, &record, depth(plies)).score, Some(value), "{order:?}");
        }
    }
}

#[test]
fn the_table_serves_where_no_board_can_recur_often_enough() {
    let record = Record::read("cachex:4", None, []).expect("a start");
    let limits = Limits { nodes: Some(5000), ..depth(64) };
    let choice = choose(&mut search::<Cachex<u64>>(remembering(), true), &record, limits);
    assert!(0 < choice.stats.table_hits);
}
