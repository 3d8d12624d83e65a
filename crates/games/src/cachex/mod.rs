//! Cachex: Hex with captures, on rhombi of 3 × 3 to 15 × 15 cells; and plain Hex, which is Cachex
//! without captures, first-move ban, steal and repetition rule.
//!
//! Moves: a stone is its cell n · r + q, the steal is n². Red connects the rows r = 0 and r = n - 1, blue
//! the columns q = 0 and q = n - 1.
//!
//! A board also stores which stones are linked to their color's first side. A new stone then only has to check
//! its six neighbors, and a winning chain is a linked stone on the last side. Only captures require a new flood
//! fill.

mod bits;
mod info;
mod paths;
mod symmetry;
mod tables;
mod text;
mod u256;

use crate::key::key;
use crate::{
    ByPlayer, Cell, Game, GameInfo, Move, MoveList, Outcome, ParseError, Player, Position, Reason, Repetition,
};
pub use bits::{Bits, Frame, Near};
pub use info::{CACHEX, HEX};
pub use paths::{BLOCKED, Diamonds};
pub use u256::U256;

/// The smallest and the largest board.
pub const SIZES: std::ops::RangeInclusive<u8> = 3..=15;
const CACHEX_TURN_LIMIT: u16 = 343;
const REPETITION_LIMIT: u16 = 7;

/// 2¹⁶ divided by each size, rounded up.
const RECIPROCALS: [u32; 16] = {
    let mut reciprocals = [0; 16];
    let mut size = 1;
    while size < 16 {
        reciprocals[size] = (1_u32 << 16).div_ceil(size as u32);
        size += 1;
    }
    reciprocals
};

/// A position of Cachex; the word type determines the supported sizes.
pub type Cachex<B> = Rhombus<B, true>;

/// A position of Hex; the word type determines the supported sizes.
pub type Hex<B> = Rhombus<B, false>;

/// A rhombus that red and blue try to cross, with or without captures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rhombus<B, const CAPTURES: bool> {
    /// Red's and blue's stones. In a `ByPlayer`, `play` on Hex 7 × 7 takes 7 % more instructions.
    stones: [B; 2],
    /// The stones of both players that are connected to the first side of their color.
    linked: B,
    ply: u16,
    size: u8,
}

const _: () = assert!(size_of::<Rhombus<U256, true>>() <= 128);

