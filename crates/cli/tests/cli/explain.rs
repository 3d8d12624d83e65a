//! `yarra explain`.

use serde_json::Value;

use crate::room::{Room, prints};

/// The names of a game's agents.
fn agents(game: &str) -> Vec<String> {
    let lines = prints(&["agents", game, "--json"]);
    let name = |line| serde_json::from_str::<Value>(line).unwrap()["name"].as_str().unwrap().to_owned();
    lines.lines().map(name).collect()
}

#[track_caller]
fn explain(args: &[&str]) -> Value {
    let out = prints(&[&["explain"], args, &["--json"]].concat());
    assert_eq!(out.lines().count(), 1);
    serde_json::from_str(&out).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a number, found {value}"))
}

/// Asserts that the terms add up to their sum, and each to its value.
#[track_caller]
fn check_terms(evaluation: &Value) {
    let mut sum = 0.0;
    for term in evaluation["terms"].as_array().expect("terms") {
        let value = number(&term["weight"]) * (number(&term["red"]) - number(&term["blue"]));
        assert!((value - number(&term["value"])).abs() < 1e-9, "{term}");
        sum += value;
    }
    assert!((sum - number(&evaluation["sum"])).abs() < 1e-9, "{evaluation}");
}

/// Agents that play randomly or by playouts to the end have no evaluation, and those with nets no terms.
const WITHOUT_EVALUATION: [&str; 7] =
    ["random", "zero", "raccoons-zero", "mcts", "insight-mcts", "tbd-mcts", "entourage-capture"];

#[test]
fn every_agent_of_every_game_explains_itself() {
    for game in ["infexion", "tetress", "cachex:5", "hex:13"] {
        for agent in agents(game) {
            let args = [game, &agent, "--nodes", "30"];
            let text = prints(&[&["explain"], &args[..]].concat());
            assert!(text.contains(&format!("{agent} (nodes=30) plays ")), "{text}");
            let answer = explain(&args);
            assert!(answer["move"].is_string(), "{answer}");
            let has_evaluation = !WITHOUT_EVALUATION.contains(&agent.as_str());
            assert_eq!(answer["evaluation"].is_object(), has_evaluation, "{agent} in {game}");
            assert_eq!(text.contains("\nevaluation from red's view\n"), has_evaluation, "{text}");
            if has_evaluation {
                check_terms(&answer["evaluation"]);
                check_terms(&answer["evaluation_after"]);
            }
        }
    }
}

#[test]
fn the_text_has_lines_statistics_times_and_terms() {
    let out = prints(&["explain", "infexion", "entourage", "--depth", "3", "--moves", "3-3 2-2 3-4"]);
    let parts = [
        "infexion  ......./......./..b1..../...r1r1../......./......./....... b 3\n",
        "\nentourage (depth=3) plays ",
        "\ndepth      score        nodes   seconds  best line\n    3 ",
        "\nevaluations  ",
        " % of them on the first move\n",
        "\nlegal moves  52\n",
        "\nbranching    ",
        " (report 000)\n",
        "parts can contain others",
        "\n  reduction  ",
        "\n  ordering  ",
        "\n  endgame  ",
        "\n  clusters  ",
        "\n  evaluation  ",
        "\n  power                            2        1      1.6     +1.60\n",
        "\n  sum                                                      +3.60\n",
        " for the mover\n",
    ];
    for part in parts {
        assert!(out.contains(part), "{part:?} is missing in {out}");
    }
}

#[test]
fn json_has_the_statistics_of_each_depth() {
    let answer =
        explain(&["hex:5", "deepening", "--depth", "3", "--position", "r..../.b.../...../...../..... r 2"]);
    let depths: Vec<u64> =
        answer["iterations"].as_array().unwrap().iter().map(|it| it["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [1, 2, 3]);
    let last = &answer["iterations"][2];
    assert_eq!((&last["line"], &last["score"]), (&answer["line"], &answer["score"]));
    let effective = number(&answer["effective_branching"]);
    assert!((effective.powi(3) - number(&last["nodes"])).abs() < 1e-6, "{answer}");
    // All moves are searched: 23 at the root, and one or two less below it.
    let branching = number(&answer["branching"]);
    assert!((21.0..23.0).contains(&branching), "{answer}");
    assert!((number(&answer["full_tree"]) - branching.powi(3)).abs() < 1e-6);
    assert!((number(&answer["best_case"]).powi(2) - branching.powi(3)).abs() < 1e-6);
    assert!(number(&answer["best_case"]) < number(&last["nodes"]), "{answer}");
    for name in ["nodes", "evaluations", "cutoffs", "first_move_cutoffs", "table_hits", "memory", "seconds"] {
        assert!(0.0 < number(&answer[name]), "{name} in {answer}");
    }
    let calls = |name: &str| {
        let part = answer["parts"].as_array().unwrap().iter().find(|part| part["part"] == name).unwrap();
        part["calls"].as_u64()
    };
    assert_eq!(calls("evaluation"), answer["evaluations"].as_u64());
    assert_eq!(calls("rollouts"), Some(0));
}

#[test]
fn playouts_are_counted_without_a_branching_factor() {
    let answer = explain(&["hex:5", "mcts:cut=6", "--nodes", "40"]);
    assert_eq!(answer["playouts"], 40);
    assert_eq!(answer["effective_branching"], Value::Null);
    check_terms(&answer["evaluation"]);
}

#[test]
fn a_move_that_ends_the_game_says_so() {
    let args = ["explain", "hex:3", "negamax", "--position", "rb./rb./... r 4"];
    let out = prints(&args);
    assert!(out.contains("negamax plays 2-0: win in 1 for red\n"), "{out}");
    assert!(out.contains("\nafter 2-0 the game is over: red wins (connection)\n"), "{out}");
    let answer = explain(&args[1..]);
    assert_eq!(answer["score"]["plies_to_end"], 1);
    assert_eq!(answer["outcome_after"]["winner"], "red");
}

#[test]
fn own_limits_take_precedence_and_a_seed_reproduces_the_answer() {
    let answer = explain(&["hex:5", "negamax:depth=1", "--depth", "4"]);
    assert_eq!(answer["limits"], "depth=1");
    let line = || explain(&["infexion", "mcts", "--nodes", "50", "--seed", "7"])["line"].clone();
    assert_eq!(line(), line());
}

#[test]
fn invalid_arguments_are_errors() {
    let room = Room::new();
    let table: [(&[&str], &str); 5] = [
        (&["chess", "negamax"], "expected a game"),
        (&["hex:3", "negamx"], "there are negamax"),
        (&["hex:3", "entourage"], "no agent \"entourage\" plays hex:3"),
        (&["hex:3", "negamax", "--moves", "0-0 0-0"], "expected"),
        (&["hex:3", "negamax", "--position", "rb./rb./r.. b 5"], "expected a game that is not over"),
    ];
    for (args, part) in table {
        let answer = room.yarra(&[&["explain"], args].concat(), "");
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{args:?}");
        assert!(answer.err.starts_with("yarra: ") && answer.err.contains(part), "{args:?}: {}", answer.err);
        assert_eq!(answer.err.lines().count(), 1);
    }
}
