//! `yarra bench` as a user runs it. Figures must be present and positive; their values are not tested.

use std::process::{Command, Output};

use serde_json::Value;

fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yarra")).arg("bench").args(args).output().unwrap()
}

#[test]
fn bench_rules_gives_positive_figures() {
    let output = bench(&["rules", "hex:3", "--rounds", "1", "--seconds", "0.05", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let report = serde_json::from_slice::<Value>(&output.stdout).unwrap();
    let figures = &report["games"][0];
    assert_eq!(figures["game"], "hex:3");
    for name in ["perft_bulk_per_s", "perft_made_per_s", "playouts_per_s", "moves_per_s"] {
        assert!(0.0 < figures[name]["median"].as_f64().unwrap(), "{name} in {figures}");
    }
    let n_moves = figures["moves_per_playout"].as_f64().unwrap();
    assert!((5.0..=9.0).contains(&n_moves), "{n_moves} moves in a game of nine cells");
    assert!(report["machine"]["cores"].as_u64().is_some_and(|n_cores| 0 < n_cores));
}

#[test]
fn bench_rules_rejects_unknown_games_before_it_measures() {
    let output = bench(&["rules", "hex:3", "chess"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("a game, one of infexion"));
}