impl<B: Bits, const CAPTURES: bool> Rhombus<B, CAPTURES> {
    /// The sides of this board.
    #[inline(always)]
    pub fn frame(&self) -> &'static Frame<B> {
        &B::FRAMES[usize::from(self.size)]
    }

    /// The stones of a player.
    #[inline(always)]
    pub fn stones(&self, player: Player) -> B {
        self.stones[player as usize]
    }

    /// The cells without a stone.
    #[inline(always)]
    pub fn empty(&self) -> B {
        let [red, blue] = self.stones;
        self.frame().all & !(red | blue)
    }

    /// The player that has connected its sides.
    #[inline(always)]
    fn connected(&self) -> Option<Player> {
        let [red_end, blue_end] = self.frame().last;
        let [red, blue] = self.stones;
        let (red, blue) = (red & red_end & self.linked, blue & blue_end & self.linked);
        if (red | blue).is_empty() {
            return None;
        }
        Some(if red.is_empty() { Player::Blue } else { Player::Red })
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.turn_limit() <= self.ply || self.connected().is_some()
    }

    /// The cells on which the player to move may place a stone if the game is not over.
    #[inline(always)]
    fn open_cells(&self) -> B {
        let n_bits_to_center = usize::from(self.size / 2) * (B::STRIDE + 1);
        let is_center_barred = CAPTURES && self.ply == 0 && self.size % 2 == 1;
        if is_center_barred { self.empty() & !B::cell(n_bits_to_center) } else { self.empty() }
    }

    #[inline(always)]
    fn can_steal(&self) -> bool {
        CAPTURES && self.ply == 1
    }

    #[inline(always)]
    fn steal_move(&self) -> Move {
        Move(u16::from(self.size) * u16::from(self.size))
    }

    #[inline(always)]
    fn bit(&self, m: Move) -> usize {
        // A multiplication instead of a division, exact for all moves: it saves a seventh of a playout.
        let row = (u32::from(m.0) * RECIPROCALS[usize::from(self.size)]) >> 16;
        let col = u32::from(m.0) - row * u32::from(self.size);
        row as usize * B::STRIDE + col as usize
    }

    #[inline(always)]
    fn set_stone(&mut self, bit: usize) {
        let mover = self.turn() as usize;
        let near = &B::NEAR[bit];
        let stone = B::cell(bit);
        self.stones[mover] |= stone;
        let own = self.stones[mover];
        if CAPTURES {
            let captured = captures(own, self.stones[1 - mover], near);
            if !captured.is_empty() {
                self.remove(1 - mover, captured);
            }
        }
        let reaches = near.ring & own;
        let is_linked = !((reaches & self.linked) | (stone & self.frame().first[mover])).is_empty();
        if is_linked {
            self.linked |= stone;
            if !(reaches & !self.linked).is_empty() {
                self.linked |= stone.flood(own & !self.linked | stone);
            }
        }
    }

    #[inline(always)]
    fn remove(&mut self, player: usize, captured: B) {
        self.stones[player] &= !captured;
        if !(captured & self.linked).is_empty() {
            self.link(player);
        }
    }

    /// Recomputes which stones of a player are linked to its first side.
    #[inline(always)]
    fn link(&mut self, player: usize) {
        let stones = self.stones[player];
        let linked = self.frame().first[player].flood(stones);
        self.linked = self.linked & self.stones[1 - player] | linked;
    }

    /// Transposes the board and swaps the colors.
    fn steal(&mut self) {
        let [red, blue] = self.stones.map(symmetry::transposed);
        self.stones = [blue, red];
        for player in Player::BOTH {
            self.link(player as usize);
        }
    }

    fn owner(&self, bit: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.stones(player).has(bit))
    }

    /// The key of the board, combined with `tag`.
    #[inline(always)]
    fn board_key(&self, tag: u64) -> u64 {
        let [red, blue] = self.stones;
        let ([a, b, c, d], [e, f, g, h]) = (red.words(), blue.words());
        // Small boards leave most words empty; the stride is known at compile time.
        match B::STRIDE {
            8 => key([a, e], tag),
            11 => key([a, b, e, f], tag),
            _ => key([a, b, c, d, e, f, g, h], tag),
        }
    }
}

/// The stones of `other` that a new stone of `own` captures: two at opposite corners of a diamond
/// whose other two corners are the new stone and one of its color.
///
/// Those two corners have exactly the other two as common neighbors, whether they touch or not.
#[inline(always)]
fn captures<B: Bits>(own: B, other: B, near: &Near<B>) -> B {
    let mut captured = B::NONE;
    let at_risk = near.ring & other;
    if at_risk.is_empty() || at_risk.without_lowest().is_empty() {
        return captured;
    }
    let mut allies = near.opposite & own;
    while !allies.is_empty() {
        let pair = near.ring & B::NEAR[allies.lowest()].ring;
        if (pair & !other).is_empty() {
            captured |= pair;
        }
        allies = allies.without_lowest();
    }
    captured
}

