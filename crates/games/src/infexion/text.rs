//! The notation of Infexion's positions and moves.

use std::fmt;
use std::str::FromStr;

use super::tables::{ALL_CELLS, N_CELLS};
use super::{Infexion, MAX_CELL_POWER, MAX_TOTAL_POWER, SIZE, TURN_LIMIT};
use crate::text::{read_cell, read_fields, read_rows, refuse_stuck};
use crate::typed::{Typed, taken};
use crate::{Move, ParseError, Player, Position};

/// A direction to spread in, named as drawn with (0, 0) on the left and (6, 0) on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// (0, +1)
    DownRight,
    /// (-1, +1)
    Down,
    /// (-1, 0)
    DownLeft,
    /// (0, -1)
    UpLeft,
    /// (+1, -1)
    Up,
    /// (+1, 0)
    UpRight,
}

impl Direction {
    /// All six, in order around a cell.
    pub const ALL: [Direction; 6] = [
        Direction::DownRight,
        Direction::Down,
        Direction::DownLeft,
        Direction::UpLeft,
        Direction::Up,
        Direction::UpRight,
    ];

    /// The step as (row, column).
    pub const fn vector(self) -> (i8, i8) {
        match self {
            Direction::DownRight => (0, 1),
            Direction::Down => (-1, 1),
            Direction::DownLeft => (-1, 0),
            Direction::UpLeft => (0, -1),
            Direction::Up => (1, -1),
            Direction::UpRight => (1, 0),
        }
    }

    /// The letters that follow the cell in a move.
    pub fn letters(self) -> &'static str {
        match self {
            Direction::DownRight => "dr",
            Direction::Down => "d",
            Direction::DownLeft => "dl",
            Direction::UpLeft => "ul",
            Direction::Up => "u",
            Direction::UpRight => "ur",
        }
    }
}

/// A move in readable form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A new stack of power 1.
    Spawn {
        /// The cell, as 7 · r + q.
        cell: usize,
    },
    /// A stack of power k adds one to the next k cells.
    Spread {
        /// The source, as 7 · r + q.
        cell: usize,
        /// The direction.
        direction: Direction,
    },
}

impl Action {
    /// The cell named by the move.
    pub fn cell(self) -> usize {
        match self {
            Action::Spawn { cell } | Action::Spread { cell, .. } => cell,
        }
    }
}

impl From<Move> for Action {
    fn from(m: Move) -> Action {
        let (kind, cell) = (usize::from(m.0) / N_CELLS, usize::from(m.0) % N_CELLS);
        match kind {
            0 => Action::Spawn { cell },
            _ => Action::Spread { cell, direction: Direction::ALL[kind - 1] },
        }
    }
}

