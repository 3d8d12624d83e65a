//! `yarra show`: boards as text, SVG and JSON.

use crate::room::{Room, prints};
use serde_json::{Value, json};

/// Compares with a picture that starts on the line after the opening quote.
#[track_caller]
fn check(args: &[&str], picture: &str) {
    let out = prints(args);
    assert_eq!(out, &picture[1..], "\n{out}");
}

#[test]
fn infexion_is_a_diamond_of_flat_topped_hexagons() {
    check(
        &["show", "infexion", "......./..r3b1.../......./......./......./......b6/r2.....r1 r 12"],
        r"
                              r=6  ____
                         r=5  ____/ r2 \____
                    r=4  ____/ .  \____/ .  \____
               r=3  ____/ .  \____/ .  \____/ .  \____
          r=2  ____/ .  \____/ .  \____/ .  \____/ .  \____
     r=1  ____/ .  \____/ .  \____/ .  \____/ .  \____/ .  \____
r=0  ____/ .  \____/ .  \____/ .  \____/ .  \____/ .  \____/ .  \____
    / .  \____/ .  \____/ .  \____/ .  \____/ .  \____/ .  \____/ r1 \
q=0 \____/ .  \____/ r3 \____/ .  \____/ .  \____/ .  \____/ b6 \____/
     q=1 \____/ .  \____/ b1 \____/ .  \____/ .  \____/ .  \____/
          q=2 \____/ .  \____/ .  \____/ .  \____/ .  \____/
               q=3 \____/ .  \____/ .  \____/ .  \____/
                    q=4 \____/ .  \____/ .  \____/
                         q=5 \____/ .  \____/
                              q=6 \____/

infexion  ......./..r3b1.../......./......./......./......b6/r2.....r1 r 12
ply 12, red to move, 62 legal moves
",
    );
}

#[test]
fn tetress_is_a_grid_with_row_0_on_top() {
    check(
        &[
            "show",
            "tetress",
            "bb........b/b........../.........../...rrrr..../.........../.........../.........../.........../.........../.........../........... r 2",
        ],
        r"
    0  1  2  3  4  5  6  7  8  9 10
 0  b  b  .  .  .  .  .  .  .  .  b
 1  b  .  .  .  .  .  .  .  .  .  .
 2  .  .  .  .  .  .  .  .  .  .  .
 3  .  .  .  r  r  r  r  .  .  .  .
 4  .  .  .  .  .  .  .  .  .  .  .
 5  .  .  .  .  .  .  .  .  .  .  .
 6  .  .  .  .  .  .  .  .  .  .  .
 7  .  .  .  .  .  .  .  .  .  .  .
 8  .  .  .  .  .  .  .  .  .  .  .
 9  .  .  .  .  .  .  .  .  .  .  .
10  .  .  .  .  .  .  .  .  .  .  .

tetress  bb........b/b........../.........../...rrrr..../.........../.........../.........../.........../.........../.........../........... r 2
ply 2, red to move, 278 legal moves
",
    );
}

#[test]
fn cachex_is_a_rhombus_with_the_players_sides() {
    check(
        &["show", "cachex:5", "...r./..b../...../...../..r.. b 3"],
        r"
                       red
               / \ / \ / \ / \ / \
          r=4 | . | . | r | . | . |
             / \ / \ / \ / \ / \ /
        r=3 | . | . | . | . | . |
           / \ / \ / \ / \ / \ /
blue  r=2 | . | . | . | . | . |  blue
         / \ / \ / \ / \ / \ /
    r=1 | . | . | b | . | . |
       / \ / \ / \ / \ / \ /
  r=0 | . | . | . | r | . |
       \ / \ / \ / \ / \ /
    q=0   1   2   3   4
             red

cachex:5  ...r./..b../...../...../..r.. b 3
ply 3, blue to move, 22 legal moves
",
    );
}

#[test]
fn hex_is_drawn_like_cachex_and_says_who_has_won() {
    check(
        &["show", "hex:3", "rb./rb./r.. b 5"],
        r"
                 red
             / \ / \ / \
        r=2 | r | . | . |
           / \ / \ / \ /
blue  r=1 | r | b | . |  blue
         / \ / \ / \ /
    r=0 | r | b | . |
         \ / \ / \ /
      q=0   1   2
           red

hex:3  rb./rb./r.. b 5
ply 5, game over: red wins (connection)
",
    );
}