impl<B: Bits, const CAPTURES: bool> Position for Rhombus<B, CAPTURES> {
    fn info(&self) -> &'static GameInfo {
        Self::INFO
    }

    #[inline(always)]
    fn size(&self) -> u8 {
        self.size
    }

    #[inline(always)]
    fn ply(&self) -> u16 {
        self.ply
    }

    #[inline(always)]
    fn turn_limit(&self) -> u16 {
        if CAPTURES { CACHEX_TURN_LIMIT } else { u16::from(self.size) * u16::from(self.size) }
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = self.connected() {
            return Some(Outcome { winner: Some(winner), reason: Reason::Connection });
        }
        (self.turn_limit() <= self.ply).then_some(Outcome { winner: None, reason: Reason::TurnLimit })
    }

    #[inline(always)]
    fn legal_moves(&self, moves: &mut MoveList) {
        if self.is_over() {
            return;
        }
        let n_before = moves.len();
        moves.resize(n_before + self.n_legal_moves(), Move(0));
        let out = &mut moves[n_before..];
        let mut n = 0;
        for (idx, mut word) in self.open_cells().words().into_iter().enumerate() {
            while word != 0 {
                let bit = 64 * idx + word.trailing_zeros() as usize;
                out[n] = self.stone_move(bit);
                word &= word - 1;
                n += 1;
            }
        }
        if self.can_steal() {
            out[n] = self.steal_move();
        }
    }

    #[inline(always)]
    fn n_legal_moves(&self) -> usize {
        if self.is_over() {
            return 0;
        }
        self.open_cells().count() as usize + usize::from(self.can_steal())
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        debug_assert!(!self.is_over(), "{m:?} after the end at {self}");
        if CAPTURES && m == self.steal_move() {
            debug_assert!(self.can_steal(), "illegal steal at {self}");
            self.steal();
        } else {
            debug_assert!(self.open_cells().has(self.bit(m)), "illegal {m:?} at {self}");
            self.set_stone(self.bit(m));
        }
        self.ply += 1;
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        // The first two plies have special rules.
        let opening = if CAPTURES { 2 - self.ply.min(2) } else { 0 };
        self.board_key(u64::from(1 + self.ply % 2 + 2 * opening))
    }

    #[inline(always)]
    fn repetition(&self) -> Option<Repetition> {
        CAPTURES.then(|| Repetition { key: self.board_key(0), limit: REPETITION_LIMIT })
    }

    fn show_move(&self, m: Move) -> String {
        self.show(m)
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let m = self.parse_move(text)?;
        if self.is_over() {
            return Err(ParseError::new("no move because the game is over", text));
        }
        if m == self.steal_move() {
            let expected = "a cell like `3-4`, because only the second move of a game can be a steal";
            return if self.can_steal() { Ok(m) } else { Err(ParseError::new(expected, text)) };
        }
        let bit = self.bit(m);
        if !self.empty().has(bit) {
            return Err(ParseError::new("an empty cell", text));
        }
        if !self.open_cells().has(bit) {
            return Err(ParseError::new("any cell but the center for the first move", text));
        }
        Ok(m)
    }

    fn read_typed(&self, text: &str) -> Result<Move, String> {
        self.parse_typed(text)
    }

    #[inline(always)]
    fn material(&self, player: Player) -> u32 {
        self.stones(player).count()
    }

    fn standing(&self) -> Option<(&'static str, ByPlayer<u32>)> {
        let [red, blue] = self.distances();
        (!self.is_over()).then_some(("stones to connect", ByPlayer { red, blue }))
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for row in 0..self.size {
            for col in 0..self.size {
                let owner = self.owner(usize::from(row) * B::STRIDE + usize::from(col));
                cells.push(Cell { row, col, owner, power: owner.is_some().into() });
            }
        }
        cells
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(*self)
    }
}

impl<B: Bits, const CAPTURES: bool> Rhombus<B, CAPTURES> {
    #[inline(always)]
    fn stone_move(&self, bit: usize) -> Move {
        Move((bit / B::STRIDE * usize::from(self.size) + bit % B::STRIDE) as u16)
    }
}

impl<B: Bits, const CAPTURES: bool> Game for Rhombus<B, CAPTURES> {
    const INFO: &'static GameInfo = if CAPTURES { &CACHEX } else { &HEX };
    const MOVES: usize = B::MAX_SIZE as usize * B::MAX_SIZE as usize + 1;

    fn start(size: u8) -> Option<Self> {
        let is_ours = (B::MIN_SIZE..=B::MAX_SIZE).contains(&size);
        is_ours.then_some(Rhombus { stones: [B::NONE; 2], linked: B::NONE, ply: 0, size })
    }

    fn read(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let open = self.open_cells();
        let n_stones = open.count();
        let n = rng.u32(..n_stones + u32::from(self.can_steal()));
        Some(if n < n_stones { self.stone_move(open.nth(n)) } else { self.steal_move() })
    }

    fn n_symmetries(&self) -> usize {
        symmetry::n_symmetries(self)
    }

    fn image(&self, symmetry: usize) -> Self {
        symmetry::image(self, symmetry)
    }

    fn image_move(&self, symmetry: usize, m: Move) -> Move {
        symmetry::image_move(self, symmetry, m)
    }
}