impl From<Action> for Move {
    fn from(action: Action) -> Move {
        let kind = match action {
            Action::Spawn { .. } => 0,
            Action::Spread { direction, .. } => 1 + direction as usize,
        };
        Move((N_CELLS * kind + action.cell()) as u16)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, col) = (self.cell() / usize::from(SIZE), self.cell() % usize::from(SIZE));
        write!(f, "{row}-{col}")?;
        match self {
            Action::Spawn { .. } => Ok(()),
            Action::Spread { direction, .. } => f.write_str(direction.letters()),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Action, ParseError> {
        let cell_end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (cell, letters) = text.split_at(cell_end);
        let (row, col) = read_cell(cell, SIZE).map_err(|_| {
            let expected = "a spawn like `3-4` or a spread like `3-4ur`, coordinates from 0 to 6";
            ParseError::new(expected, text)
        })?;
        let cell = usize::from(row * SIZE + col);
        if letters.is_empty() {
            return Ok(Action::Spawn { cell });
        }
        let direction = Direction::ALL.into_iter().find(|direction| direction.letters() == letters);
        let Some(direction) = direction else {
            return Err(ParseError::new("a direction, one of dr d dl ul u ur", letters));
        };
        Ok(Action::Spread { cell, direction })
    }
}

/// See [`Position::read_typed`].
pub fn read_typed(pos: &Infexion, text: &str) -> Result<Move, String> {
    let unclear = || ParseError::new("a spawn like `3-4` or a spread like `3-4 ur`", text).to_string();
    let typed = Typed::read(text).ok_or_else(unclear)?;
    let [(row, col)] = typed.cells(SIZE)?[..] else { return Err(unclear()) };
    let direction = match typed.word.as_str() {
        "" => None,
        side @ ("l" | "r") => {
            return Err(format!("a stack spreads up or down: add `u{side}` or `d{side}` to the cell"));
        }
        word => {
            let found = Direction::ALL.into_iter().find(|direction| direction.letters() == word);
            Some(found.ok_or_else(unclear)?)
        }
    };
    let (cell, turn) = (usize::from(row * SIZE + col), pos.turn());
    match (direction, pos.owner(cell)) {
        (None, None) if pos.spawns() == 0 => {
            Err("the total power is 49, so nobody can spawn: spread a stack, as in `3-4 ur`".to_owned())
        }
        (None, None) => Ok(Action::Spawn { cell }.into()),
        (None, Some(owner)) if owner == turn => Err(format!(
            "{row}-{col} is your own stack: add a direction to spread it, as in `{row}-{col} ur`"
        )),
        (None, Some(owner)) => Err(taken((row, col), owner, turn)),
        (Some(_), None) => Err(format!("{row}-{col} is empty: only a stack of yours can spread")),
        (Some(_), Some(owner)) if owner != turn => {
            Err(format!("{row}-{col} is {owner}'s stack: only a stack of yours can spread"))
        }
        (Some(direction), Some(_)) => Ok(Action::Spread { cell, direction }.into()),
    }
}

impl fmt::Display for Infexion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..N_CELLS {
            if cell > 0 && cell % usize::from(SIZE) == 0 {
                f.write_str("/")?;
            }
            match self.owner(cell) {
                None => f.write_str(".")?,
                Some(player) => write!(f, "{}{}", player.letter(), self.power_at(cell))?,
            }
        }
        write!(f, " {} {}", self.turn().letter(), self.ply)
    }
}

impl fmt::Debug for Infexion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Infexion({self})")
    }
}

pub fn read_position(text: &str) -> Result<Infexion, ParseError> {
    let (board, ply) = read_fields(text, TURN_LIMIT)?;
    let mut pos = Infexion { mover: 0, other: 0, planes: [0; 3], ply };
    for (row, text) in read_rows(board, SIZE)?.enumerate() {
        let stacks = read_row(text).ok_or_else(|| {
            let expected = "a row of 7 cells, each `.` or a color and a power from 1 to 6 like `r3`";
            ParseError::new(expected, text)
        })?;
        for (col, (player, power)) in stacks.into_iter().enumerate() {
            let Some(player) = player else { continue };
            let cell = 1 << (row * usize::from(SIZE) + col);
            let cells = if player == pos.turn() { &mut pos.mover } else { &mut pos.other };
            *cells |= cell;
            for (bit, plane) in pos.planes.iter_mut().enumerate() {
                *plane |= cell * u64::from(power >> bit & 1);
            }
        }
    }
    let total = pos.power_on(ALL_CELLS);
    if MAX_TOTAL_POWER < total {
        return Err(ParseError::new("a total power of at most 49", &total.to_string()));
    }
    refuse_stuck(&pos)?;
    Ok(pos)
}

fn read_row(text: &str) -> Option<[(Option<Player>, u8); SIZE as usize]> {
    let mut stacks = [(None, 0); SIZE as usize];
    let mut letters = text.bytes();
    for stack in &mut stacks {
        let player = match letters.next()? {
            b'.' => continue,
            b'r' => Player::Red,
            b'b' => Player::Blue,
            _ => return None,
        };
        let power = letters.next()?.checked_sub(b'0')?;
        if !(1..=MAX_CELL_POWER).contains(&power) {
            return None;
        }
        *stack = (Some(player), power);
    }
    letters.next().is_none().then_some(stacks)
}
