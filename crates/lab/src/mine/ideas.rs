//! Sources of positions that may contain a trap.

use fastrand::Rng;
use yarra_arena::Side;
use yarra_engine::agent::unwatched;
use yarra_games::{Move, MoveList, Player, Position, Record, read, start};

use super::examine::victims;
use crate::agents::agent;

/// A position that may contain a trap.
pub fn idea(game: &str, rng: &mut Rng) -> anyhow::Result<Box<dyn Position>> {
    loop {
        let pos = match game {
            "cachex" => {
                let size = rng.u8(3..=5);
                let n_moves = if size <= 4 && rng.u8(..4) == 0 { 1 } else { rng.usize(4..14) };
                played(&format!("cachex:{size}"), n_moves, rng)?.0
            }
            "tetress" if rng.bool() => match read(game, &lonely_tetress(rng)) {
                Ok(pos) => pos,
                // Retry if a line is full or no move is legal.
                Err(_) => continue,
            },
            "tetress" => {
                let end = played(game, usize::MAX, rng)?.1;
                let n_moves = end.len().saturating_sub(rng.usize(1..9));
                near_the_end(replayed(game, &end[..n_moves])?, rng)?
            }
            _ => match rng.u8(..4) {
                0 => read(game, &contested_infexion(rng))?,
                1 | 2 => contest(game, rng)?,
                _ => read(game, &scattered_infexion(rng))?,
            },
        };
        if pos.outcome().is_none() {
            return Ok(pos);
        }
    }
}

/// A mid-game position of two agents that fall for traps, after a few random moves.
fn contest(game: &str, rng: &mut Rng) -> anyhow::Result<Box<dyn Position>> {
    let (mut pos, _) = played(game, 4, rng)?;
    let specs = [(); 2].map(|()| rng.choice(victims(&*pos)).expect("some"));
    let agents = specs.map(|spec| agent(spec, &*pos, rng.u64(..)));
    let [red, blue] = agents;
    let mut sides = [red?, blue?].map(|(agent, limits)| Side::new(agent, limits));
    let n_plies = rng.u16(8..40);
    while pos.ply() < n_plies && pos.outcome().is_none() {
        let game = Record::new(pos.boxed());
        let side = &mut sides[usize::from(pos.ply() % 2)];
        side.begin(pos.turn(), &game)?;
        pos.play(side.choose(&game, &mut unwatched)?.choice.mv);
    }
    Ok(pos)
}

/// Up to `n_moves` random moves.
fn played(game: &str, n_moves: usize, rng: &mut Rng) -> anyhow::Result<(Box<dyn Position>, Vec<Move>)> {
    let mut pos = start(game)?;
    let mut played = Vec::new();
    while played.len() < n_moves {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[rng.usize(..moves.len())];
        pos.play(m);
        played.push(m);
    }
    Ok((pos, played))
}

fn replayed(game: &str, moves: &[Move]) -> anyhow::Result<Box<dyn Position>> {
    let mut pos = start(game)?;
    moves.iter().for_each(|&m| pos.play(m));
    Ok(pos)
}

/// The same board a few plies before the turn limit, half of the time.
fn near_the_end(pos: Box<dyn Position>, rng: &mut Rng) -> anyhow::Result<Box<dyn Position>> {
    if rng.bool() {
        return Ok(pos);
    }
    let text = pos.to_string();
    let (board, _) = text.split_once(' ').unwrap_or((&text, ""));
    let left = if pos.ply().is_multiple_of(2) { 2 } else { 3 };
    let ply = pos.turn_limit() - left;
    Ok(read("tetress", &format!("{board} {} {ply}", pos.turn().letter()))?)
}

/// Many tokens of one color, and a few of the other on one line.
fn lonely_tetress(rng: &mut Rng) -> String {
    let mut cells = [['.'; 11]; 11];
    let (few, many) = if rng.bool() { ('r', 'b') } else { ('b', 'r') };
    let density = 0.5 + 0.4 * rng.f64();
    for cell in cells.as_flattened_mut() {
        *cell = if rng.f64() < density { many } else { '.' };
    }
    let (line, first) = (rng.usize(..11), rng.usize(..11));
    for i in 0..11 {
        cells[line][(first + i) % 11] = if i < 3 + rng.usize(..2) { '.' } else { many };
    }
    for _ in 0..rng.usize(1..7) {
        cells[line][(first + 5 + rng.usize(..6)) % 11] = few;
    }
    let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    let ply = 40 + rng.u16(..2);
    format!("{} {} {ply}", rows.join("/"), Player::at_ply(ply).letter())
}

/// A few stacks of both colors.
fn scattered_infexion(rng: &mut Rng) -> String {
    let mut cells: Vec<String> = vec![".".to_owned(); 49];
    for color in ['r', 'b'] {
        for _ in 0..rng.usize(2..5) {
            cells[rng.usize(..49)] = format!("{color}{}", rng.u8(1..5));
        }
    }
    let rows: Vec<String> = cells.chunks(7).map(|row| row.concat()).collect();
    let ply = 20 + rng.u16(..2);
    format!("{} {} {ply}", rows.join("/"), Player::at_ply(ply).letter())
}

/// One stack surrounded by single tokens of both colors.
fn contested_infexion(rng: &mut Rng) -> String {
    let mut cells: Vec<String> = vec![".".to_owned(); 49];
    let at = |row: usize, col: usize| (row % 7) * 7 + col % 7;
    cells[at(3, 3)] = format!("{}{}", if rng.bool() { 'r' } else { 'b' }, rng.u8(1..5));
    let mut around = [(3, 4), (2, 4), (2, 3), (3, 2), (4, 2), (4, 3)];
    rng.shuffle(&mut around);
    let n_red = rng.usize(1..4);
    for (i, (row, col)) in around.into_iter().take(n_red + rng.usize(1..4)).enumerate() {
        let far = rng.u8(..4) == 0;
        let (row, col, power) = if far { (2 * row + 4, 2 * col + 4, 2) } else { (row, col, 1) };
        cells[at(row, col)] = format!("{}{power}", if i < n_red { 'r' } else { 'b' });
    }
    for _ in 0..rng.usize(..4) {
        let cell = rng.usize(..49);
        if cells[cell] == "." {
            cells[cell] = format!("{}1", if rng.bool() { 'r' } else { 'b' });
        }
    }
    let rows: Vec<String> = cells.chunks(7).map(|row| row.concat()).collect();
    let ply = 20 + rng.u16(..2);
    format!("{} {} {ply}", rows.join("/"), Player::at_ply(ply).letter())
}
