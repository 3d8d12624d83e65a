//! Moves in the official programs' form: JSON, which differs by game.
//!
//! Both directions go through our own notation, so moves from files use the same parser as all others.

use serde_json::Value;

use yarra_games::infexion::{self, Action, Direction};
use yarra_games::{GameSpec, Move, ParseError, Position, cachex, tetress};

/// The notation of a move, whether it is legal or not.
pub fn read_move(game: GameSpec, json: &Value) -> Result<String, ParseError> {
    let name = game.name();
    let (text, expected) = if name == infexion::INFO.name {
        (read_infexion(json), r#"{"spawn":[r,q]} or {"spread":[r,q],"dir":[dr,dq]}"#)
    } else if name == tetress::INFO.name {
        (read_piece(json), r#"{"place":[[r,c],[r,c],[r,c],[r,c]]}"#)
    } else if name == cachex::CACHEX.name {
        (read_stone(json).or_else(|| read_steal(json)), r#"{"place":[r,q]} or {"steal":true}"#)
    } else {
        // Games without an official program write a stone as Cachex does.
        (read_stone(json), r#"{"place":[r,q]}"#)
    };
    text.ok_or_else(|| ParseError::new(expected, &json.to_string()))
}

/// A legal move in compact JSON.
pub fn show_move(pos: &dyn Position, m: Move) -> String {
    if pos.info().name == infexion::INFO.name {
        return show_infexion(m.into());
    }
    let text = pos.show_move(m);
    let cells = text.split(',').map(|cell| format!("[{}]", cell.replace('-', ","))).collect::<Vec<_>>();
    match (text.as_str(), cells.as_slice()) {
        ("steal", _) => r#"{"steal":true}"#.to_owned(),
        (_, [cell]) => format!(r#"{{"place":{cell}}}"#),
        (_, cells) => format!(r#"{{"place":[{}]}}"#, cells.join(",")),
    }
}

fn show_infexion(action: Action) -> String {
    let size = usize::from(infexion::SIZE);
    let (row, col) = (action.cell() / size, action.cell() % size);
    match action {
        Action::Spawn { .. } => format!(r#"{{"spawn":[{row},{col}]}}"#),
        Action::Spread { direction, .. } => {
            let (rows, cols) = direction.vector();
            format!(r#"{{"spread":[{row},{col}],"dir":[{rows},{cols}]}}"#)
        }
    }
}

fn read_infexion(json: &Value) -> Option<String> {
    if let Some(cell) = json.get("spawn") {
        return show_cell(cell);
    }
    let cell = show_cell(json.get("spread")?)?;
    let (rows, cols) = read_pair(json.get("dir")?)?;
    let is_it = |direction: &Direction| {
        let (r, c) = direction.vector();
        (i64::from(r), i64::from(c)) == (rows, cols)
    };
    let direction = Direction::ALL.into_iter().find(is_it)?;
    Some(cell + direction.letters())
}

fn read_piece(json: &Value) -> Option<String> {
    let cells = json.get("place")?.as_array()?;
    Some(cells.iter().map(show_cell).collect::<Option<Vec<_>>>()?.join(","))
}

fn read_stone(json: &Value) -> Option<String> {
    show_cell(json.get("place")?)
}

fn read_steal(json: &Value) -> Option<String> {
    let is_steal = json.get("steal")?.as_bool()?;
    is_steal.then(|| "steal".to_owned())
}

fn show_cell(json: &Value) -> Option<String> {
    let (row, col) = read_pair(json)?;
    Some(format!("{row}-{col}"))
}

fn read_pair(json: &Value) -> Option<(i64, i64)> {
    let [row, col] = json.as_array()?.as_slice() else { return None };
    Some((row.as_i64()?, col.as_i64()?))
}
