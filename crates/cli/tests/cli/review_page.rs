//! The page of a review in a browser: marks of moves, and games that were lost off the board.

use serde_json::{Value, json};

use crate::analyze::in_a_browser;
use crate::room::Room;

/// Reports, for each step of a game, the note and the numbers of rims, dots, hints and tried cells.
const SCRIPT: &str = r##"
    const told = [];
    for (let ply = 0; ply <= last; ply += 1) {
        go(ply);
        const count = (name) => layer.querySelectorAll("." + name).length;
        told.push([byId("note").textContent, count("rim"), count("gap"), count("hint"), count("tried")].join("|"));
    }
    told.push([...document.querySelectorAll("#moves button")].map((button) => button.textContent).join("|"));
    document.body.innerHTML = "";
    document.body.append("told: ", told.map((line) => line.replaceAll("\n", "/")).join("\n"), "\n");
"##;

/// What the page of a game tells, step by step, and the list of moves at the end; `None` without a browser.
fn told(game: &Value) -> Option<Vec<String>> {
    let room = Room::new();
    room.write("game.jsonl", &game.to_string());
    let answer = room.yarra(&["analyze", "game.jsonl", "--nodes", "300", "--html", "review.html"], "");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let dom = in_a_browser(&room, &room.read("review.html"), "0", SCRIPT)?;
    let told = dom.split_once("told: ").unwrap_or_else(|| panic!("the script failed: {dom}")).1;
    Some(told.lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect())
}

fn tetress() -> Value {
    let rows = [&["rbrbrbrbrb."][..], &["..........."; 9], &["bbbb......."]].concat();
    json!({
        "game": "tetress", "start": format!("{} r 6", rows.join("/")), "moves": ["0-10,1-10,2-10,3-10"],
        "winner": "red", "reason": "illegal_move",
        "fault": {
            "player": "blue", "position": "", "message": "first line\nlast line",
            "move": "PLACE(5-5, 5-6, 5-7, 9-9)", "output": "printed",
        },
    })
}

#[test]
fn the_four_cells_of_a_piece_are_ringed_though_its_line_is_cleared() {
    let Some(told) = told(&tetress()) else { return };
    let counts: Vec<&str> = told[1].split('|').skip(1).collect();
    assert_eq!(counts[..2], ["4", "10"], "{told:?}");
    assert!(["0", "4"].contains(&counts[2]), "a better piece has four cells: {told:?}");
}

#[test]
fn an_illegal_move_ends_the_game_on_the_page() {
    let Some(told) = told(&tetress()) else { return };
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(
        told[2].starts_with("8. blue PLACE(5-5, 5-6, 5-7, 9-9) – illegal movefirst line/last line"),
        "{told:?}"
    );
    assert!(told[2].contains("Its last output:printed") && told[2].ends_with("|4"), "{told:?}");
    assert!(told[3].ends_with("|8.PLACE(5-5, 5-6, 5-7, 9-9) (illegal move)"), "{told:?}");
}

#[test]
fn other_faults_and_resignation_end_the_game_on_the_page() {
    for (reason, words) in [("time", "time"), ("crash", "crash"), ("resignation", "resignation")] {
        let game = json!({ "game": "hex:3", "moves": ["0-0", "1-1"], "winner": "blue", "reason": reason });
        let Some(told) = told(&game) else { return };
        assert_eq!(told.len(), 5, "{told:?}");
        assert!(told[3].starts_with(&format!("3. red – {words}|")), "{told:?}");
        assert!(told[4].ends_with(&format!("|3.{words}")), "{told:?}");
    }
    // Blue fails although red is to move.
    let game = json!({ "game": "hex:3", "moves": ["0-0", "1-1"], "winner": "red", "reason": "crash" });
    let Some(told) = told(&game) else { return };
    assert!(told[3].starts_with("blue – crash|"), "{told:?}");
}

#[test]
fn a_game_that_the_rules_ended_has_no_further_step() {
    let game = json!({ "game": "hex:3", "moves": ["0-0", "1-1", "1-0", "2-2", "2-0"] });
    let Some(told) = told(&game) else { return };
    assert_eq!(told.len(), 7, "{told:?}");
}

#[test]
fn the_text_and_the_json_end_there_too() {
    let room = Room::new();
    room.write("game.jsonl", &tetress().to_string());
    let out = room.yarra(&["analyze", "game.jsonl", "--nodes", "300"], "").out;
    assert!(out.contains("\n  8. blue PLACE(5-5, 5-6, 5-7, 9-9): illegal move\n"), "{out}");
    let out = room.yarra(&["analyze", "game.jsonl", "--nodes", "300", "--json"], "").out;
    let review: Value = serde_json::from_str(&out).unwrap();
    let expected = json!({
        "number": 8, "player": "blue", "reason": "illegal_move", "move": "PLACE(5-5, 5-6, 5-7, 9-9)",
        "cells": [[5, 5], [5, 6], [5, 7], [9, 9]],
    });
    assert_eq!(review["ending"]["off_board"], expected);
    assert_eq!((&review["n_examined"], &review["is_complete"]), (&2.into(), &true.into()));
}
