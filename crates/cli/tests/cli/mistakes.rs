//! Invalid command lines: exit code 2 and one line, never a panic.

use crate::room::Room;

#[test]
fn invalid_arguments_are_an_error_of_one_line() {
    let table: &[&[&str]] = &[
        &["show", "chess"],
        &["show", ""],
        &["show", "."],
        &["show", "cachex:2"],
        &["show", "cachex:16"],
        &["show", "cachex:"],
        &["show", "tetress:99999999999999999999"],
        &["show", "infexion", ""],
        &["show", "infexion", "é/é r 0"],
        &["show", "hex:3", "... r 0"],
        &["show", "hex:3", ".../.../... b 0"],
        &["show", "hex:3", "--ply", "1"],
        &["show", "-"],
        &["perft", "chess", "1"],
        &["perft", "hex:3", "1", "--position", "x"],
        &["perft", "hex:3", "1", "--moves", "0-0 0-0"],
        &["perft", "hex:3", "1", "--moves", "-"],
        &["play", "chess"],
        &["play", "hex:3", "--position", "x"],
        &["play", "hex:3", "--load", "nowhere"],
        &["play", "hex:3", "--load", "infexion.json"],
        &["play", "hex:3", "--save", "no/such/folder"],
        &["play", "hex:3", "--red", "champoin"],
        &["play", "hex:3", "--red", "negamax:depth=x"],
        &["ugi", "chess"],
        &["ugi", "cachex:99"],
        &["ugi", "hex:3", "champoin"],
        &["agents", "chess"],
        &["match", "chess", "random", "random"],
        &["match", "hex:3", "random", "rnadom"],
        &["match", "hex:3", "negamax:eval=magic", "random"],
        &["match", "hex:3", "negamax:dept=3", "random"],
        &["match", "hex:3", "random", "random", "--json", "--save", "no/such/folder"],
    ];
    let room = Room::new();
    room.write("infexion.json", r#"{"game":"infexion","moves":[]}"#);
    for args in table {
        let answer = room.yarra(args, "");
        assert_eq!(answer.code, 2, "{args:?}: {}", answer.err);
        assert!(
            answer.err.starts_with("yarra: ") && answer.err.lines().count() == 1,
            "{args:?}: {}",
            answer.err
        );
        assert_eq!(answer.out, "", "{args:?}");
        assert!(answer.err.matches("os error").count() <= 1, "{args:?}: {}", answer.err);
    }
}

#[test]
fn wrong_usage_is_explained() {
    let table: &[&[&str]] = &[
        &["dance"],
        &["show"],
        &["show", "hex", "--color", "sometimes"],
        &["show", "hex", "--ply", "-1"],
        &["show", "hex", "--ply", "1", "--last"],
        &["perft", "hex:3"],
        &["perft", "hex:3", "-1"],
        &["perft", "hex:3", "1e3"],
        &["perft", "hex:3", "99999999999"],
        &["play"],
        &["match", "hex:3", "random"],
        &["match", "hex:3", "random", "random", "--games", "0"],
        &["match", "hex:3", "random", "random", "--jobs", "0"],
        &["match", "hex:3", "random", "random", "--move-time", "5"],
        &["match", "hex:3", "random", "random", "--openings", "book"],
        &["play", "hex:3", "--seed", "x"],
        &["play", "hex:3", "--load", "a", "--position", "b"],
    ];
    for args in table {
        let answer = Room::new().yarra(args, "");
        assert_eq!(answer.code, 2, "{args:?}");
        assert!(answer.err.starts_with("error: "), "{args:?}: {}", answer.err);
    }
}

#[test]
fn an_unknown_name_is_neither_game_nor_file() {
    let answer = Room::new().yarra(&["show", "chess"], "");
    assert_eq!(
        answer.err,
        "yarra: expected a game, one of infexion, tetress, cachex, hex, found \"chess\", and there is no such file\n"
    );
}

#[test]
fn numbers_out_of_range_are_refused() {
    let table: &[(&[&str], &str)] = &[
        (&["match", "hex:3", "random", "random", "--memory", "99999999999999GB"], "an amount such as 250MB"),
        (
            &["match", "hex:3", "random", "random", "--openings", "random:400"],
            "a number K of plies up to 100",
        ),
        (&["match", "hex:3", "mcts:exploration=nan", "random"], "exploration=nan: expected a number"),
        (&["match", "hex:3", "mcts:scale=0", "random"], "scale=0: expected a number above 0"),
        (&["match", "hex:3", "negamax:depth=1,depth=2", "random"], "expected depth only once"),
        (&["export-agent", "infexion", "python:x", "agent"], "expected one of our own agents"),
        (&["export-agent", "infexion", "ugi:x", "agent"], "expected one of our own agents"),
    ];
    for (args, words) in table {
        let answer = Room::new().yarra(args, "");
        assert_eq!((answer.code, &*answer.out), (2, ""), "{args:?}");
        assert!(answer.err.contains(words), "{args:?}: {}", answer.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_that_has_no_effect_is_a_warning() {
    let warning = |option: &str| {
        format!(
            "warning: {option} limits only external agents (python:, ugi:); limit others in their spec, as in \
             `champion:movetime=1s`\n"
        )
    };
    let room = Room::new();
    let answer = room.yarra(&["match", "hex:3", "random", "random", "--games", "1", "--time", "5s"], "");
    assert_eq!((answer.code, answer.err), (0, warning("--time")));
    let answer = room.yarra(&["play", "hex:3", "--blue", "random", "--memory", "1GB"], "quit\n");
    assert_eq!((answer.code, answer.err), (0, warning("--memory")));
    let answer = room.yarra(&["match", "hex:3", "random", "rnadom", "--time", "5s"], "");
    assert!(answer.err.starts_with("yarra: no agent \"rnadom\""), "{}", answer.err);
    // It has an effect if one of the agents is external.
    let engine = format!("ugi:{} ugi hex:3 random", env!("CARGO_BIN_EXE_yarra"));
    let answer = room.yarra(&["match", "hex:3", "random", &engine, "--games", "1", "--time", "50s"], "");
    assert_eq!((answer.code, &*answer.err), (0, ""));
}
