//! The notation of Tetress's positions and moves.

use std::fmt;

use super::grid::{N_CELLS, full_lines};
use super::shapes::PLACEMENTS;
use super::{SIZE, TURN_LIMIT, Tetress};
use crate::text::{read_cell, read_fields, read_rows, read_stones, show_stones};
use crate::typed::{Typed, taken};
use crate::{Move, ParseError, Position};

pub fn show_move(m: Move) -> String {
    let piece = PLACEMENTS[usize::from(m.0)];
    let cells = (0..N_CELLS).filter(|cell| piece >> cell & 1 == 1);
    let size = usize::from(SIZE);
    cells.map(|cell| format!("{}-{}", cell / size, cell % size)).collect::<Vec<_>>().join(",")
}

pub fn read_move(text: &str) -> Result<Move, ParseError> {
    let mut piece = 0_u128;
    for cell in text.split(',') {
        let (row, col) = read_cell(cell, SIZE).map_err(|_| {
            let expected = "four cells like `3-3,3-4,4-3,4-4`, coordinates from 0 to 10";
            ParseError::new(expected, text)
        })?;
        piece |= 1 << (row * SIZE + col);
    }
    let has_four_cells = text.split(',').count() == 4;
    let m = PLACEMENTS.iter().position(|&placement| has_four_cells && placement == piece);
    match m {
        Some(m) => Ok(Move(m as u16)),
        None => Err(ParseError::new("four different cells that form a tetromino", text)),
    }
}

/// See [`Position::read_typed`].
pub fn read_typed(pos: &Tetress, text: &str) -> Result<Move, String> {
    let unclear = || ParseError::new("four cells like `3-3 3-4 4-3 4-4`", text).to_string();
    let typed = Typed::read(text).filter(|typed| typed.word.is_empty()).ok_or_else(unclear)?;
    let cells = typed.cells(SIZE)?;
    if cells.is_empty() {
        return Err(unclear());
    }
    if cells.len() != 4 {
        return Err(format!("a piece has four cells, found {}", cells.len()));
    }
    let mut piece = 0_u128;
    for &(row, col) in &cells {
        let cell = row * SIZE + col;
        if piece >> cell & 1 == 1 {
            return Err(format!("a piece has four different cells, found {row}-{col} twice"));
        }
        if let Some(owner) = pos.owner(cell.into()) {
            return Err(taken((row, col), owner, pos.turn()));
        }
        piece |= 1 << cell;
    }
    let Some(m) = PLACEMENTS.iter().position(|&placement| placement == piece) else {
        return Err("these four cells are not one piece: their sides must join them".to_owned());
    };
    if piece & pos.touched_by(pos.turn()) == 0 {
        return Err("this piece is not beside a token of yours: one of its cells must be".to_owned());
    }
    Ok(Move(m as u16))
}

impl fmt::Display for Tetress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_stones(f, SIZE, |row, col| self.owner((row * SIZE + col).into()))?;
        write!(f, " {} {}", self.turn().letter(), self.ply)
    }
}

impl fmt::Debug for Tetress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tetress({self})")
    }
}

pub fn read_position(text: &str) -> Result<Tetress, ParseError> {
    let (board, ply) = read_fields(text, TURN_LIMIT)?;
    let mut pos = Tetress { mover: 0, other: 0, ply };
    for (row, text) in read_rows(board, SIZE)?.enumerate() {
        for (col, player) in read_stones(text, SIZE)?.enumerate() {
            let Some(player) = player else { continue };
            let cells = if player == pos.turn() { &mut pos.mover } else { &mut pos.other };
            *cells |= 1 << (row * usize::from(SIZE) + col);
        }
    }
    if full_lines(pos.mover | pos.other) != 0 {
        return Err(ParseError::new("a board without full rows or columns", board));
    }
    Ok(pos)
}
