//! `yarra play`: complete sessions, typed into a pipe.

use crate::room::Room;
use serde_json::{Value, json};

/// Plays a session and returns its output.
#[track_caller]
pub fn play(room: &Room, args: &[&str], lines: &[&str]) -> String {
    let answer = room.yarra(&[&["play"], args].concat(), &format!("{}\n", lines.join("\n")));
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{}", answer.out);
    answer.out
}

#[track_caller]
pub fn saved(room: &Room, name: &str) -> Value {
    let text = room.read(name);
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

/// Asserts that the texts occur in this order.
#[track_caller]
pub fn check_order(out: &str, texts: &[&str]) {
    let mut rest = out;
    for text in texts {
        let Some(at) = rest.find(text) else { panic!("{text:?} is missing in:\n{rest}") };
        rest = &rest[at + text.len()..];
    }
}

#[test]
fn two_people_play_to_the_end() {
    let room = Room::new();
    let out =
        play(&room, &["hex:3", "--save", "g.json"], &["0-0", "0-1", "1-0", "1-1", "2-0", "2-2", "quit"]);
    check_order(
        &out,
        &[
            "move 1: red to move; stones to connect: red 3, blue 3\nred> 1. red plays 0-0",
            "game over after 5 moves: red wins (connection)\n`analyze` reviews the game, `new` starts another; it is saved in g.json\n",
            "the game is over: red wins (connection)",
        ],
    );
    assert_eq!(
        saved(&room, "g.json"),
        json!({
            "game": "hex:3", "moves": ["0-0", "0-1", "1-0", "1-1", "2-0"],
            "winner": "red", "reason": "connection", "red": "human", "blue": "human",
        })
    );
    assert_eq!(std::fs::read_dir(room.path()).unwrap().count(), 1, "no draft is left");
}

#[test]
fn mistakes_are_explained_and_change_nothing() {
    let room = Room::new();
    let out =
        play(&room, &["cachex:3"], &["", "foo", "1-1", "9-9", "save", "load nowhere", "0-1 0-2", "steal"]);
    check_order(
        &out,
        &[
            "expected a cell like `3-4` or `steal`, found \"foo\"\n`moves` lists",
            "the first stone must not be in the center",
            "9-9 is off the board: numbers go from 0 to 2",
            "expected a file, as in `save game.json`",
            "cannot read nowhere",
            "expected a cell like `3-4` or `steal`, found \"0-1 0-2\"",
            "only blue's first move can be a steal",
            "red> ",
        ],
    );
    assert!(!out.contains("plays"), "{out}");
}

#[test]
fn invalid_utf8_is_a_mistake_too() {
    use std::io::Write;
    let room = Room::new();
    let mut child = room.command(&["play", "hex:3"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\n0-0").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    // The last line need not be terminated.
    check_order(&String::from_utf8(output.stdout).unwrap(), &["expected a cell", "red plays 0-0"]);
}

#[test]
fn undo_between_people_takes_back_one_move() {
    let room = Room::new();
    let out = play(&room, &["hex:3", "--save", "g.json"], &["0-0", "0-1", "undo", "undo", "undo", "2-2"]);
    check_order(
        &out,
        &["move 3:", "move 2:", "move 1:", "there is no move to take back", "1. red plays 2-2"],
    );
    assert_eq!(saved(&room, "g.json")["moves"], json!(["2-2"]));
}

#[test]
fn undo_against_random_goes_back_to_the_persons_turn() {
    let room = Room::new();
    let out =
        play(&room, &["hex:5", "--red", "random", "--seed", "8"], &["undo", "0-0", "undo", "0-0", "undo"]);
    check_order(&out, &["move 2:", "there is no move", "move 4:", "move 2:", "move 4:", "move 2:"]);
}

#[test]
fn a_seed_makes_the_same_game() {
    let room = Room::new();
    let game = |seed, file| {
        play(&room, &["tetress", "--red", "random", "--blue", "random", "--seed", seed, "--save", file], &[])
            .replace(&format!("`yarra analyze {file}`"), "")
    };
    assert_eq!(game("3", "a"), game("3", "b"));
    assert_ne!(game("4", "c"), game("5", "d").replace("seed 5", "seed 4"));
    let saved = saved(&room, "a");
    assert_eq!((&saved["seed"], &saved["red"]), (&json!(3), &json!("random")));
    assert!(!saved["reason"].is_null());
}

#[test]
fn any_agent_can_play_and_show_its_score() {
    let room = Room::new();
    let args =
        ["hex:3", "--blue", "negamax:depth=2,eval=material", "--think", "--save", "g.json", "--seed", "1"];
    let out = play(&room, &args, &["1-1", "undo", "1-1", "resign"]);
    check_order(
        &out,
        &[
            "agents play from seed 1",
            "1. red plays 1-1",
            "blue thinks: ",
            ", depth 2, ",
            "s game total; memory: ",
            ", peak ",
            "2. blue plays ",
            "move 3: red to move",
            "move 1: red to move",
            "2. blue plays ",
            "blue wins (resignation)",
        ],
    );
    // Without a table nothing stays after the move; the peak is what the search held on its path.
    let peaks = out.matches("memory: 0 B, peak ").count();
    assert!(peaks == 2 && !out.contains("peak 0 B"), "{out}");
    assert_eq!(saved(&room, "g.json")["blue"], "negamax:depth=2,eval=material");
}

#[test]
fn an_agent_continues_a_loaded_game() {
    let room = Room::new();
    room.write("g.json", "{\"game\":\"hex:5\",\"moves\":[\"0-0\"],\"winner\":null,\"reason\":null}\n");
    let out = play(&room, &["hex", "--blue", "mcts:playouts=5", "--load", "g.json"], &["load g.json"]);
    check_order(&out, &["loaded hex:5", "2. blue plays", "loaded hex:5", "2. blue plays"]);
}

#[test]
fn an_agent_that_runs_out_of_time_loses() {
    let out = play(&Room::new(), &["tetress", "--red", "minimax:depth=3,clock=0s"], &[]);
    check_order(&out, &["red has failed (time): ", "game over after 0 moves: blue wins (time)", "over> "]);
}

#[test]
fn resignation_is_saved_loaded_and_taken_back() {
    let room = Room::new();
    let out = play(&room, &["cachex:5"], &["0-1", "resign", "resign", "0-0", "save g.json"]);
    check_order(
        &out,
        &[
            "game over after 1 move: red wins (resignation)",
            "the game is over",
            "the game is over",
            "saved to g.json",
        ],
    );
    let line = saved(&room, "g.json");
    assert_eq!((&line["winner"], &line["reason"]), (&json!("red"), &json!("resignation")));

    let out = play(&room, &["cachex", "--load", "g.json", "--save", "g.json"], &["moves", "undo", "steal"]);
    check_order(
        &out,
        &[
            "loaded cachex:5 after 1 move",
            "game over after 1 move: red wins (resignation)",
            "over> the game is over: red wins (resignation)",
            "move 2: blue to move",
            "blue> 2. blue plays steal",
        ],
    );
    let line = saved(&room, "g.json");
    assert_eq!((&line["moves"], &line["reason"]), (&json!(["0-1", "steal"]), &Value::Null));
}

#[test]
fn a_game_from_a_position_keeps_its_start() {
    let room = Room::new();
    play(&room, &["hex", "--position", "rb./rb./... r 4"], &["2-2", "save g.json"]);
    assert_eq!(saved(&room, "g.json")["start"], "rb./rb./... r 4");
    let out = play(&room, &["hex:3"], &["load g.json", "undo", "undo", "2-0"]);
    check_order(&out, &["move 6: blue", "move 5: red", "no move to take back", "red wins (connection)"]);
}

#[test]
fn the_seventh_occurrence_is_a_draw() {
    let mut moves = vec!["4-2", "2-1", "2-3", "3-2", "2-2", "1-5"];
    moves.extend(["1-2", "1-3", "2-2", "3-3", "2-3", "3-2"].repeat(6));
    let room = Room::new();
    let out = play(&room, &["cachex:7", "--save", "g.json"], &[&moves[..], &["0-0", "moves"]].concat());
    check_order(
        &out,
        &["game over after 42 moves: draw (repetition)", "the game is over", "the game is over"],
    );
    let line = saved(&room, "g.json");
    assert_eq!((&line["winner"], &line["reason"]), (&Value::Null, &json!("repetition")));

    let out = play(&room, &["cachex", "--load", "g.json"], &["undo", "0-0"]);
    check_order(
        &out,
        &["draw (repetition)", "move 42: blue to move", "42. blue plays 0-0", "move 43: red to move"],
    );
    let out = room.yarra(&["show", "g.json", "--last"], "").out;
    check_order(&out, &["42 moves, draw (repetition)", "ply 42, game over: draw (repetition)"]);
}

#[test]
fn help_explains_each_game() {
    for (game, word) in
        [("infexion", "3-4 ur"), ("tetress", "3-3 3-4 4-3 4-4"), ("cachex", "steal"), ("hex", "3-4")]
    {
        let out = play(&Room::new(), &[game], &["help"]);
        check_order(&out, &["Goal: ", word, "Legal now, for example: ", "Commands", "resign", "quit"]);
        let example = out.split("for example: ").nth(1).and_then(|rest| rest.split([' ', '\n']).next());
        check_order(&play(&Room::new(), &[game], &[example.unwrap()]), &["1. red plays"]);
    }
}

#[test]
fn moves_are_listed_all_or_by_cell() {
    let room = Room::new();
    let out = play(&room, &["cachex:3"], &["moves", "moves 0-1"]);
    check_order(
        &out,
        &["8 legal moves\n  0-0  0-1  0-2  1-0  1-2  2-0  2-1  2-2\n", "1 legal move with 0-1\n  0-1\n"],
    );
    let out = play(&room, &["infexion"], &["0-0", "1-1", "moves 0-0", "moves 0-1"]);
    check_order(
        &out,
        &[
            "6 legal moves with 0-0\n  0-0dr  0-0d   0-0dl  0-0ul  0-0u   0-0ur\n",
            "1 legal move with 0-1\n  0-1\n",
        ],
    );
    let out = play(&room, &["tetress"], &["moves", "moves 3-4"]);
    check_order(&out, &["2299 legal moves", "and 2199 more", "76 legal moves with 3-4"]);
    let out = play(&room, &["infexion"], &["moves zz", "moves 3", "moves 8-8", "MOVES (3, 4)"]);
    check_order(
        &out,
        &[
            "expected a cell like `3-4`, found \"zz\"",
            "two numbers",
            "8-8 is off the board",
            "1 legal move with 3-4",
        ],
    );
}

#[test]
fn other_games_are_not_overwritten() {
    let room = Room::new();
    let two = "{\"game\":\"hex:3\",\"moves\":[]}\n{\"game\":\"hex:3\",\"moves\":[\"0-0\"]}\n";
    room.write("two.jsonl", two);
    let out = play(&room, &["hex:3"], &["load two.jsonl", "save! two.jsonl"]);
    check_order(&out, &["after 1 move, the last of 2 games", "two.jsonl contains more than one game"]);
    let answer = room.yarra(&["play", "hex:3", "--save", "two.jsonl"], "0-0\n");
    assert_eq!((answer.code, answer.err.lines().count()), (2, 1));
    assert_eq!(room.read("two.jsonl"), two);
}

#[cfg(unix)]
#[test]
fn ctrl_c_at_the_prompt_loses_nothing() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Command;
    let room = Room::new();
    let mut child = room.command(&["play", "hex:3", "--save", "g.json"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"0-0\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("move 2:")));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(130), &b"\n"[..]));
    assert_eq!(saved(&room, "g.json")["moves"], json!(["0-0"]));
}
