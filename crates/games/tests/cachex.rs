//! Cachex's corner cases as boards, and some of Hex. Row 0 is on top: each row further down is shifted
//! half a cell to the right, so a cell's neighbors are those beside, above, below, below to the left and
//! above to the right.

mod common;

use common::{board, check_refused, describe};
use yarra_games::{Record, read};

/// Red plays on `*` and captures the stones written `B`; the rest stays.
#[track_caller]
fn check_capture(picture: &str) {
    let text = board(&format!("{picture}\n r 8"));
    let before = text.replace('*', ".").replace('B', "b");
    let after = text.replace('*', "r").replace('B', ".").replace(" r 8", " b 9");
    let rows = text.split(' ').next().unwrap().split('/');
    let find = |(row, cells): (usize, &str)| cells.find('*').map(|col| format!("{row}-{col}"));
    let m = rows.enumerate().find_map(find).unwrap();
    for spec in ["cachex", "hex"] {
        let mut pos = read(spec, &before).unwrap();
        pos.play(pos.read_move(&m).unwrap());
        let expected = if spec == "cachex" { after.clone() } else { before_with(&text) };
        assert_eq!(pos.to_string(), expected, "{spec}");
    }
    // The same with colors and sides swapped: blue plays and captures red stones.
    let swapped = read("cachex", &transposed(&before, "b 9")).unwrap();
    let (row, col) = m.split_once('-').unwrap();
    let mut played = swapped.boxed();
    played.play(swapped.read_move(&format!("{col}-{row}")).unwrap());
    assert_eq!(played.to_string(), transposed(&after, "r 10"));
}

/// Hex captures nothing.
fn before_with(picture: &str) -> String {
    picture.replace('*', "r").replace('B', "b").replace(" r 8", " b 9")
}

fn transposed(position: &str, side_and_ply: &str) -> String {
    let rows = position.split(' ').next().unwrap().split('/').map(str::as_bytes).collect::<Vec<_>>();
    let swap = |cell| match cell {
        b'r' => 'b',
        b'b' => 'r',
        other => other as char,
    };
    let column = |col: usize| rows.iter().map(|row| swap(row[col])).collect::<String>();
    let columns = (0..rows.len()).map(column).collect::<Vec<_>>();
    format!("{} {side_and_ply}", columns.join("/"))
}

#[test]
fn the_last_corner_of_a_diamond_captures_two() {
    // The new stone and its ally at the long diagonal's ends.
    check_capture(
        ". . . . .
         . . . . .
         . . * . .
         . B B . .
         . r . . .",
    );
    check_capture(
        ". . . . .
         . . r . .
         . B B . .
         . * . . .
         . . . . .",
    );
    check_capture(
        ". . . . .
         . . . B r
         . . * B .
         . . . . .
         . . . . .",
    );
    check_capture(
        ". . . . .
         . r B . .
         . B * . .
         . . . . .
         . . . . .",
    );
    // The new stone and its ally side by side, between their victims.
    check_capture(
        ". . . . .
         . . B . .
         . r * . .
         . B . . .
         . . . . .",
    );
    check_capture(
        ". . . . .
         . . r B .
         . B * . .
         . . . . .
         . . . . .",
    );
}

#[test]
fn one_stone_can_capture_three_to_six() {
    check_capture(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         . . . * B . .
         . . B B r . .
         . . r . . . .
         . . . . . . .",
    );
    check_capture(
        ". . . . . . .
         . . . . r . .
         . . . B B . .
         . . . * . . .
         . . B B . . .
         . . r . . . .
         . . . . . . .",
    );
    check_capture(
        ". . . . . . .
         . . . . r . .
         . . . B B r .
         . . . * B . .
         . . B B . . .
         . . r . . . .
         . . . . . . .",
    );
    check_capture(
        ". . . . . . .
         . . . . . . .
         . . r B B r .
         . . B * B . .
         . . B B . . .
         . . r . . . .
         . . . . . . .",
    );
}

#[test]
fn other_diamonds_capture_nothing() {
    // Equal colors side by side.
    check_capture(
        ". . . . .
         . . . . .
         . . * b .
         . r b . .
         . . . . .",
    );
    // Three to one, either way.
    check_capture(
        ". . . . .
         . . . . .
         . . * r .
         . r b . .
         . . . . .",
    );
    check_capture(
        ". . . . .
         . . . . .
         . . * . .
         . b b . .
         . b . . .",
    );
    // A straight line of four, and a ring without allies.
    check_capture(
        ". . . . .
         . . . . .
         * b b r .
         . . . . .
         . . . . .",
    );
    check_capture(
        ". . . . .
         . . b b .
         . b * b .
         . b b . .
         . . . . .",
    );
}