#[test]
fn a_big_board_has_room_for_two_digits() {
    check(
        &["show", "cachex:12"],
        r"
                                                 red
                           / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \
                     r=11 | . | . | . | . | . | . | . | . | . | . | . | . |
                         / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
                   r=10 | . | . | . | . | . | . | . | . | . | . | . | . |
                       / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
                  r=9 | . | . | . | . | . | . | . | . | . | . | . | . |
                     / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
                r=8 | . | . | . | . | . | . | . | . | . | . | . | . |
                   / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
              r=7 | . | . | . | . | . | . | . | . | . | . | . | . |
                 / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
            r=6 | . | . | . | . | . | . | . | . | . | . | . | . |
               / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
    blue  r=5 | . | . | . | . | . | . | . | . | . | . | . | . |  blue
             / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
        r=4 | . | . | . | . | . | . | . | . | . | . | . | . |
           / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
      r=3 | . | . | . | . | . | . | . | . | . | . | . | . |
         / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
    r=2 | . | . | . | . | . | . | . | . | . | . | . | . |
       / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
  r=1 | . | . | . | . | . | . | . | . | . | . | . | . |
     / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
r=0 | . | . | . | . | . | . | . | . | . | . | . | . |
     \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ / \ /
  q=0   1   2   3   4   5   6   7   8   9  10  11
                         red

cachex:12  ............/............/............/............/............/............/............/............/............/............/............/............ r 0
ply 0, red to move, 144 legal moves
",
    );
}

const STOLEN: &str =
    r#"{"game":"cachex:3","moves":["0-1","steal"],"winner":"blue","reason":"resignation","red":"Ann"}"#;

/// Shows a file of two games with some options.
#[track_caller]
fn replay(options: &[&str]) -> String {
    let room = Room::new();
    room.write("games.jsonl", &format!("{STOLEN}\n\n{}\n", r#"{"game":"tetress","moves":[],"more":1}"#));
    let answer = room.yarra(&[&["show", "games.jsonl"], options].concat(), "");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    answer.out
}

#[test]
fn a_replay_puts_changed_cells_in_brackets() {
    let picture = r"
game 1: cachex:3, red: Ann, blue: unknown, 2 moves, blue wins (resignation)

2. blue plays steal
                 red
             / \ / \ / \
        r=2 | . | . | . |
           / \ / \ / \ /
blue  r=1 |[b]| . | . |  blue
         / \ / \ / \ /
    r=0 | . |[.]| . |
         \ / \ / \ /
      q=0   1   2
           red

cachex:3  .../b../... r 2
ply 2, game over: blue wins (resignation)

";
    assert_eq!(replay(&["--game", "1", "--last"]), &picture[1..]);
}

#[test]
fn a_replay_shows_every_ply_of_every_game() {
    let out = replay(&["--all"]);
    let heads: Vec<&str> =
        out.lines().filter(|line| line.starts_with("game ") || line.contains("plays")).collect();
    assert_eq!(
        heads,
        [
            "game 1: cachex:3, red: Ann, blue: unknown, 2 moves, blue wins (resignation)",
            "1. red plays 0-1",
            "2. blue plays steal",
            "game 2: tetress, red: unknown, blue: unknown, 0 moves, not over",
        ]
    );
    assert_eq!(out.matches("\nply ").count(), 4);
}

#[test]
fn a_file_of_several_games_is_listed() {
    let list = "\
games.jsonl: 2 games
   game      red  blue     result                    moves  time
1  cachex:3  Ann  unknown  blue wins (resignation)       2     -
2  tetress   unknown  unknown  not over                      0     -
--game N replays a game with its boards, --all replays all
";
    let out = replay(&[]);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&out), words(list), "{out}");
    // Columns are aligned.
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[1].find("result"), lines[2].find("blue wins"));
    assert_eq!(lines[1].find("result"), lines[3].find("not over"));

    let room = Room::new();
    let fault = json!({
        "game": "hex:3", "moves": ["0-0"], "winner": "red", "reason": "crash", "red": "x".repeat(5000),
        "times": [0.5], "memory": [0], "note": format!("blue: {}", "y".repeat(1_000_000)),
    });
    room.write("g", &format!("{fault}\n{fault}\n"));
    let answer = room.yarra(&["show", "g"], "");
    assert!(answer.out.lines().all(|line| line.chars().count() < 200), "{}", answer.out);
    assert!(answer.out.contains("x…  unknown  red wins (crash)      1  0.50 s  blue: yyy"), "{}", answer.out);
    let answer = room.yarra(&["show", "g", "--all", "--game", "1"], "");
    assert_eq!(answer.code, 2, "{}", answer.err);
    // A closed pipe is fine.
    let mut child = room.command(&["show", "g", "--all"]).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn one_ply_of_a_replay_is_one_board() {
    let out = replay(&["--game", "1", "--ply", "1"]);
    assert_eq!(out.matches("\nply ").count(), 1);
    assert!(out.contains("cachex:3  .r./.../... b 1\nply 1, blue to move, 9 legal moves"), "{out}");
}

