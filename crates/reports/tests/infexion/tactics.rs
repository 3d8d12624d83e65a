use yarra_engine::Tactics;
use yarra_games::{Move, Position};
use yarra_reports::entourage::tactics::{Habits, Reduction, sort};

use crate::{EMPTY, board, shown};

/// Takes moves in the expected order, mixes them, and sorts them again.
#[track_caller]
fn check_order(rows: [&str; 7], expected: &str) {
    let pos = board(rows, "r 20");
    let read = |text| pos.read_move(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut moves: Vec<Move> = expected.split(' ').map(read).collect();
    moves.sort();
    sort(&pos, &mut moves);
    assert_eq!(shown(&pos, &moves), expected);
}

#[test]
fn more_captured_power_comes_first() {
    let rows = ["r6b1.....", EMPTY, EMPTY, "r1b3.....", EMPTY, "r2b1b1....", EMPTY];
    check_order(rows, "3-0dr 5-0dr 0-0dr 5-0ul");
}

#[test]
fn fewer_captured_stacks_of_the_same_power_come_first() {
    // The report's example: two stacks of 3 before six singles.
    let rows = ["r2b3b3....", EMPTY, EMPTY, "r6b1b1b1b1b1b1", EMPTY, EMPTY, EMPTY];
    check_order(rows, "0-0dr 3-0dr");
}

#[test]
fn the_higher_stack_is_deployed_first() {
    let rows = ["r1b2.....", EMPTY, EMPTY, "r3b2.....", EMPTY, "r2......", EMPTY];
    check_order(rows, "3-0dr 0-0dr 5-0dr 0-0ul 0-2 6-6");
}

#[test]
fn equals_stay_in_the_order_of_their_numbers() {
    let rows = [EMPTY, EMPTY, EMPTY, "r2..r2...", EMPTY, EMPTY, "b1......"];
    check_order(rows, "3-0dr 3-3dr 3-0d 3-3d 0-0 2-2 6-6");
}

#[track_caller]
fn check_reduced(reduction: Reduction, rows: [&str; 7], expected: &str) {
    let pos = board(rows, "r 20");
    let mut moves = Vec::new();
    reduction.moves(&pos, true, &mut moves);
    assert_eq!(shown(&pos, &moves), expected);
}

#[test]
fn spawns_stay_next_to_allies_and_idle_singles_at_home() {
    let rows = ["b1......", EMPTY, EMPTY, "...r1...", EMPTY, EMPTY, EMPTY];
    check_reduced(Reduction::default(), rows, "2-3 2-4 3-2 3-4 4-2 4-3");
}

#[test]
fn singles_may_capture() {
    let rows = [EMPTY, EMPTY, EMPTY, "...r1b1..", EMPTY, EMPTY, EMPTY];
    check_reduced(Reduction::default(), rows, "2-3 2-4 3-2 4-2 4-3 3-3dr");
}

#[test]
fn higher_stacks_may_go_anywhere() {
    let rows = ["b1......", EMPTY, EMPTY, "...r2...", EMPTY, EMPTY, EMPTY];
    let expected = "2-3 2-4 3-2 3-4 4-2 4-3 3-3dr 3-3d 3-3dl 3-3ul 3-3u 3-3ur";
    check_reduced(Reduction::default(), rows, expected);
}

#[test]
fn nothing_is_left_out_where_nothing_would_be_left() {
    let pos = board([EMPTY; 7], "r 0");
    let mut moves = Vec::new();
    Reduction::default().moves(&pos, true, &mut moves);
    assert_eq!(moves.len(), 49);
    // A power of 49 forbids spawns, and the single has nobody to capture.
    let rows = ["b6b6b6b6b6b6b6", "b6......", EMPTY, "...r1...", EMPTY, EMPTY, EMPTY];
    let never_overwhelmed = Reduction { overwhelmed_total: 50, ..Reduction::default() };
    check_reduced(never_overwhelmed, rows, "3-3dr 3-3d 3-3dl 3-3ul 3-3u 3-3ur");
}

#[track_caller]
fn check_kept(rows: [&str; 7], m: &str, is_kept: bool) {
    let pos = board(rows, "r 20");
    let m = pos.read_move(m).unwrap_or_else(|error| panic!("{m}: {error}"));
    let mut moves = Vec::new();
    Reduction::default().moves(&pos, true, &mut moves);
    assert_eq!(moves.contains(&m), is_kept, "{} at {pos}", pos.show_move(m));
}

#[test]
fn the_overwhelmed_may_do_anything() {
    // Own power, the opponent's, and whether that is overwhelmed.
    let cases = [
        ("r1r1r1....", "b6b3.....", true),   // 3 : 9
        ("r1r1r1....", "b6b2.....", false),  // 3 : 8, only 11 in all
        ("r1r1r1r1...", "b6b5.....", false), // 4 : 11, more than a third
        ("r1r1r1r1...", "b6b6.....", true),  // 4 : 12
    ];
    for (red, blue, is_overwhelmed) in cases {
        let rows = [red, EMPTY, EMPTY, blue, EMPTY, EMPTY, EMPTY];
        check_kept(rows, "5-5", is_overwhelmed);
        check_kept(rows, "0-0dr", is_overwhelmed);
        check_kept(rows, "0-0d", is_overwhelmed);
        check_kept(rows, "1-0", true);
    }
}

#[test]
fn singles_join_allies_on_a_highly_populated_board() {
    // Red has two singles more than these stacks.
    let cases = [
        ("r6.r4....", "b6.b5....", true),  // 12 : 11
        ("r6.r3....", "b6.b5....", false), // 11 : 11, only 22 in all
        ("r6.r5....", "b6.b4....", false), // 13 : 10
        ("r6.r5....", "b6.b5....", true),  // 13 : 11
        ("r6.r3....", "b6.b6....", true),  // 11 : 12
    ];
    for (red, blue, is_populated) in cases {
        let rows = [red, EMPTY, EMPTY, "...r1r1..", EMPTY, blue, EMPTY];
        check_kept(rows, "3-3dr", is_populated);
        check_kept(rows, "3-4ul", is_populated);
        check_kept(rows, "3-3ul", false);
        check_kept(rows, "2-1", false);
    }
}

#[test]
fn habits_can_be_switched_off() {
    let rows = ["b1......", EMPTY, EMPTY, "...r1...", EMPTY, EMPTY, EMPTY];
    let pos = board(rows, "r 20");
    let mut moves = Vec::new();
    let mut none = Habits { endgame: None, reduction: None, has_order: false };
    none.moves(&pos, &mut moves);
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    assert_eq!(moves, legal);
    none.has_order = true;
    none.moves(&pos, &mut moves);
    assert_eq!(shown(&pos, &moves[..6]), "3-3dr 3-3d 3-3dl 3-3ul 3-3u 3-3ur");
}

/// The team's program asked only at the root who is overwhelmed.
#[test]
fn an_overwhelmed_player_may_be_recognized_at_the_root_alone() {
    let pos = board(["b6b6.....", EMPTY, EMPTY, "...r1...", EMPTY, EMPTY, EMPTY], "r 20");
    let mut everywhere = Habits { endgame: None, reduction: Some(Reduction::default()), has_order: false };
    let reduction = Reduction { overwhelmed_at_root: true, ..Reduction::default() };
    let mut at_root = Habits { reduction: Some(reduction), ..everywhere };
    let n_moves = |list: &mut dyn FnMut(&mut Vec<Move>)| {
        let mut moves = Vec::new();
        list(&mut moves);
        moves.len()
    };
    let n_legal = pos.n_legal_moves();
    assert_eq!(n_moves(&mut |moves| everywhere.moves(&pos, moves)), n_legal);
    assert_eq!(n_moves(&mut |moves| at_root.root_moves(&pos, moves)), n_legal);
    assert_eq!(n_moves(&mut |moves| at_root.moves(&pos, moves)), 6);
}
