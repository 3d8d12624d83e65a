//! `yarra match` and `yarra agents`.

use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::room::{Room, prints};

/// A short reproducible match, with more options.
fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let args = ["match", "infexion", "negamax:eval=material", "mcts:cut=6", "--nodes", "60", "--games", "6"];
    [&args, more].concat()
}

/// The games of a file without their times.
fn games(room: &Room, name: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        let n_times = game["times"].as_array().unwrap().len();
        assert_eq!(n_times, game["moves"].as_array().unwrap().len());
        game["times"].take();
        game
    };
    let mut games: Vec<Value> = room.read(name).lines().map(line).collect();
    // They are saved in the order in which they end.
    games.sort_by_key(|game| game["round"].as_u64());
    games
}

/// The result of a match without the times of its games.
fn result(out: &str) -> Value {
    let mut result: Value = serde_json::from_str(out).unwrap();
    for game in result["results"].as_array_mut().unwrap() {
        game["seconds"].take();
    }
    result
}

#[test]
fn with_fixed_nodes_games_do_not_depend_on_the_number_of_jobs() {
    let room = Room::new();
    let run = |file, more: &[&str]| {
        let answer = room.yarra(&args(&[&["--json", "--save", file], more].concat()), "");
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        result(&answer.out)
    };
    let out = run("a", &["--jobs", "1"]);
    assert_eq!(out, run("b", &["--jobs", "2"]));
    assert_eq!(games(&room, "a"), games(&room, "b"));
    run("c", &["--seed", "1"]);
    assert_ne!(games(&room, "a")[0]["moves"], games(&room, "c")[0]["moves"]);
}

#[test]
fn json_is_one_object_with_a_finite_elo() {
    let out = prints(&["match", "hex:3", "deepening:depth=9", "random", "--games", "4", "--json"]);
    assert_eq!(out.lines().count(), 1);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&answer["a"], &answer["b"]), (&"deepening:depth=9".into(), &"random".into()));
    let n = |name: &str| answer[name].as_u64().unwrap();
    assert_eq!((n("wins") + n("draws") + n("losses"), n("games")), (4, 4));
    let elo = |name: &str| answer[name].as_f64().unwrap();
    assert!(elo("elo_low") <= elo("elo") && elo("elo") <= elo("elo_high"));
    assert_eq!((&answer["warning"], &answer["faults"]["a"]["total"]), (&Value::Null, &0.into()));
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    for (n, game) in (1..).zip(results) {
        assert_eq!(game["game"], n);
        assert_eq!(game["a_plays"], if n % 2 == 1 { "red" } else { "blue" });
        assert_eq!(game[game["a_plays"].as_str().unwrap()], "deepening:depth=9");
        let winner = game["winner"].as_str().unwrap();
        assert_eq!(game["result"], if winner == game["a_plays"] { "a" } else { "b" });
        assert_eq!((&game["reason"], &game["fault"]), (&"connection".into(), &Value::Null));
        assert!(0 < game["plies"].as_u64().unwrap() && game["seconds"]["red"].is_f64(), "{game}");
    }
}

#[test]
fn a_match_prints_games_score_time_and_memory() {
    let out = prints(&args(&["--profile"]));
    let lines: Vec<&str> = out.lines().collect();
    let heading = "infexion: negamax:eval=material (nodes=60) against mcts:cut=6 (nodes=60), 6 games, openings random:4, seed 0";
    assert_eq!(lines[0], heading);
    assert!(lines[1].starts_with("game 1: ") && lines[6].starts_with("game 6: "), "{out}");
    for text in [
        "negamax:eval=material (red, ",
        "mcts:cut=6 (red, ",
        " moves; +",
        "Elo ",
        "95 % between",
        "\nLOS is the chance that ",
    ] {
        assert!(out.contains(text), "{text:?} is missing in {out}");
    }
    for text in ["seconds per game", " kB", "where the time of mcts:cut=6 went", "rollouts"] {
        assert!(out.contains(text), "{text:?} is missing in {out}");
    }
    // The most memory is that of the search, not only of what it leaves behind.
    assert!(!out.contains(" 0 B"), "{out}");
}

#[test]
fn own_limits_take_precedence_and_time_limits_apply_to_all() {
    let heading = |args: &[&str]| prints(args).lines().next().unwrap().to_owned();
    let hex = ["match", "hex:3", "negamax:depth=2", "mcts:nodes=9", "--games", "1"];
    assert!(
        heading(&hex).starts_with("hex:3: negamax:depth=2 (depth=2) against mcts:nodes=9 (nodes=9), 1 game,")
    );
    let line = heading(&[&hex[..], &["--depth", "5", "--move-time", "1s"]].concat());
    assert!(line.contains("(depth=2,movetime=1s) against mcts:nodes=9 (nodes=9,movetime=1s)"), "{line}");
    let line = heading(&["match", "hex:3", "negamax:clock=9s", "random", "--clock", "1s", "--games", "1"]);
    assert!(line.contains("(clock=9s) against random (clock=1s)"), "{line}");
    let line = heading(&["match", "hex:3", "greedy", "random", "--games", "1"]);
    assert!(line.contains("greedy (movetime=100ms) against random (movetime=100ms)"), "{line}");
}

