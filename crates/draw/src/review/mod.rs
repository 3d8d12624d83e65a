//! A review as a self-contained HTML page.

use serde_json::{Value, json};
use yarra_arena::review::{Judgment, Review};
use yarra_games::{Move, Player, Position};

use crate::svg::Kit;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Lines are truncated to this many plies.
const LONGEST_LINE: usize = 10;

/// The page. It loads nothing, so it can be shared and opened as a local file.
pub fn page(review: &Review) -> String {
    let start = review.record.start();
    let name = |name: &Option<String>| name.clone().unwrap_or("unknown".to_owned());
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
            pos.play(m);
            frames.push(frame(&*pos));
        }
        frames
    };
    let lines = review.moves.iter().zip(positions.windows(2)).map(
        |(m, pair)| json!({ "better": line(&*pair[0], &m.better), "answer": line(&*pair[1], &m.answer) }),
    );
    json!({
        "review": review.json(),
        "centers": kit.centers,
        "stones": stones,
        "frames": positions.iter().map(|pos| frame(&**pos)).collect::<Vec<_>>(),
        "lines": lines.collect::<Vec<_>>(),
        "signs": Judgment::ALL.map(|judgment| (judgment.name(), judgment.sign())).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    })
}

/// The cells of a position, one letter each: `.`, red's powers from `A`, blue's from `a`.
fn frame(pos: &dyn Position) -> String {
    let letter = |owner, power: u8| match owner {
        None => '.',
        Some(Player::Red) => char::from(b'A' + power - 1),
        Some(Player::Blue) => char::from(b'a' + power - 1),
    };
    pos.cells().iter().map(|cell| letter(cell.owner, cell.power)).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
