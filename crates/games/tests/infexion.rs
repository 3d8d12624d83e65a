//! Infexion's corner cases as boards. Row 0 is on top, so `ur` looks downward here.

mod common;

use common::{board, check_refused, describe};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position, Record};

#[track_caller]
fn check(before: &str, m: &str, after: &str, outcome: &str) {
    let mut pos = Infexion::read(&board(before)).unwrap();
    assert_eq!(pos.outcome(), None);
    pos.play(pos.read_move(m).unwrap());
    assert_eq!(pos.to_string(), board(after));
    assert_eq!(describe(pos.outcome()), outcome);
}

/// Only row 0 of the board is of interest; a spread runs along it.
#[track_caller]
fn check_row(before: &str, m: &str, after: &str, outcome: &str) {
    let rest = ["......."; 6].join("/");
    check(&format!("{before}/{rest} r 10"), m, &format!("{after}/{rest} b 11"), outcome);
}

#[test]
fn a_spread_adds_one_to_each_cell_and_captures_it() {
    check_row("r3 . b1 r2 . . b1", "0-0dr", ". r1 r2 r3 . . b1", "going on");
}

#[test]
fn a_stack_of_seven_vanishes_whatever_its_color() {
    check_row("r2 r6 . . b1 . .", "0-0dr", ". . r1 . b1 . .", "going on");
    check_row("r2 b6 . . b1 . .", "0-0dr", ". . r1 . b1 . .", "going on");
    check_row("r6 b6 r6 b6 r6 b6 r6", "0-0dr", ". . . . . . .", "draw by annihilation");
}

#[test]
fn a_player_without_power_loses_if_the_other_has_two() {
    check_row("r1 b1 . . . . .", "0-0dr", ". r2 . . . . .", "red by elimination");
    check_row("r1 r6 b2 . . . .", "0-0dr", ". . b2 . . . .", "blue by elimination");
    check_row("r1 b6 . b2 . . .", "0-0dr", ". . . b2 . . .", "blue by elimination");
}

#[test]
fn one_against_zero_is_a_draw() {
    check_row("r2 b6 . . . . .", "0-0dr", ". . r1 . . . .", "draw by elimination");
    check_row("r1 r6 b1 . . . .", "0-0dr", ". . b1 . . . .", "draw by elimination");
    check_row("r1 b6 . . b1 . .", "0-0dr", ". . . . b1 . .", "draw by elimination");
}

#[test]
fn zero_against_zero_is_annihilation() {
    check_row("r1 b6 . . . . .", "0-0dr", ". . . . . . .", "draw by annihilation");
}

#[test]
fn a_spread_wraps_around_both_edges() {
    let before = "
        r2 .  .  .  .  .  r2
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        .  .  .  b1 .  .  .
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        r2 .  .  .  .  .  r2
        r 20";
    let after = |rows: [&str; 7]| format!("{} b 21", rows.join("/"));
    let [top, empty, blue, low] = ["r2.....r2", ".......", "...b1...", "r2.....r2"];
    check(before, "6-6dr", &after([top, empty, empty, blue, empty, empty, "r3r1....."]), "going on");
    check(
        before,
        "6-6ur",
        &after(["r2.....r3", "......r1", empty, blue, empty, empty, "r2......"]),
        "going on",
    );
    check(
        before,
        "6-0u",
        &after(["r2.....r3", ".....r1.", empty, blue, empty, empty, "......r2"]),
        "going on",
    );
    check(before, "0-0ul", &after([".....r1r3", empty, empty, blue, empty, empty, low]), "going on");
    check(
        before,
        "0-0dl",
        &after(["......r2", empty, empty, blue, empty, "r1......", "r3.....r2"]),
        "going on",
    );
    check(
        before,
        "0-6d",
        &after(["r2......", empty, empty, blue, empty, ".r1.....", "r3.....r2"]),
        "going on",
    );
}

#[test]
fn a_full_board_allows_no_spawn_until_an_overflow() {
    let rows = "r6r6r6r6b6b6b6/b6r1...../......./......./......./......./.......";
    let mut pos = Infexion::read(&format!("{rows} r 100")).unwrap();
    assert_eq!(pos.n_legal_moves(), 5 * 6);
    let error = pos.read_move("3-3").unwrap_err().to_string();
    assert!(error.contains("no spawn is legal"), "{error}");
    pos.play(pos.read_move("1-1ul").unwrap());
    assert_eq!(pos.to_string(), "r6r6r6r6b6b6b6/......./......./......./......./......./....... b 101");
    assert_eq!(pos.n_legal_moves(), 3 * 6 + 42);
}

