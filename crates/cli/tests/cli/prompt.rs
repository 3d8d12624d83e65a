//! What helps people who play at the prompt of `yarra play`.

use crate::play::{check_order, play, saved};
use crate::room::Room;
use serde_json::json;

#[test]
fn there_is_one_board_a_turn_and_it_shows_the_score() {
    let room = Room::new();
    let out = play(&room, &["infexion", "--blue", "greedy", "--seed", "1"], &["3-3", "(3, 3) UP RIGHT"]);
    assert_eq!(out.matches("r=6").count(), 3, "before the first move and after each answer: {out}");
    check_order(&out, &["power: red 0, blue 0", "1. red plays 3-3\n2. blue plays", "power: red 1, blue 1"]);
    assert!(!out.contains("......."), "no notation of positions unless asked for: {out}");
    let out = play(&room, &["infexion"], &["board"]);
    check_order(&out, &["position: infexion \"......./"]);
    let agents = ["hex:3", "--red", "random", "--blue", "random", "--seed", "3", "--save", "g.json"];
    let watched = play(&room, &agents, &[]);
    check_order(&watched, &["game over after", "`yarra analyze g.json` reviews the game\n"]);
    assert_eq!(watched.matches("q=0").count(), watched.matches(" plays ").count(), "{watched}");
}

#[test]
fn a_hint_is_a_legal_move_with_a_reason() {
    let room = Room::new();
    for game in ["infexion", "tetress", "cachex:7", "hex:5"] {
        let out = play(&room, &[game], &["hint", "resign", "hint"]);
        check_order(&out, &["hint: ", "\n  then ", ": red ", "the game is over"]);
        let words = out.split("hint: ").nth(1).expect("a hint");
        let m = words.split([' ', '\n']).next().expect("a move").trim_end_matches(',');
        check_order(&play(&room, &[game], &[m]), &[&format!("1. red plays {m}")]);
    }
    let out = play(&room, &["hex", "--position", "rb./rb./... r 4"], &["hint"]);
    check_order(&out, &["hint: 2-0 wins for red"]);
}

#[test]
fn a_new_game_swaps_colors_or_takes_the_color_asked_for() {
    let room = Room::new();
    let args = ["hex:3", "--blue", "random", "--seed", "5", "--save", "g.json"];
    let lines = ["1-1", "new", "save second.json", "new blue", "new RED", "new green"];
    let out = play(&room, &args, &lines);
    check_order(
        &out,
        &[
            "2. blue plays",
            "a new game; you play blue\ng.json keeps the game before; `save FILE` saves this one\n1. red plays",
            "a new game; you play blue\n1. red plays",
            "a new game; you play red\n",
            "expected `red` or `blue`, found \"green\"",
        ],
    );
    let (first, second) = (saved(&room, "g.json"), saved(&room, "second.json"));
    assert_eq!((&first["red"], &first["seed"]), (&json!("human"), &json!(5)));
    assert_eq!((&second["red"], &second["seed"]), (&json!("random"), &json!(6)));
    let out = play(&room, &["hex:3"], &["0-0", "new", "0-0"]);
    check_order(&out, &["1. red plays 0-0", "a new game\n", "move 1: red", "1. red plays 0-0"]);
}

#[test]
fn a_game_can_be_analyzed_where_it_was_played() {
    let room = Room::new();
    let moves =
        ["0-0", "0-1", "1-0", "1-1", "2-0", "analyze", "analyze page.html", "analyze page.html", "new"];
    let out = play(&room, &["hex:3"], &moves);
    check_order(
        &out,
        &[
            "`analyze` reviews the game, `new` starts another",
            "accuracy",
            "wrote the review to page.html",
            "page.html exists; ",
            "a new game",
        ],
    );
    assert!(room.read("page.html").starts_with("<!doctype html>"));
    check_order(&play(&room, &["hex:3"], &["analyze"]), &["expected a game with moves, found none", "red> "]);
}

#[test]
fn loading_another_game_does_not_overwrite_the_one_that_is_saved() {
    let room = Room::new();
    room.write("other.json", "{\"game\":\"hex:3\",\"moves\":[\"2-2\"]}\n");
    let out = play(&room, &["hex:3", "--save", "g.json"], &["0-0", "load other.json", "1-1"]);
    check_order(&out, &["loaded hex:3", "g.json keeps the game before", "2. blue plays 1-1"]);
    assert_eq!(saved(&room, "g.json")["moves"], json!(["0-0"]));
}

#[cfg(target_os = "linux")]
#[test]
fn faults_of_agents_keep_their_lines() {
    let room = Room::new();
    for (dir, body) in [("raises", "        raise ValueError('a\\x1b[2Jb')"), ("broken", "        def (")] {
        std::fs::create_dir_all(room.path().join(dir).join("agent")).unwrap();
        let class = "class Agent:\n    def __init__(self, *a, **k):\n        pass\n    def turn(self, *a, **k):\n        pass\n    def action(self, **k):\n";
        room.write(&format!("{dir}/agent/__init__.py"), &format!("{class}{body}\n"));
    }
    let out = play(&room, &["infexion", "--red", "python:raises", "--save", "g.json"], &[]);
    check_order(
        &out,
        &[
            "red has failed (crash):\n  Traceback (most recent call last):\n    File ",
            "line 7, in action\n",
            "\n  ValueError: a\\u001b[2Jb\n",
            "game over after 0 moves: blue wins (crash)",
        ],
    );
    let fault = &saved(&room, "g.json")["fault"];
    assert!(fault["message"].as_str().is_some_and(|text| text.contains("\nValueError: a")), "{fault}");
    let answer = room.yarra(&["play", "infexion", "--red", "python:broken"], "");
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    check_order(&answer.err, &["yarra: red has failed (crash):\n", "\n  SyntaxError: "]);
}
