//! A review as one page that needs nothing else.

use serde_json::{Value, json};
use yarra_arena::review::{Judgment, Review};
use yarra_games::{Player, Position, Record};

use crate::svg::Kit;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Lines of play are shown so far.
const LONGEST_LINE: usize = 10;

/// The page. It loads nothing, so it can be sent to anybody and opened from a disk.
pub fn page(review: &Review, record: &Record) -> String {
    let name = |name: &Option<String>| name.clone().unwrap_or("somebody".to_owned());
    let [red, blue] = [&review.players.red.name, &review.players.blue.name].map(name);
    let title = format!("{}: {red} (red) against {blue} (blue)", review.game);
    let data = data(review, record).to_string();
    // Names come from files: nothing in them may end the element that holds the data.
    let data = data.replace('<', "\\u003c");
    let fill = [
        ("TITLE", escaped(&title)),
        ("STYLE", STYLE.to_owned()),
        ("BOARD", Kit::new(record.start()).board),
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

fn data(review: &Review, record: &Record) -> Value {
    let kit = Kit::new(record.start());
    let stones: serde_json::Map<String, Value> =
        kit.stones.into_iter().map(|(name, shapes)| (name, shapes.into())).collect();
    let positions = record.positions();
    let line = |before: &dyn Position, moves: &[String]| {
        let mut pos = before.boxed();
        let mut frames = Vec::new();
        for text in moves.iter().take(LONGEST_LINE) {
            let Ok(m) = pos.read_move(text) else { break };
            pos.play(m);
            frames.push(frame(&*pos));
        }
        frames
    };
    let lines = review.moves.iter().zip(positions.windows(2)).map(
        |(m, pair)| json!({ "better": line(&*pair[0], &m.better), "answer": line(&*pair[1], &m.answer) }),
    );
    json!({
        "review": review,
        "centers": kit.centers,
        "stones": stones,
        "frames": positions.iter().map(|pos| frame(&**pos)).collect::<Vec<_>>(),
        "lines": lines.collect::<Vec<_>>(),
        "signs": Judgment::ALL.map(|judgment| (judgment.name(), judgment.sign())).into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    })
}

/// The cells of a position, a letter each: `.`, red's powers from A on, blue's from a on.
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
