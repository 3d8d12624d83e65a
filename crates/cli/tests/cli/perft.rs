//! `yarra perft`: known counts, output formats and interruption.

use std::io::{BufRead, BufReader};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::room::{Room, prints};
use serde_json::Value;

#[track_caller]
fn check(args: &[&str], n_nodes: u64) {
    let out = prints(&[&["perft"], args].concat());
    assert_eq!(out.lines().last(), Some(format!("nodes: {n_nodes}").as_str()), "{args:?}");
}

#[test]
fn counts_match_the_known_ones() {
    check(&["infexion", "0"], 1);
    check(&["infexion", "3"], 124_656);
    check(&["infexion", "3", "--made"], 124_656);
    check(&["cachex:5", "3"], 13_824);
    check(&["hex:7", "2"], 49 * 48);
    check(&["tetress", "1"], 2_299);
    check(&["hex:3", "1", "--moves", "0-0 1-1"], 7);
    check(&["hex:3", "1", "--position", "rb./rb./... r 4", "--moves", " 0-2 "], 4);
}

#[test]
fn a_finished_game_has_no_sequences() {
    check(&["hex:3", "1", "--position", "rb./rb./r.. b 5"], 0);
    check(&["hex:3", "4", "--position", "rb./rb./... r 4", "--moves", "2-0"], 0);
    check(&["hex:3", "0", "--position", "rb./rb./r.. b 5"], 1);
}

#[test]
fn the_count_does_not_depend_on_how_it_is_divided() {
    // The command divides deep counts into many; the games crate counts in one call.
    let record = yarra_games::Record::new(yarra_games::start("cachex:3").unwrap());
    for depth in 4..=7 {
        let n_nodes = yarra_games::perft::perft(&record, depth, yarra_games::perft::Leaves::Counted);
        check(&["cachex:3", &depth.to_string()], n_nodes);
    }
}

#[test]
fn the_parts_add_up() {
    let out = prints(&["perft", "cachex:5", "3", "--divide"]);
    let parts: Vec<u64> = out
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .map(|line| line.split_once(": ").unwrap().1.parse().unwrap())
        .collect();
    assert_eq!((parts.len(), parts.iter().sum()), (24, 13_824));
}

#[test]
fn json_has_the_same_numbers() {
    let out: Value = serde_json::from_str(&prints(&["perft", "hex:3", "2", "--divide", "--json"])).unwrap();
    assert_eq!(out["nodes"], 72);
    assert_eq!(out["divide"][8], serde_json::json!({ "move": "2-2", "nodes": 8 }));
}

#[test]
fn a_reader_may_close_the_pipe_early() {
    let room = Room::new();
    // More than fits into a pipe, so that the command notices.
    let mut child = room.command(&["perft", "tetress", "2", "--divide"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "0-0,0-1,1-0,1-1: 2110\n");
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    // A slow machine may have printed progress by then.
    let n_errors = errors.lines().filter(|line| !line.starts_with("perft: ")).count();
    assert_eq!((output.status.code(), n_errors), (Some(0), 0), "{errors}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_count_and_long_work_its_progress() {
    // The second counts nothing: all its games end before that depth.
    for args in [["perft", "infexion", "12"], ["perft", "hex:5", "100"]] {
        let room = Room::new();
        let child = room.command(&args).spawn().unwrap();
        sleep(Duration::from_millis(2500));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{err}");
        let lines: Vec<&str> = err.lines().collect();
        assert!(lines[0].starts_with("perft: 0.0 %, "), "{err}");
        assert!(lines[1].starts_with("stopped: ") && lines[1].contains(" nodes counted so far"), "{err}");
    }
}