#[test]
fn the_last_turn_is_number_343_and_a_lead_of_two_wins() {
    let end = |stacks: &str| {
        let rest = ["......."; 6].join("/");
        let mut pos = Infexion::read(&board(&format!("{stacks}/{rest} r 342"))).unwrap();
        pos.play(pos.read_move("6-6").unwrap());
        (pos.n_legal_moves(), describe(pos.outcome()))
    };
    assert_eq!(end("r1 b1 . . . . ."), (0, "draw by turn_limit".to_owned()));
    assert_eq!(end("r2 b1 . . . . ."), (0, "red by turn_limit".to_owned()));
    assert_eq!(end("r1 b3 . . . . ."), (0, "draw by turn_limit".to_owned()));
    assert_eq!(end("r1 b4 . . . . ."), (0, "blue by turn_limit".to_owned()));
    let last = Infexion::read("r1b1...../......./......./......./......./......./....... r 342").unwrap();
    let mut eliminated = last;
    eliminated.play(last.read_move("0-0dr").unwrap());
    assert_eq!(describe(eliminated.outcome()), "red by elimination");
}

#[test]
fn the_game_does_not_end_before_the_second_ply() {
    let mut record = Record::read("infexion", None, ["3-3"]).unwrap();
    assert_eq!((record.now().n_legal_moves(), record.outcome()), (48, None));
    record.undo();
    assert_eq!(record.now().n_legal_moves(), 49);
}

#[test]
fn invalid_moves_are_rejected() {
    let pos = Infexion::read("r1......b2/......./......./......./......./......./....... r 2");
    assert!(pos.is_err(), "eight cells in a row");
    let pos = Infexion::read("r1.....b2/......./......./......./......./......./....... r 2").unwrap();
    check_refused(
        &pos,
        &["0-0", "0-6", "0-6dr", "3-3dr", "7-0", "0-7", "00-1", "0-01", "+1-1", "1--1", "1-1 ", " 1-1"],
    );
    check_refused(
        &pos,
        &["", "-", "1", "1-", "-1", "1-1-1", "0-0D", "0-0rd", "0-0dr ", "0-0drx", "0-0dr\n", "0-0↘"],
    );
    check_refused(&pos, &["١-١", "1-1\0", "99999999999999999999-0", "steal", &"1".repeat(1 << 20)]);
}

#[test]
fn invalid_positions_are_rejected() {
    let rest = "/......./......./......./......./......./.......";
    for text in [
        "",
        " ",
        "r 0",
        "....... r 0",
        "r1......",
        "/////// r 0",
        &format!("......{rest} r 0"),
        &format!("........{rest} r 0"),
        &format!("r0......{rest} r 2"),
        &format!("r7......{rest} r 2"),
        &format!("r......{rest} r 2"),
        &format!("g1......{rest} r 2"),
        &format!("R1......{rest} r 2"),
        &format!("r1......{rest}  r 2"),
        &format!(" r1......{rest} r 2"),
        &format!("r1......{rest} r 2 "),
        &format!("r1......{rest} r 2\n"),
        &format!("r1......{rest} r 02"),
        &format!("r1......{rest} b 2"),
        &format!("r1......{rest} r 3"),
        &format!("r1......{rest} r 344"),
        &format!("r1......{rest} r -2"),
        &format!("r1......{rest} r +2"),
        &format!("r1......{rest} r 65538"),
        &format!("r1......{rest} red 2"),
        &format!("r1......{rest}/....... r 2"),
        &format!("r²......{rest} r 2"),
        &format!("r6r6r6r6r6r6r6/r6r2.....{} r 100", &rest[8..]),
        &format!("{} r 0", vec!["b1".repeat(7); 7].join("/")),
        &"r1".repeat(1 << 20),
    ] {
        assert!(Infexion::read(text).is_err(), "{text:.80} was read");
    }
    assert!(Infexion::read(&format!("r6r6r6r6r6r6r6/r6r1.....{} r 100", &rest[8..])).is_ok());
}
