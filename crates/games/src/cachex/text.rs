//! The notation of positions and moves of Cachex and Hex.

use std::fmt;

use super::{Bits, CACHEX_TURN_LIMIT, Rhombus, SIZES, captures};
use crate::text::{read_cell, read_fields, read_rows, read_stones, refuse_stuck, show_stones};
use crate::typed::{Typed, taken};
use crate::{Game, Move, ParseError, Player, Position};

const STEAL: &str = "steal";

impl<B: Bits, const CAPTURES: bool> Rhombus<B, CAPTURES> {
    pub(super) fn show(&self, m: Move) -> String {
        if CAPTURES && m == self.steal_move() {
            return STEAL.to_owned();
        }
        format!("{}-{}", m.0 / u16::from(self.size), m.0 % u16::from(self.size))
    }

    pub(super) fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        if CAPTURES && text == STEAL {
            return Ok(self.steal_move());
        }
        let (row, col) = read_cell(text, self.size).map_err(|error| {
            let or_steal = if CAPTURES { ", or `steal`" } else { "" };
            ParseError::new(format!("{}{or_steal}", error.expected), text)
        })?;
        Ok(Move(u16::from(row) * u16::from(self.size) + u16::from(col)))
    }

    pub(super) fn parse_typed(&self, text: &str) -> Result<Move, String> {
        let unclear = || {
            let or_steal = if CAPTURES { " or `steal`" } else { "" };
            ParseError::new(format!("a cell like `3-4`{or_steal}"), text).to_string()
        };
        let typed = Typed::read(text).ok_or_else(unclear)?;
        let (row, col) = match (&typed.cells(self.size)?[..], typed.word.as_str()) {
            ([], STEAL | "swap") if CAPTURES => {
                let only = "only blue's first move can be a steal";
                return self.legal_steal().ok_or(only.to_owned());
            }
            (&[cell], "") => cell,
            _ => return Err(unclear()),
        };
        let m = Move(u16::from(row) * u16::from(self.size) + u16::from(col));
        match self.owner(self.bit(m)) {
            Some(owner) => Err(taken((row, col), owner, self.turn())),
            None if !self.is_legal(m) => Err("the first stone must not be in the center".to_owned()),
            None => Ok(m),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, ParseError> {
        let (board, ply) = read_fields(text, CACHEX_TURN_LIMIT)?;
        let n_rows = board.split('/').count();
        let Some(mut pos) = u8::try_from(n_rows).ok().and_then(Self::start) else {
            let (min, max) = (SIZES.start(), SIZES.end());
            let found = format!("{n_rows} rows");
            return Err(ParseError::new(format!("{min} to {max} rows"), &found));
        };
        if pos.turn_limit() < ply {
            let expected = format!("a ply from 0 to {}", pos.turn_limit());
            return Err(ParseError::new(expected, &ply.to_string()));
        }
        pos.ply = ply;
        for (row, text) in read_rows(board, pos.size)?.enumerate() {
            for (col, player) in read_stones(text, pos.size)?.enumerate() {
                let Some(player) = player else { continue };
                pos.stones[player as usize] |= B::cell(row * B::STRIDE + col);
            }
        }
        if CAPTURES && pos.has_uncaptured_diamond() {
            let expected = "a board without uncaptured diamonds";
            return Err(ParseError::new(expected, board));
        }
        // Two connections need no check: one color's chain always blocks the other.
        for player in Player::BOTH {
            pos.link(player as usize);
        }
        refuse_stuck(&pos)?;
        Ok(pos)
    }

    /// Whether some diamond has red stones at two opposite corners and blue ones at the other two.
    fn has_uncaptured_diamond(&self) -> bool {
        let [red, blue] = self.stones;
        B::NEAR.iter().enumerate().any(|(bit, near)| red.has(bit) && !captures(red, blue, near).is_empty())
    }
}

impl<B: Bits, const CAPTURES: bool> fmt::Display for Rhombus<B, CAPTURES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_stones(f, self.size, |row, col| self.owner(usize::from(row) * B::STRIDE + usize::from(col)))?;
        write!(f, " {} {}", self.turn().letter(), self.ply)
    }
}

impl<B: Bits, const CAPTURES: bool> fmt::Debug for Rhombus<B, CAPTURES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", Self::NAME)
    }
}