#[test]
fn captures_work_on_the_edges_but_not_across_them() {
    check_capture(
        "* B . .
         B r . .
         . . . .
         . . . .",
    );
    check_capture(
        ". . . .
         . . . .
         . . . *
         . . b b",
    );
}

#[test]
fn a_stolen_stone_changes_color_and_sides() {
    for (first, after) in [
        ("0-3", "..../..../..../b... r 2"),
        ("1-1", "..../.b../..../.... r 2"),
        ("2-1", "..../..b./..../.... r 2"),
    ] {
        let record = Record::read("cachex:4", None, [first, "steal"]).unwrap();
        assert_eq!(record.now().to_string(), after);
        assert!(record.now().read_move(first).is_ok() || first == "1-1");
    }
    for moves in [&[][..], &["0-3", "steal"], &["0-3", "1-1"]] {
        let record = Record::read("cachex:4", None, moves.iter().copied()).unwrap();
        assert!(record.read_move("steal").is_err(), "after {moves:?}");
    }
    assert!(Record::read("hex:4", None, ["0-3", "steal"]).is_err());
}

#[test]
fn the_center_is_forbidden_only_for_the_first_move_on_odd_boards() {
    let n_legal =
        |spec, moves: &[&str]| Record::read(spec, None, moves.iter().copied()).unwrap().now().n_legal_moves();
    assert_eq!(n_legal("cachex:5", &[]), 24);
    assert_eq!(n_legal("cachex:5", &["0-0"]), 25);
    assert_eq!(n_legal("cachex:5", &["0-0", "steal"]), 24);
    assert_eq!(n_legal("cachex:5", &["0-0", "2-2"]), 23);
    assert_eq!(n_legal("cachex:6", &[]), 36);
    assert_eq!(n_legal("hex:5", &[]), 25);
    assert!(Record::read("cachex:5", None, ["2-2"]).is_err());
    assert!(Record::read("cachex:5", None, ["0-0", "steal", "2-2"]).is_ok());
    assert!(Record::read("hex:5", None, ["2-2"]).is_ok());
}

/// The mover plays on `*`, in both games.
#[track_caller]
fn check_end(picture: &str, m: &str, outcome: &str) {
    let mut pos = read("cachex", &board(picture)).unwrap();
    assert_eq!(pos.outcome(), None);
    pos.play(pos.read_move(m).unwrap());
    assert_eq!(describe(pos.outcome()), outcome);
    assert_eq!(pos.n_legal_moves() == 0, outcome != "going on");
}

#[test]
fn red_connects_rows_and_blue_columns() {
    check_end("r . . / r . . / . . . r 10", "2-0", "red by connection");
    check_end("r . . / r . . / . . . r 10", "2-1", "going on");
    check_end("b b . / . . . / . . . b 11", "0-2", "blue by connection");
    check_end("b b . / . . . / . . . b 11", "1-2", "going on");
    check_end("r r . / . . . / . . . r 10", "0-2", "going on");
}

#[test]
fn chains_may_end_in_corners() {
    // The short diagonal connects the two obtuse corners, the long one connects nothing.
    check_end(". . r / . . . / r . . r 10", "1-1", "red by connection");
    check_end(". . b / . . . / b . . b 11", "1-1", "blue by connection");
    check_end("r . . / . . . / . . r r 10", "1-1", "going on");
}

#[test]
fn a_capture_cuts_the_chain_that_loses_the_stones() {
    let mut pos = read("cachex", "..r./bbb./..../.r.. r 10").unwrap();
    for (m, after) in [("2-1", "..r./b.../.r../.r.. b 11"), ("1-3", "..r./b..b/.r../.r.. r 12")] {
        pos.play(pos.read_move(m).unwrap());
        assert_eq!((pos.to_string().as_str(), pos.outcome()), (after, None));
    }
    pos.play(pos.read_move("1-2").unwrap());
    assert_eq!(describe(pos.outcome()), "red by connection");
}

#[test]
fn the_last_turn_is_number_343_unless_it_connects() {
    check_end("r . . / r . . / . . . r 342", "2-0", "red by connection");
    check_end("r . . / r . . / . . . r 342", "2-2", "draw by turn_limit");
    check_end("r . . / . . . / . . . b 341", "2-2", "going on");
}

const OPENING: &str = "3-0 2-1 2-3 0-2 1-2 2-2 2-0";
const SIX_PLIES: &str = "3-2 3-1 2-2 1-1 2-1 1-2";

fn six_ply_cycles() -> impl Iterator<Item = &'static str> + Clone {
    OPENING.split(' ').chain([SIX_PLIES; 6].into_iter().flat_map(|cycle| cycle.split(' ')))
}

