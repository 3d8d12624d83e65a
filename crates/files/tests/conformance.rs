//! Our rules against the records of the official referees, and the check itself against tampered files.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use serde_json::{Value, json};
use yarra_files::trace::{PerftSuite, Trace};

fn read_data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/conformance").join(name);
    fs::read_to_string(path).unwrap()
}

#[track_caller]
fn check_traces(name: &str, n_games: usize, n_positions: usize) {
    let text = read_data(name);
    let mut n_checked = 0;
    for line in text.lines() {
        let trace = Trace::read(line).unwrap();
        let checked = trace.check();
        assert!(checked.disagreements.is_empty(), "{}: {:?}", trace.id(), checked.disagreements);
        assert!(trace.record().is_ok());
        n_checked += checked.n_positions;
    }
    assert_eq!((text.lines().count(), n_checked), (n_games, n_positions));
}

#[test]
fn infexion_agrees_with_its_referee() {
    check_traces("infexion.jsonl", 160, 870);
}

#[test]
fn tetress_agrees_with_its_referee() {
    check_traces("tetress.jsonl", 194, 1024);
}

#[test]
fn cachex_agrees_with_its_referee() {
    check_traces("cachex.jsonl", 197, 1589);
}

#[track_caller]
fn check_suite(name: &str, n_agreeing: usize, n_skipped: usize) {
    let suite = PerftSuite::read(&read_data(name)).unwrap();
    let checked = suite.check(20_000_000, |_| ControlFlow::Continue(()));
    assert!(checked.disagreements.is_empty(), "{name}: {:?}", checked.disagreements);
    assert_eq!((checked.n_agreeing, checked.n_skipped), (n_agreeing, n_skipped));
}

#[test]
fn perft_counts_agree_up_to_twenty_million() {
    check_suite("infexion.perft.json", 22, 5);
    check_suite("tetress.perft.json", 14, 8);
    check_suite("cachex.perft.json", 50, 1);
}

#[test]
fn a_wrong_perft_count_is_reported_with_its_position() {
    let suite =
        r#"{"game":"cachex","positions":[{"size":4,"moves":[{"place":[0,1]}],"perft":[16,241,1,1,1,1,1]}]}"#;
    let checked = PerftSuite::read(suite).unwrap().check(1000, |_| ControlFlow::Continue(()));
    assert_eq!((checked.n_agreeing, checked.n_skipped, checked.disagreements.len()), (1, 0, 1));
    let found = &checked.disagreements[0];
    assert_eq!(found.what, "expected 241 sequences of 2 moves from position 1, found 225");
    assert_eq!(found.position.to_string(), ".r../..../..../.... b 1");
}

#[test]
fn a_watcher_can_stop_the_counting() {
    let suite = PerftSuite::read(&read_data("infexion.perft.json")).unwrap();
    let checked = suite.check(u64::MAX, |_| ControlFlow::Break(()));
    assert_eq!((checked.n_agreeing, checked.disagreements.len()), (0, 0));
}

