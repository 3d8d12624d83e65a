use std::time::Duration;

use yarra_engine::agent::unwatched;
use yarra_engine::{Limits, Settings};
use yarra_games::{Position, Record};
use yarra_reports::entourage::{AGENTS, Desperation};

use crate::{board, make};

fn desperation(options: &str) -> Option<Desperation> {
    let settings = Settings::read(AGENTS[0].options, options).expect("options");
    Desperation::read(&settings)
}

fn clock(seconds: f64) -> Limits {
    Limits { clock: Some(Duration::from_secs_f64(seconds)), ..Limits::default() }
}

#[test]
fn below_15_seconds_the_depth_is_2() {
    let desperation = desperation("").expect("it is on");
    let cases = [(4, 180.0, 4), (4, 15.0, 4), (4, 14.9, 2), (4, 0.1, 2), (1, 14.9, 1)];
    for (depth, seconds, expected) in cases {
        assert_eq!(desperation.plan(depth, clock(seconds)).depth, expected, "{seconds} s left");
    }
    assert_eq!(desperation.plan(4, Limits::default()).depth, 4);
}

#[test]
fn after_18_seconds_the_best_move_so_far_is_played() {
    let plan = desperation("").expect("it is on").plan(4, clock(180.0));
    assert_eq!(plan.hard_time, Some(Duration::from_secs(18)));
    assert!(!plan.is_deepening);
}

#[test]
fn times_and_depth_can_be_chosen_and_switched_off() {
    assert_eq!(desperation("desperation=off"), None);
    let chosen = desperation("desperate_clock=1m,desperate_depth=1,desperate_move=2s").expect("it is on");
    let plan = chosen.plan(4, clock(59.0));
    assert_eq!((plan.depth, plan.hard_time), (1, Some(Duration::from_secs(2))));
}

const MIDGAME: [&str; 7] =
    ["r1.b1....", ".r2.b1...", "..b1.r1..", "r1.b2....", ".....r1.", "..b1..r1.", "b1......"];

#[test]
fn the_agent_keeps_its_timers() {
    let pos = board(MIDGAME, "r 30");
    let game = Record::new(pos.boxed());
    let depth = |options: &str, limits| {
        make("entourage", options).choose(&game, limits, &mut unwatched).expect("a move").stats.depth()
    };
    assert_eq!(depth("depth=3", clock(20.0)), 3);
    assert_eq!(depth("depth=3", clock(14.0)), 2);
    assert_eq!(depth("depth=3,desperation=off", clock(14.0)), 3);

    let mut slow = make("entourage", "depth=12,reduction=off,desperate_move=30ms");
    let choice = slow.choose(&game, Limits::default(), &mut unwatched).expect("a move");
    assert_eq!(choice.stats.depth(), 0, "no depth was finished");
    assert!(pos.read_move(&pos.show_move(choice.mv)).is_ok());
    // Far from 18 s, even on a busy machine.
    assert!(choice.stats.elapsed < Duration::from_secs(5));
}
