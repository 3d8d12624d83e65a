//! Tetress's corner cases as boards.

mod common;

use common::{check_refused, describe};
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Position, Record};

/// A board with the given rows; all others are empty.
fn board(rows: &[(usize, &str)], side_and_ply: &str) -> String {
    let mut all = ["..........."; 11];
    for &(row, cells) in rows {
        all[row] = cells;
    }
    format!("{} {side_and_ply}", all.join("/"))
}

#[track_caller]
fn check(before: &[(usize, &str)], m: &str, after: &[(usize, &str)], outcome: &str) -> Tetress {
    let mut pos = Tetress::read(&board(before, "r 20")).unwrap();
    assert_eq!(pos.outcome(), None);
    pos.play(pos.read_move(m).unwrap());
    assert_eq!(pos.to_string(), board(after, "b 21"));
    assert_eq!(describe(pos.outcome()), outcome);
    pos
}

#[test]
fn a_full_row_vanishes_and_the_rest_of_the_piece_stays() {
    check(
        &[(0, "b.........."), (5, "bbbbb.bbbbb"), (8, ".....r.....")],
        "5-5,6-5,6-6,7-5",
        &[(0, "b.........."), (6, ".....rr...."), (7, ".....r....."), (8, ".....r.....")],
        "going on",
    );
}

#[test]
fn a_full_column_vanishes() {
    let column = |row| (row, ".....b.....");
    let mut before = (0..11).map(column).collect::<Vec<_>>();
    before[0].1 = "b....b.....";
    before[5].1 = ".........r.";
    check(&before, "5-5,5-6,5-7,5-8", &[(0, "b.........."), (5, "......rrrr.")], "going on");
}

#[test]
fn a_row_and_a_column_vanish_together() {
    let column = |row| (row, ".....r.....");
    let mut before = (0..11).map(column).collect::<Vec<_>>();
    before[0].1 = "b....r.....";
    before[4].1 = "...........";
    before[5].1 = "bbbbb..bbbb";
    check(&before, "4-4,4-5,5-5,5-6", &[(0, "b.........."), (4, "....r......")], "going on");
}

#[test]
fn four_rows_can_vanish_at_once() {
    let row = |row| (row, ".rrrrbbbbbb");
    let before = [(0, "b.........."), row(4), row(5), row(6), row(7)];
    check(&before, "4-0,5-0,6-0,7-0", &[(0, "b..........")], "going on");
}

#[test]
fn an_entire_piece_can_vanish() {
    check(
        &[(0, "b.........."), (4, "r.........."), (5, "....bbbbbbb")],
        "5-0,5-1,5-2,5-3",
        &[(0, "b.........."), (4, "r..........")],
        "going on",
    );
}

#[test]
fn pieces_wrap_around_edges_and_corners() {
    let start = Tetress::start(11).unwrap();
    let mut pos = start;
    pos.play(pos.read_move("10-10,10-0,0-10,0-0").unwrap());
    assert_eq!(pos.to_string(), board(&[(0, "r.........r"), (10, "r.........r")], "b 1"));
    assert_eq!(start.read_move("0-0,0-10,10-0,10-10"), start.read_move("10-10,10-0,0-10,0-0"));
    assert!(start.read_move("3-9,3-10,3-0,3-1").is_ok());
    assert!(start.read_move("9-4,10-4,0-4,0-5").is_ok());
}

#[test]
fn a_token_touches_across_the_edge() {
    let pos = Tetress::read(&board(&[(0, "r.........."), (5, ".....b.....")], "r 20")).unwrap();
    assert!(pos.read_move("10-0,9-0,8-0,7-0").is_ok());
    assert!(pos.read_move("0-10,0-9,0-8,0-7").is_ok());
    check_refused(&pos, &["10-10,9-10,8-10,7-10", "10-1,9-1,8-1,7-1", "5-6,5-7,5-8,5-9"]);
}

#[test]
fn only_the_first_two_plies_need_no_adjacency() {
    let moves = ["0-0,0-1,0-2,0-3", "5-5,5-6,6-5,6-6"];
    let record = Record::read("tetress", None, moves).unwrap();
    let pos = record.now();
    check_refused(pos, &["8-8,8-9,9-8,9-9", "7-5,7-6,7-7,7-8"]);
    assert!(pos.read_move("1-3,1-4,2-3,2-4").is_ok());
    let nobody = Tetress::read(&board(&[(5, ".....b.....")], "r 2")).unwrap();
    assert_eq!(describe(nobody.outcome()), "blue by no_legal_move");
}

#[test]
fn the_shortest_game_has_three_plies() {
    let moves = ["0-0,0-1,0-2,0-3", "0-4,0-5,0-6,0-7", "0-8,0-9,0-10,1-10"];
    let record = Record::read("tetress", None, moves).unwrap();
    assert_eq!(record.now().to_string(), board(&[(1, "..........r")], "b 3"));
    assert_eq!(describe(record.outcome()), "red by no_legal_move");
}