/// Changes one thing in a game that agrees and checks the reported disagreement.
#[track_caller]
fn check_tampered(name: &str, id: &str, tamper: impl Fn(&mut Value), expected: &str) {
    let text = read_data(name);
    let line = text.lines().find(|line| line.contains(&format!(r#""id":"{id}""#))).unwrap();
    let mut game = serde_json::from_str::<Value>(line).unwrap();
    assert!(Trace::read(&game.to_string()).unwrap().check().disagreements.is_empty());
    tamper(&mut game);
    let checked = Trace::read(&game.to_string()).unwrap().check();
    let found = checked.disagreements.iter().map(|found| found.what.as_str()).collect::<Vec<_>>();
    assert!(found.iter().any(|what| what.contains(expected)), "expected {expected:?} in {found:?}");
}

/// The last sample of a game.
fn last(game: &mut Value) -> &mut Value {
    game["positions"].as_array_mut().unwrap().last_mut().unwrap()
}

const REPEATED: &str = "cachex-p-edge-rep4";
const FREE: &str = "pub-hand-first_moves-0";
const RANDOM: &str = "public-uniform-0";

#[test]
fn a_changed_move_is_a_disagreement() {
    let change = |game: &mut Value| game["moves"][0] = json!({"place": [3, 3]});
    check_tampered("cachex.jsonl", REPEATED, change, "expected red with power 1 on 3-0, found red");
    let illegal = |game: &mut Value| game["moves"][1] = game["moves"][0].clone();
    check_tampered("infexion.jsonl", RANDOM, illegal, "expected 2-2 to be legal");
    let wrong_game = |game: &mut Value| game["moves"][2] = json!({"steal": true});
    check_tampered("cachex.jsonl", REPEATED, wrong_game, "expected steal to be legal");
    let after_the_end =
        |game: &mut Value| game["moves"].as_array_mut().unwrap().push(json!({"place": [0, 0]}));
    check_tampered("cachex.jsonl", REPEATED, after_the_end, "the game is over");
}

#[test]
fn a_changed_cell_is_a_disagreement() {
    let power = |game: &mut Value| game["positions"][1]["cells"][0][3] = json!(6);
    check_tampered("infexion.jsonl", RANDOM, power, "with power 6");
    let color = |game: &mut Value| last(game)["cells"][0][2] = json!("r");
    check_tampered("cachex.jsonl", REPEATED, color, "expected red with power 1 on 0-2, found blue");
    let missing = |game: &mut Value| drop(last(game)["cells"].as_array_mut().unwrap().remove(0));
    check_tampered("cachex.jsonl", REPEATED, missing, "expected an empty cell, found blue");
    let surplus = |game: &mut Value| last(game)["cells"].as_array_mut().unwrap().push(json!([3, 3, "b"]));
    check_tampered("cachex.jsonl", REPEATED, surplus, "blue with power 1 on 3-3, found the cell empty");
    let twice = |game: &mut Value| {
        let cell = last(game)["cells"][0].clone();
        last(game)["cells"].as_array_mut().unwrap().push(cell);
    };
    check_tampered("cachex.jsonl", REPEATED, twice, "a different order or number");
}

#[test]
fn changed_facts_of_a_position_are_disagreements() {
    let turn = |game: &mut Value| game["positions"][0]["turn"] = json!("blue");
    check_tampered("tetress.jsonl", FREE, turn, "the side to move to be blue, found red");
    let n_legal = |game: &mut Value| game["positions"][0]["legal"] = json!(2298);
    check_tampered("tetress.jsonl", FREE, n_legal, "legal moves to be 2298, found 2299");
    let sha = |game: &mut Value| game["positions"][0]["sha"] = json!("00");
    check_tampered("tetress.jsonl", FREE, sha, "the SHA-256 of the legal moves to be 00");
    let sample = |game: &mut Value| game["positions"][0]["legal_sample"] = json!([{"steal": true}]);
    check_tampered("cachex.jsonl", REPEATED, sample, "expected steal to be legal");
    let rep = |game: &mut Value| last(game)["rep"] = json!(6);
    check_tampered("cachex.jsonl", REPEATED, rep, "has occurred to be 6, found 7");
}

#[test]
fn rejecting_a_legal_move_is_a_disagreement() {
    let legal = |game: &mut Value| {
        let sample = last(game)["legal_sample"][0].clone();
        game["illegal_last"] = json!([sample]);
    };
    check_tampered("tetress.jsonl", FREE, legal, "to be rejected, found it legal");
}

#[test]
fn a_changed_result_is_a_disagreement() {
    let winner = |game: &mut Value| game["result"]["winner"] = json!("red");
    check_tampered("cachex.jsonl", REPEATED, winner, "the winner to be red, found nobody");
    let reason = |game: &mut Value| game["result"]["reason"] = json!("turn_limit");
    check_tampered("cachex.jsonl", REPEATED, reason, "the reason to be turn_limit, found repetition");
    let over = |game: &mut Value| game["result"]["over"] = json!(false);
    check_tampered("cachex.jsonl", REPEATED, over, "the game to be going on, found over");
}

#[test]
fn a_disagreement_says_where() {
    let text = read_data("infexion.jsonl");
    let mut game = serde_json::from_str::<Value>(text.lines().next().unwrap()).unwrap();
    game["moves"][1] = game["moves"][0].clone();
    let checked = Trace::read(&game.to_string()).unwrap().check();
    let found = checked.disagreements.last().unwrap();
    assert_eq!(found.ply, 1);
    assert_eq!(found.position.to_string(), "......./......./..r1..../......./......./......./....... b 1");
}

#[test]
fn malformed_lines_are_errors_that_say_what_was_expected() {
    let good = read_data("cachex.jsonl").lines().next().unwrap().to_owned();
    let changes: [(&str, &str, &str); 12] = [
        (r#"{"game""#, r#"["game""#, "expected a trace"),
        (r#""moves""#, r#""movez""#, "missing field `moves`"),
        (r#""id":"#, r#""id":5,"x":"#, "invalid type"),
        (r#""game":"cachex""#, r#""game":"chess""#, "one of infexion, tetress, cachex, hex"),
        (r#""game":"cachex""#, r#""game":"cachex:9""#, "without a size"),
        (r#""size":3"#, r#""size":2"#, "a size from 3 to 15"),
        (r#""size":3"#, r#""size":300"#, "expected u8"),
        (r#""size":3,"#, "", "a size, because cachex has several"),
        (r#""moves":[{"place":[0,2]}"#, r#""moves":[{"place":[0]}"#, r#"{"place":[r,q]}"#),
        (r#""ply":0"#, r#""ply":11"#, "a ply from 0 to 10"),
        (r#""turn":"red""#, r#""turn":"green""#, "`red` or `blue`"),
        (r#""reason":"connection""#, r#""reason":"mate""#, "unfinished or one of elimination"),
    ];
    for (from, to, expected) in changes {
        assert!(good.contains(from), "{from} is not in {good}");
        let error = Trace::read(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "expected {expected:?} in {error:?}");
    }
    for text in ["", "[]", "{}", r#"{"game":"infexion","positions":[{"moves":[],"perft":[-1]}]}"#] {
        assert!(PerftSuite::read(text).unwrap_err().to_string().starts_with("expected a perft suite"));
    }
    let illegal = r#"{"game":"infexion","positions":[{"moves":[{"spawn":[0,7]}],"perft":[]}]}"#;
    assert!(PerftSuite::read(illegal).unwrap_err().to_string().contains("coordinates from 0 to 6"));
}