#[test]
fn a_saved_match_continues_where_it_was_cut_off() {
    let room = Room::new();
    let whole = result(&room.yarra(&args(&["--json", "--save", "whole"]), "").out);
    let text = room.read("whole");
    let third_end = text.match_indices('\n').nth(2).unwrap().0;
    // A game of another match, three games, and a part of the fourth.
    let other = "{\"game\":\"hex:3\",\"moves\":[],\"winner\":null,\"reason\":null}\n";
    room.write("cut", &format!("{other}{}", &text[..third_end + 40]));
    let answer = room.yarra(&args(&["--save", "cut"]), "");
    assert_eq!(answer.err, "cut: the last game is incomplete and is dropped\n");
    assert!(answer.out.contains("\n3 games of this match from cut\ngame 4: "), "{}", answer.out);
    assert!(!answer.out.contains("game 3: "), "{}", answer.out);
    room.write("cut", room.read("cut").strip_prefix(other).unwrap());
    assert_eq!(games(&room, "cut"), games(&room, "whole"));

    // Nothing is left to play; another seed is another match.
    assert_eq!(result(&room.yarra(&args(&["--json", "--save", "cut"]), "").out), whole);
    assert_eq!(room.read("cut").lines().count(), 6);
    room.yarra(&args(&["--json", "--save", "cut", "--seed", "1"]), "");
    assert_eq!(room.read("cut").lines().count(), 12);
}

#[test]
fn other_files_are_left_alone() {
    let room = Room::new();
    for text in ["my notes", "my notes\n", "{\"game\":\"hex:3\"}\n", "{\"game\":\"hex:3\"}", "\u{e9}"] {
        room.write("notes", text);
        let answer = room.yarra(&args(&["--json", "--save", "notes"]), "");
        assert_eq!((answer.code, answer.err.lines().count()), (2, 1), "{}", answer.err);
        assert_eq!(room.read("notes"), text);
    }
}

/// Starts a match and waits until its file contains some games.
fn start_match(room: &Room, args: &[&str]) -> std::process::Child {
    let child = room.command(args).spawn().unwrap();
    let started = Instant::now();
    while fs::read_to_string(room.path().join("games")).map_or(0, |text| text.lines().count()) < 3 {
        assert!(started.elapsed() < Duration::from_secs(60), "no games");
        sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_killed_match_continues() {
    let args = |n_games| {
        let args = ["match", "cachex:5", "mcts", "random", "--nodes", "300", "--save", "games", "--games"];
        [&args[..], &[n_games]].concat()
    };
    let room = Room::new();
    let mut child = start_match(&room, &[&args("10000")[..], &["--jobs", "2"]].concat());
    child.kill().unwrap();
    child.wait().unwrap();
    // The last line may be torn.
    let text = room.read("games");
    let whole = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let last_round = whole.filter_map(|game| game["round"].as_u64()).max().unwrap();
    let n_games = (last_round + 3).to_string();
    let answer = room.yarra(&args(&n_games), "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let other_room = Room::new();
    other_room.yarra(&args(&n_games), "");
    assert_eq!(games(&room, "games"), games(&other_room, "games"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_games_and_prints_the_score() {
    let room = Room::new();
    let args = ["match", "hex:7", "mcts:playouts=300", "random", "--games", "10000", "--save", "games"];
    let child = start_match(&room, &args);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(err.contains("stopped: ") && err.contains(" not played"), "{err}");
    assert!(out.contains("\nElo "), "{out}");
    assert_eq!(room.read("games").lines().count(), out.matches("\ngame ").count());
    assert!(room.read("games").ends_with('\n'));
}

#[test]
fn a_slow_agent_is_stopped_and_plays_on() {
    let table: [&[&str]; 2] = [
        &["tetress", "minimax:depth=9", "mcts", "--move-time", "5ms", "--games", "2"],
        &["infexion", "deepening", "mcts", "--clock", "800ms", "--games", "2"],
    ];
    for args in table {
        // On a busy machine it may take long enough to print progress.
        let answer = Room::new().yarra(&[&["match"], args].concat(), "");
        assert_eq!(answer.code, 0, "{}", answer.err);
        assert!(!answer.out.contains(", time"), "{}", answer.out);
    }
}

#[test]
fn agents_are_listed_with_their_options() {
    let out = prints(&["agents"]);
    for text in ["infexion\n", "tetress\n", "cachex\n", "hex\n", "  mcts  ", "evaluations: "] {
        assert!(out.contains(text), "{text:?} is missing in {out}");
    }
    let out = prints(&["agents", "cachex:9"]);
    for text in ["cachex\n", "window=1", "movetime=", "eval=", "material"] {
        assert!(out.contains(text), "{text:?} is missing in {out}");
    }
    for line in prints(&["agents", "--json"]).lines() {
        let info: Value = serde_json::from_str(line).unwrap();
        assert!(info["name"].is_string() && info["options"].is_array());
    }
}
