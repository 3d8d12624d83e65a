//! A review as a self-contained HTML page.

use std::iter;

use serde_json::{Value, json};
use yarra_arena::review::{Judgment, Review};
use yarra_games::{Move, Player, Position};

use crate::marks::{LastMove, Mark, marks};
use crate::printable::{printable, printable_lines};
use crate::svg::Kit;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Lines are truncated to this many plies.
const LONGEST_LINE: usize = 10;
/// The number of lines shown of a message or an output.
const N_LINES: usize = 40;

/// The page. It loads nothing, so it can be shared and opened as a local file.
pub fn page(review: &Review) -> String {
    let start = review.record.start();
    let name = |name: &Option<String>| printable(name.as_deref().unwrap_or("unknown"));
    let [red, blue] = [&review.players.red.name, &review.players.blue.name].map(name);
    let title = format!("{}: {red} (red) against {blue} (blue)", start.spec());
    let data = data(review).to_string();
    // Names come from files: they must not close the element that contains the data.
    let data = data.replace('<', "\\u003c");
    let fill = [
        ("TITLE", escaped(&title)),
        ("STYLE", STYLE.to_owned()),
        ("BOARD", Kit::new(start).board),
        ("DATA", data),
        ("SCRIPT", SCRIPT.to_owned()),
    ];
    let mut page = String::new();
    let mut parts = PAGE.split("%%");
    page.push_str(parts.next().unwrap_or_default());
    while let (Some(place), Some(text)) = (parts.next(), parts.next()) {
        let found = fill.iter().find(|(name, _)| *name == place);
        page.push_str(found.map_or("", |(_, text)| text));
        page.push_str(text);
    }
    page
}

fn data(review: &Review) -> Value {
    let kit = Kit::new(review.record.start());
    let stones: serde_json::Map<String, Value> =
        kit.stones.into_iter().map(|(name, shapes)| (name, shapes.into())).collect();
    let positions = review.record.positions();
    let line = |before: &dyn Position, moves: &[Move]| {
        let mut pos = before.boxed();
        let mut frames = Vec::new();
        for &m in moves.iter().take(LONGEST_LINE) {
            let before = pos.boxed();
            pos.play(m);
            frames.push(frame(&*pos, Some((&*before, m))));
        }
        frames
    };
    let lines = review.moves.iter().zip(positions.windows(2)).map(|(m, pair)| {
        let better = m.better.first().map_or(Vec::new(), |&better| pair[0].move_cells(better));
        json!({ "better": line(&*pair[0], &m.better), "answer": line(&*pair[1], &m.answer), "hint": better })
    });
    let played = review.moves.iter().zip(positions.windows(2));
    let played = played.map(|(m, pair)| frame(&*pair[1], Some((&*pair[0], m.mv))));
    let frames: Vec<Value> = iter::once(frame(&*positions[0], None)).chain(played).collect();
    json!({
        "review": shown(review.json()),
        "centers": kit.centers,
        "stones": stones,
        "frames": frames,
        "lines": lines.collect::<Vec<_>>(),
        "tried": review.conclusion.off_board.as_ref().map(|end| &end.cells),
        "signs": Judgment::ALL.map(|judgment| (judgment.name(), judgment.sign())).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    })
}

/// A position and what the last move did: `cells` has one letter each, `.`, red's powers from `A`, blue's from `a`;
/// `marks` has `o` where the move put something and `x` where it took something away.
fn frame(pos: &dyn Position, last: Option<LastMove<'_>>) -> Value {
    let letter = |owner, power: u8| match owner {
        None => '.',
        Some(Player::Red) => char::from(b'A' + power - 1),
        Some(Player::Blue) => char::from(b'a' + power - 1),
    };
    let mark = |mark| match mark {
        None => '.',
        Some(Mark::Placed) => 'o',
        Some(Mark::Emptied) => 'x',
    };
    let cells: String = pos.cells().iter().map(|cell| letter(cell.owner, cell.power)).collect();
    json!({ "cells": cells, "marks": marks(pos, last).into_iter().map(mark).collect::<String>() })
}

/// The same with all texts printable: names and messages come from files, and marks of direction work in browsers too.
fn shown(value: Value) -> Value {
    match value {
        Value::String(text) => printable_lines(&text, N_LINES).join("\n").into(),
        Value::Array(values) => values.into_iter().map(shown).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, shown(value))).collect(),
        other => other,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