#[test]
fn a_player_that_clears_its_own_tokens_loses_after_the_reply() {
    let mut pos = check(
        &[(0, "bb........."), (5, "....rbbbbbb")],
        "5-0,5-1,5-2,5-3",
        &[(0, "bb.........")],
        "going on",
    );
    pos.play(pos.read_move("0-2,0-3,0-4,0-5").unwrap());
    assert_eq!(describe(pos.outcome()), "blue by no_legal_move");
}

#[test]
fn a_player_that_clears_the_board_wins() {
    check(&[(5, "....rbbbbbb")], "5-0,5-1,5-2,5-3", &[], "red by no_legal_move");
}

/// Every other cell is red, except for a hole in the middle that blue can fill. Blue has one token.
fn crowded(side_and_ply: &str) -> Tetress {
    let cell = |row: usize, col: usize| match (row, col) {
        (5, 5) => '.',
        (5, 7) => 'b',
        _ if (row + col).is_multiple_of(2) => 'r',
        _ => '.',
    };
    let row = |row| (0..11).map(|col| cell(row, col)).collect::<String>();
    let rows = (0..11).map(row).collect::<Vec<_>>();
    Tetress::read(&common::board(&format!("{} {side_and_ply}", rows.join("/")))).unwrap()
}

#[test]
fn at_ply_150_tokens_count_even_if_the_side_to_move_is_blocked() {
    for (side_and_ply, outcome) in [("b 147", "blue by no_legal_move"), ("b 149", "red by turn_limit")] {
        let mut pos = crowded(side_and_ply);
        pos.play(pos.read_move("4-5,5-4,5-5,5-6").unwrap());
        assert_eq!((pos.n_legal_moves(), describe(pos.outcome()).as_str()), (0, outcome));
    }
}

#[test]
fn equal_tokens_at_ply_150_are_a_draw() {
    let mut pos = Tetress::read(&board(&[(0, "rrrrrrrr..."), (5, "bbbb.......")], "b 149")).unwrap();
    pos.play(pos.read_move("5-4,5-5,5-6,5-7").unwrap());
    assert_eq!((pos.n_legal_moves(), describe(pos.outcome()).as_str()), (0, "draw by turn_limit"));
    assert!(pos.read_move("1-0,1-1,1-2,1-3").is_err());
}

#[test]
fn invalid_moves_are_rejected() {
    let start = Tetress::start(11).unwrap();
    check_refused(
        &start,
        &["", "0-0", "0-0,0-1,0-2", "0-0,0-1,0-2,0-3,0-4", "0-0,0-1,0-2,0-2", "0-0,0-0,0-1,0-1"],
    );
    check_refused(&start, &["0-0,0-1,0-2,0-4", "0-0,1-1,2-2,3-3", "0-0,0-1,0-2,0-11", "11-0,0-0,1-0,2-0"]);
    check_refused(&start, &["0-0, 0-1,0-2,0-3", "0-0,0-1,0-2,0-3,", ",0-0,0-1,0-2,0-3", "0-0,0-1,0-2,0-03"]);
    check_refused(
        &start,
        &["0-0,0-1,0-2,0-3\n", "0-0;0-1;0-2;0-3", "0-0,0-1,0-2,0-３", &"0-0,".repeat(1 << 18)],
    );
    let placed = Tetress::read(&board(&[(0, "rrrr.......")], "b 1")).unwrap();
    check_refused(&placed, &["0-3,0-4,0-5,0-6"]);
}

#[test]
fn invalid_positions_are_rejected() {
    let good = board(&[(0, "rrrr.......")], "b 1");
    assert!(Tetress::read(&good).is_ok());
    let mut bad = vec![board(&[(3, "rrrrbbbbrrr")], "r 4"), board(&[(3, "rrrr......")], "b 1")];
    bad.push(board(&[(3, "rrrr........")], "b 1"));
    bad.push(board(&[(3, "rrrrg......")], "b 1"));
    bad.push(board(&[(3, "rrr²......")], "b 1"));
    bad.push(format!("{} r 4", [".....r....."; 11].join("/")));
    for side_and_ply in ["r 1", "b 01", "b 151", "b 1 ", "b  1", "b", "b -1", "b 1x", "b 65537", "blue 1"] {
        bad.push(board(&[(0, "rrrr.......")], side_and_ply));
    }
    bad.extend([format!(" {good}"), good.replace('/', " / "), format!("{good}\n"), "/".repeat(1 << 20)]);
    bad.extend(["", "b 1", "é"].map(str::to_owned));
    for text in bad {
        assert!(Tetress::read(&text).is_err(), "{text:.150} was read");
    }
}
