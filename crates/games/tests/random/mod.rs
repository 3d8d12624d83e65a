//! Sources of random positions: games in two moods, and boards that games rarely reach.

use fastrand::Rng;
use yarra_games::{Move, Position, read};

/// How a game chooses its moves.
#[derive(Clone, Copy, PartialEq)]
pub enum Mood {
    /// Uniformly at random.
    Calm,
    /// Of a few random moves, the one that changes the most cells: captures, clears and overflows.
    Eager,
}

impl Mood {
    /// A random mood.
    pub fn random(rng: &mut Rng) -> Mood {
        if rng.bool() { Mood::Calm } else { Mood::Eager }
    }
}

/// A random move.
pub fn choose(pos: &dyn Position, moves: &[Move], mood: Mood, rng: &mut Rng) -> Move {
    let n_tries = if mood == Mood::Eager { 8 } else { 1 };
    let tries = (0..n_tries).map(|_| moves[rng.usize(..moves.len())]);
    tries.max_by_key(|&m| n_changes(pos, m)).unwrap()
}

fn n_changes(pos: &dyn Position, m: Move) -> usize {
    let mut next = pos.boxed();
    next.play(m);
    pos.cells().iter().zip(next.cells()).filter(|(before, after)| **before != *after).count()
}

/// The same board and side to move with fewer than ten plies left.
pub fn late(pos: &dyn Position, rng: &mut Rng) -> Box<dyn Position> {
    let n_left = rng.u16(0..9.min(pos.turn_limit() - 2));
    let ply = pos.turn_limit() - n_left;
    let ply = if ply % 2 == pos.ply() % 2 { ply } else { ply - 1 };
    let text = pos.to_string();
    let (board, _) = text.rsplit_once(' ').unwrap();
    read(&pos.spec().to_string(), &format!("{board} {ply}")).unwrap()
}

/// A board of Infexion with a total power of 42 to 49, most of it in high stacks.
pub fn crowded_infexion(rng: &mut Rng) -> Box<dyn Position> {
    let mut powers = [0; 49];
    let mut left = rng.u8(42..50);
    while 0 < left {
        let cell = rng.usize(..49);
        let power = rng.u8(1..=6).max(rng.u8(1..=6)).min(left);
        if powers[cell] == 0 {
            powers[cell] = power;
            left -= power;
        }
    }
    let show = |power: &u8| match (power, rng.bool()) {
        (0, _) => ".".to_owned(),
        (power, true) => format!("r{power}"),
        (power, false) => format!("b{power}"),
    };
    let cells = powers.iter().map(show).collect::<Vec<_>>();
    let rows = cells.chunks(7).map(<[String]>::concat).collect::<Vec<_>>();
    read("infexion", &format!("{} r 100", rows.join("/"))).unwrap()
}