#[test]
fn standard_input_works_as_a_file() {
    let answer = Room::new().yarra(&["show", "-", "--last"], STOLEN);
    assert_eq!(answer.code, 0);
    assert!(answer.out.contains("game over: blue wins (resignation)"), "{}", answer.out);
}

#[test]
fn json_contains_all_that_the_picture_shows() {
    let out: Value = serde_json::from_str(&prints(&["show", "hex:3", "rb./rb./... r 4", "--json"])).unwrap();
    assert_eq!(
        out,
        json!({
            "spec": "hex:3",
            "position": "rb./rb./... r 4",
            "turn": "red",
            "ply": 4,
            "last_move": null,
            "legal_moves": ["0-2", "1-2", "2-0", "2-1", "2-2"],
            "outcome": null,
        })
    );
    let last: Value = serde_json::from_str(&replay(&["--game", "1", "--last", "--json"])).unwrap();
    assert_eq!(last["outcome"], json!({ "winner": "blue", "reason": "resignation" }));
    assert_eq!((&last["last_move"], &last["legal_moves"]), (&json!("steal"), &json!([])));
    let all: Vec<Value> =
        replay(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<Value> = all
        .iter()
        .map(|pos| json!([pos["game"], pos["move_number"], pos["n_moves"], pos["result"]["winner"]]))
        .collect();
    assert_eq!(
        facts,
        [
            json!([1, null, 2, "blue"]),
            json!([1, 1, 2, "blue"]),
            json!([1, 2, 2, "blue"]),
            json!([2, null, 0, null])
        ]
    );
    assert_eq!(all[0]["players"], json!({ "red": "Ann", "blue": null }));
    assert_eq!(all[0]["outcome"], Value::Null);
}

#[test]
fn a_piece_that_clears_its_line_is_marked_whole() {
    let before = format!("rbrbrbrbrb./{} r 6", ["..........."; 10].join("/"));
    let line = json!({ "game": "tetress", "start": before, "moves": ["0-10,1-10,2-10,3-10"] }).to_string();
    let out = Room::new().yarra(&["show", "-", "--last"], &line).out;
    assert!(out.contains("\n 0 [.][.][.][.][.][.][.][.][.][.][.]\n 1  ."), "{out}");
    let svg = Room::new().yarra(&["show", "-", "--last", "--svg"], &line).out;
    assert_eq!(svg.matches(r##"r="15" fill="none" stroke="#222" stroke-width="4""##).count(), 1, "{svg}");
    assert_eq!(svg.matches(r#"r="4""#).count(), 10, "{svg}");
}

#[test]
fn colors_are_only_for_terminals_unless_asked_for() {
    let room = Room::new();
    let is_colored = |option: &str, no_color: &str| {
        let mut command = room.command(&["show", "hex:3", "--color", option]);
        String::from_utf8(command.env("NO_COLOR", no_color).output().unwrap().stdout)
            .unwrap()
            .contains('\x1b')
    };
    assert!(!is_colored("auto", ""));
    assert!(!is_colored("auto", "1"));
    assert!(!is_colored("never", ""));
    assert!(is_colored("always", ""));
    assert!(is_colored("always", "1"), "an option is more than a habit");
}

#[test]
fn a_file_cannot_control_the_terminal() {
    let room = Room::new();
    let game =
        json!({ "game": "hex:3", "moves": [], "winner": null, "reason": "\x1b[2J", "red": "\x1b]0;x\x07" });
    let answer = room.yarra(&["show", "-"], &game.to_string());
    assert_eq!(answer.code, 0);
    assert!(!answer.out.contains('\x1b'), "{:?}", answer.out);
}

#[test]
fn an_invalid_line_is_named() {
    let check = |line: &str, expected: &str| {
        let room = Room::new();
        room.write("g.jsonl", &format!("{STOLEN}\n\n{line}\n"));
        let answer = room.yarra(&["show", "g.jsonl"], "");
        assert_eq!(answer.code, 2);
        let begin = format!("yarra: g.jsonl line 3: expected {expected}");
        assert!(answer.err.starts_with(&begin), "{}", answer.err);
        assert_eq!(answer.err.lines().count(), 1);
        assert_eq!(answer.err.matches("line ").count(), 1, "{}", answer.err);
    };
    check("[]", "a saved game as a JSON object");
    check(r#"{"game":"he"#, "a saved game as a JSON object: EOF while parsing a string at column 11");
    check(r#"{"game":"go","moves":[]}"#, "a game, one of");
    check(r#"{"game":"hex:3","moves":["0-0","0-0"]}"#, "");
    check(r#"{"game":"hex:3","start":"...","moves":[]}"#, "");
    check(r#"{"game":"hex:3","moves":[],"winner":"green"}"#, "winner");
}

#[test]
fn measured_games_show_the_costs_of_each_move() {
    let room = Room::new();
    let line = r#"{"game":"hex:3","moves":["0-0","0-1","1-0"],"winner":null,"reason":null,"times":[0.5,2,1.25],"memory":[0,0,5120]}"#;
    room.write("g.json", line);
    let out = room.yarra(&["show", "g.json", "--last"], "").out;
    assert!(out.contains("time: + 1.250 s just elapsed, 1.750 s game total; memory: 5.0 kB\n"), "{out}");
}

#[test]
fn a_last_game_that_was_cut_off_is_skipped_with_a_warning() {
    let room = Room::new();
    let game = r#"{"game":"hex:3","moves":["0-0"],"winner":null,"reason":null}"#;
    for torn in [r#"{"game":"hex:3","mo"#, r#"{"ga"#] {
        room.write("g.jsonl", &format!("{game}\n{torn}"));
        for args in [&["show", "g.jsonl", "--last"][..], &["analyze", "g.jsonl", "--nodes", "50"]] {
            let answer = room.yarra(args, "");
            assert_eq!(answer.code, 0, "{}", answer.err);
            assert_eq!(answer.err, "g.jsonl: the last game is incomplete and is skipped\n", "{args:?}");
        }
        let answer = room.yarra(&["play", "hex:3", "--load", "g.jsonl"], "quit\n");
        assert!(answer.out.contains("loaded hex:3 after 1 move"), "{}", answer.out);
    }
    // All commands read all torn files alike, wherever a line was cut: within a character or after a brace.
    let torn = r#"{"game":"hex:3","moves":["0-0"],"winner":"red","reason":"time","red":"é","guests":[{"player":"red","limits":"","isolation":[]}]}"#;
    let cuts = (1..torn.len())
        .filter(|cut| cut % 9 == 0 || !torn.is_char_boundary(*cut) || torn[..*cut].ends_with('}'));
    for cut in cuts {
        let bytes = [game.as_bytes(), b"\n", &torn.as_bytes()[..cut]].concat();
        std::fs::write(room.path().join("g.jsonl"), &bytes).unwrap();
        let commands = [
            &["show", "g.jsonl", "--last"][..],
            &["analyze", "g.jsonl", "--nodes", "5"],
            &["play", "hex:3", "--load", "g.jsonl"],
            &["match", "hex:3", "random", "random", "--games", "1", "--save", "g.jsonl"],
        ];
        for args in commands {
            let answer = room.yarra(args, "quit\n");
            assert_eq!(answer.code, 0, "{args:?} {cut}: {}", answer.err);
            assert!(answer.err.starts_with("g.jsonl: the last game is incomplete and is "), "{args:?} {cut}");
        }
    }
    room.write("g.jsonl", r#"{"game":"hex:3","mo"#);
    let answer = room.yarra(&["show", "g.jsonl"], "");
    let expected = "yarra: g.jsonl: expected saved games, one per line, found only one that was cut off\n";
    assert_eq!((answer.code, &*answer.err), (2, expected));
}