#[track_caller]
fn check_repetition<'a>(spec: &str, first: Option<&str>, moves: impl Iterator<Item = &'a str> + Clone) {
    let n_moves = moves.clone().count();
    let before = Record::read(spec, first, moves.clone().take(n_moves - 1)).unwrap();
    assert_eq!(before.outcome(), None);
    let after = Record::read(spec, first, moves).unwrap();
    assert_eq!(describe(after.outcome()), "draw by repetition");
    assert_eq!(after.n_repeats(), 7);
    assert!(after.read_move("0-0").is_err());
}

#[test]
fn the_seventh_occurrence_of_a_board_is_a_draw() {
    check_repetition("cachex:4", None, six_ply_cycles());
}

#[test]
fn a_seventh_occurrence_on_turn_343_is_a_draw_by_repetition() {
    let first = "..../..../..../.... r 300";
    check_repetition("cachex:4", Some(first), six_ply_cycles());
    let last = Record::read("cachex:4", Some(first), six_ply_cycles()).unwrap();
    assert_eq!(last.now().ply(), 343);
    assert_eq!(describe(last.now().outcome()), "draw by turn_limit");
}

#[test]
fn boards_count_as_the_same_with_either_side_to_move() {
    let opening = "2-4 5-0 1-6 5-2 0-6 1-5 5-1 6-1";
    let five_plies = ["6-2 5-2 6-0 6-1 5-1", "0-7 0-6 2-5 1-6 1-5"];
    let cycles = five_plies.into_iter().cycle().take(6);
    let moves = opening.split(' ').chain(cycles.flat_map(|cycle| cycle.split(' ')));
    check_repetition("cachex:9", None, moves);
}

#[test]
fn hex_has_no_repetition_and_ends_when_the_board_is_full() {
    let pos = read("hex:3", "rrb/bbr/r.. b 7").unwrap();
    assert!(pos.repetition().is_none());
    assert_eq!(pos.turn_limit(), 9);
}

#[test]
fn invalid_moves_are_rejected() {
    let record = Record::read("cachex:9", None, ["0-0", "1-1"]).unwrap();
    let pos = record.now();
    check_refused(
        pos,
        &["", "0-0", "1-1", "9-0", "0-9", "00-2", "2-02", "2-2 ", " 2-2", "2-2\n", "2--2", "-2-2"],
    );
    check_refused(
        pos,
        &["Steal", "STEAL", "steal ", "steal", "2-2x", "2", "2-", "-", "d2", "2-２", &"2-".repeat(1 << 19)],
    );
}

#[test]
fn invalid_positions_are_rejected() {
    let mut bad = ["", "r 0", "../.. r 0", ".../.../.. r 0", ".../.../.... r 0", ".../.../..x r 0"].to_vec();
    bad.extend([
        ".../.../... b 0",
        ".../.../... r 1",
        ".../.../... r 00",
        ".../.../... r 344",
        ".../.../... b 345",
    ]);
    bad.extend([
        ".../.../... r 0 ",
        " .../.../... r 0",
        ".../.../...  r 0",
        ".../.../... r 0\n",
        ".../.../... r",
    ]);
    bad.extend([".../.../...é r 0", "…/…/… r 0", ".../.../R.. b 1", ".../.../... r -0", ".../.../.../ r 0"]);
    // The center is forbidden, and no other cell is empty.
    bad.extend(["rrr/b.b/rrr r 0"]);
    for text in &bad {
        assert!(read("cachex", text).is_err(), "{text} was read");
    }
    for (n_rows, is_read) in [(2, false), (3, true), (15, true), (16, false), (300, false), (70_000, false)] {
        let row = ".".repeat(n_rows.min(300));
        let text = format!("{} r 0", vec![row; n_rows].join("/"));
        assert_eq!(read("cachex", &text).is_ok(), is_read, "{n_rows} rows");
    }
    assert!(read("cachex:4", ".../.../... r 0").is_err());
    assert!(read("hex:3", ".../.../... b 11").is_err());
}

#[test]
fn positions_need_not_be_reachable() {
    for text in ["r../.../... r 0", "b../.../... b 1", "rrr/b.b/rrr b 1", "rrr/b.b/rrr r 2"] {
        assert!(read("cachex", text).is_ok(), "{text} was not read");
    }
    let mut pos = read("cachex", "rb./.../r.. b 1").unwrap();
    pos.play(pos.read_move("steal").unwrap());
    assert_eq!(pos.to_string(), "b.b/r../... r 2");
}

#[test]
fn positions_with_uncaptured_diamonds_are_rejected() {
    for rows in ["..../.rb./.br./....", "..../..r./.bb./.r..", ".b../rr../b.../....", "..../.b../rr../b..."] {
        assert!(read("cachex", &format!("{rows} r 20")).is_err(), "{rows} was read");
        assert!(read("hex", &format!("{rows} r 10")).is_ok(), "{rows} was not read");
    }
    assert!(read("cachex", "..../.rr./.bb./.... r 20").is_ok(), "equal colors side by side");
}
