use yarra_engine::Tactics;
use yarra_reports::entourage::endgame::Endgame;
use yarra_reports::entourage::tactics::{Habits, Reduction};

use crate::{EMPTY, board, shown};

/// Six stacks of 2: the least power, and enough stacks for two of the opponent's.
const ARMY: &str = "r2r2r2r2r2r2.";

#[track_caller]
fn check(rows: [&str; 7], is_endgame: bool, moves: &str) {
    let pos = board(rows, "r 30");
    let endgame = Endgame::default();
    assert_eq!(endgame.detect(&pos).is_some(), is_endgame, "{pos}");
    let mut found = Vec::new();
    endgame.moves(&pos, &mut found);
    assert_eq!(shown(&pos, &found), moves, "{pos}");
}

#[test]
fn an_endgame_is_all_captures() {
    check([EMPTY, ".b1.....", EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], true, "3-1dl 3-0u 3-5ur");
}

#[test]
fn condition_1_a_power_of_12() {
    check([EMPTY, ".b1.....", EMPTY, "r2r2r2r1r2r2.", EMPTY, ".....b1.", EMPTY], false, "");
}

#[test]
fn condition_2_three_times_the_stacks() {
    check([EMPTY, ".b1..b1..", EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], false, "");
    check([EMPTY, ".b1.....", EMPTY, "r2r3.r2r3r2.", EMPTY, ".....b1.", EMPTY], false, "");
}

#[test]
fn condition_3_at_most_one_high_stack_which_is_the_target() {
    check([EMPTY, ".b2.....", EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], true, "3-1dl");
    check([EMPTY, ".b6.....", EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], true, "3-1dl");
    check([EMPTY, ".b2.....", EMPTY, ARMY, EMPTY, ".....b2.", EMPTY], false, "");
}

#[test]
fn condition_4_no_cluster_of_more_than_two() {
    check([EMPTY, ".b1b1....", EMPTY, ARMY, EMPTY, EMPTY, EMPTY], true, "3-0d 3-1dl 3-2dl");
    let nine = "r1.r1.r1..";
    check([EMPTY, ".b1b1b1...", EMPTY, ARMY, EMPTY, nine, EMPTY], false, "");
    check([EMPTY, ".b1b1.b1..", EMPTY, ARMY, EMPTY, nine, EMPTY], true, "3-0d 3-2d 3-1dl 3-2dl 3-4dl");
}

#[test]
fn condition_5_the_high_stack_can_be_captured() {
    check(["b2......", EMPTY, EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], false, "");
    check(["b1......", EMPTY, EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], true, "3-0u 3-5ur");
}

#[test]
fn the_attacker_is_as_strong_as_the_cluster_is_large() {
    let army = "r1r3r2r2r2r2.";
    // The single may take a single, but not one of two, which the other could take back.
    check([EMPTY, EMPTY, "b1......", army, EMPTY, ".....b1.", EMPTY], true, "3-0dl 3-5ur");
    check([EMPTY, "b1......", "b1......", army, EMPTY, EMPTY, EMPTY], true, "3-5d");
}

#[test]
fn without_a_capture_the_agent_plays_as_usual() {
    let lonely = [EMPTY, EMPTY, EMPTY, ARMY, EMPTY, EMPTY, "b1......"];
    check(lonely, true, "");
    let pos = board(lonely, "r 30");
    let endgame = Some(Endgame::default());
    let mut habits = Habits { endgame, reduction: Some(Reduction::default()), has_order: false };
    let (mut found, mut usual) = (Vec::new(), Vec::new());
    habits.moves(&pos, &mut found);
    Reduction::default().moves(&pos, true, &mut usual);
    assert_eq!(found, usual);

    let near = board([EMPTY, ".b1.....", EMPTY, ARMY, EMPTY, ".....b1.", EMPTY], "r 30");
    habits.moves(&near, &mut found);
    assert_eq!(shown(&near, &found), "3-1dl 3-0u 3-5ur");
}

#[test]
fn the_numbers_can_be_chosen() {
    let rows = [EMPTY, ".b2.....", EMPTY, "r2r2r2r1r2r2.", EMPTY, ".....b2.", EMPTY];
    let pos = board(rows, "r 30");
    let endgame = Endgame { power: 11, stacks: 2, ..Endgame::default() };
    let mut found = Vec::new();
    endgame.moves(&pos, &mut found);
    assert_eq!(shown(&pos, &found), "3-1dl 3-0u 3-5ur");
}
