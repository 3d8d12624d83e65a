//! Infexion: stacks that spread over a hexagonal torus of 7 × 7 cells.
//!
//! Moves: a spawn is its cell, a spread is 49 · (1 + direction) + cell, with cell = 7 · r + q and the
//! directions in the order of [`Direction::ALL`].
//!
//! A board is five words of 49 bits: the cells of each player, and the stacks' powers as three
//! bit-planes. A spread adds one to all cells of a ray at once, as a carry through the planes.

pub mod cells;
mod info;
mod symmetry;
mod tables;
mod text;

pub use self::info::INFO;
use crate::bits::nth_bit;
use crate::key::key;
use crate::{Cell, Game, GameInfo, Move, MoveList, Outcome, ParseError, Player, Position, Reason};
use tables::{ALL_CELLS, N_CELLS, RAYS, REACHES, SOURCE};

pub use text::{Action, Direction};

/// Rows and columns.
pub const SIZE: u8 = 7;
/// No spawn is legal while both players together have this much power.
pub const MAX_TOTAL_POWER: u32 = 49;
/// A stack that would exceed this power vanishes.
pub const MAX_CELL_POWER: u8 = 6;
const TURN_LIMIT: u16 = 343;
/// A lead below this is a draw, however the game ended.
const WINNING_LEAD: u32 = 2;
const N_DIRECTIONS: usize = 6;
const N_MOVES: usize = N_CELLS * (1 + N_DIRECTIONS);

/// A position of Infexion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Infexion {
    /// Cells of the player to move.
    mover: u64,
    /// Cells of the opponent.
    other: u64,
    /// The powers, lowest bit first; no cell has power 7 between moves.
    planes: [u64; 3],
    ply: u16,
}

const _: () = assert!(size_of::<Infexion>() <= 128);

impl Infexion {
    /// The cells of a player, cell = 7 · r + q.
    #[inline(always)]
    pub fn cells_of(&self, player: Player) -> u64 {
        if player == self.turn() { self.mover } else { self.other }
    }

    /// The powers of all stacks as bit-planes, lowest bit first.
    #[inline(always)]
    pub fn planes(&self) -> [u64; 3] {
        self.planes
    }

    /// The total power of the stacks on some cells.
    #[inline(always)]
    pub fn power_on(&self, cells: u64) -> u32 {
        // Plane by plane: a closure over the array is not always compiled for the detected CPU.
        let [p0, p1, p2] = self.planes;
        (p0 & cells).count_ones() + 2 * (p1 & cells).count_ones() + 4 * (p2 & cells).count_ones()
    }

    /// The total power of a player.
    #[inline(always)]
    pub fn power_of(&self, player: Player) -> u32 {
        self.power_on(self.cells_of(player))
    }

    /// The power of the stack on one cell, 0 if it is empty.
    #[inline(always)]
    pub fn power_at(&self, cell: usize) -> u8 {
        let [p0, p1, p2] = self.planes;
        (p0 >> cell & 1 | (p1 >> cell & 1) << 1 | (p2 >> cell & 1) << 2) as u8
    }

    /// The cells whose stacks have exactly this power, 1 to 6.
    #[inline(always)]
    pub fn cells_of_power(&self, power: u8) -> u64 {
        let flip = |bit: u8| if power >> bit & 1 == 1 { 0 } else { ALL_CELLS };
        let (p0, p1, p2) = (flip(0), flip(1), flip(2));
        (self.planes[0] ^ p0) & (self.planes[1] ^ p1) & (self.planes[2] ^ p2)
    }

    /// The cells whose power a move increases: those that the stack on its cell reaches, with any owner, or
    /// the cell of a spawn. None for a spread from an empty cell.
    #[inline(always)]
    pub fn reach(&self, m: Move) -> u64 {
        let rays = &RAYS[usize::from(m.0)];
        let is_spawn = rays[SOURCE] == 0;
        rays[if is_spawn { 0 } else { usize::from(self.power_at(usize::from(m.0) % N_CELLS)) }]
    }

    /// The cells of the player to move and those of the opponent.
    #[inline(always)]
    pub fn sides(&self) -> [u64; 2] {
        [self.mover, self.other]
    }

    /// The cells that the stack on a cell reaches in any direction, with any owner; none if the cell is empty.
    #[inline(always)]
    pub fn reach_from(&self, cell: usize) -> u64 {
        REACHES[cell][usize::from(self.power_at(cell))]
    }

    /// Whether a move is legal, without listing all moves. The game must not be over.
    #[inline(always)]
    pub fn is_legal(&self, m: Move) -> bool {
        let rays = &RAYS[usize::from(m.0)];
        let source = rays[SOURCE];
        if source == 0 { self.spawns() & rays[0] != 0 } else { self.mover & source != 0 }
    }

    /// The same board with the other player to move, for null moves in a search: the rules do not allow
    /// passing.
    #[inline(always)]
    pub fn passed(&self) -> Infexion {
        Infexion { mover: self.other, other: self.mover, planes: self.planes, ply: self.ply + 1 }
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.ply >= 2 && (self.mover == 0 || self.other == 0 || self.ply >= TURN_LIMIT)
    }

    /// The cells on which a stack may be spawned.
    #[inline(always)]
    pub fn spawns(&self) -> u64 {
        if self.power_on(ALL_CELLS) < MAX_TOTAL_POWER { ALL_CELLS & !(self.mover | self.other) } else { 0 }
    }

    fn owner(&self, cell: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.cells_of(player) >> cell & 1 == 1)
    }
}

impl Position for Infexion {
    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn size(&self) -> u8 {
        SIZE
    }

    #[inline(always)]
    fn ply(&self) -> u16 {
        self.ply
    }

    fn turn_limit(&self) -> u16 {
        TURN_LIMIT
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let reason = match (self.mover, self.other) {
            (0, 0) => Reason::Annihilation,
            (0, _) | (_, 0) => Reason::Elimination,
            _ => Reason::TurnLimit,
        };
        let (red, blue) = (self.power_of(Player::Red), self.power_of(Player::Blue));
        let winner = if red.abs_diff(blue) < WINNING_LEAD {
            None
        } else if blue < red {
            Some(Player::Red)
        } else {
            Some(Player::Blue)
        };
        Some(Outcome { winner, reason })
    }

    #[inline(always)]
    fn legal_moves(&self, moves: &mut MoveList) {
        if self.is_over() {
            return;
        }
        // One resize and plain stores: pushing each move would check the capacity every time.
        let n_before = moves.len();
        moves.resize(n_before + self.n_legal_moves(), Move(0));
        let out = &mut moves[n_before..];
        let mut n = 0;
        let mut spawns = self.spawns();
        while spawns != 0 {
            out[n] = Move(spawns.trailing_zeros() as u16);
            spawns &= spawns - 1;
            n += 1;
        }
        for direction in 1..=N_DIRECTIONS {
            let mut sources = self.mover;
            while sources != 0 {
                out[n] = Move((N_CELLS * direction) as u16 + sources.trailing_zeros() as u16);
                sources &= sources - 1;
                n += 1;
            }
        }
    }

    #[inline(always)]
    fn n_legal_moves(&self) -> usize {
        if self.is_over() {
            return 0;
        }
        self.spawns().count_ones() as usize + N_DIRECTIONS * self.mover.count_ones() as usize
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        *self = self.after(m);
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        // The opponent's cells follow from the planes.
        let [p0, p1, p2] = self.planes;
        key([self.mover, p0, p1, p2], u64::from(self.ply % 2))
    }

    fn show_move(&self, m: Move) -> String {
        Action::from(m).to_string()
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let action = text.parse::<Action>()?;
        if self.is_over() {
            return Err(ParseError::new("no move because the game is over", text));
        }
        let owner = self.owner(action.cell());
        let is_legal = match action {
            Action::Spawn { .. } => owner.is_none(),
            Action::Spread { .. } => owner == Some(self.turn()),
        };
        if !is_legal {
            let expected = match action {
                Action::Spawn { .. } => "an empty cell to spawn on".to_owned(),
                Action::Spread { .. } => format!("a cell of {} to spread from", self.turn()),
            };
            return Err(ParseError::new(expected, text));
        }
        if self.spawns() == 0 && matches!(action, Action::Spawn { .. }) {
            let expected = "a spread, because no spawn is legal at a total power of 49";
            return Err(ParseError::new(expected, text));
        }
        Ok(action.into())
    }

    fn read_typed(&self, text: &str) -> Result<Move, String> {
        text::read_typed(self, text)
    }

    #[inline(always)]
    fn material(&self, player: Player) -> u32 {
        self.power_of(player)
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |cell: usize| Cell {
            row: cell as u8 / SIZE,
            col: cell as u8 % SIZE,
            owner: self.owner(cell),
            power: self.power_at(cell),
        };
        (0..N_CELLS).map(cell).collect()
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(*self)
    }
}

impl Game for Infexion {
    const INFO: &'static GameInfo = &INFO;
    const MOVES: usize = N_MOVES;

    fn start(size: u8) -> Option<Infexion> {
        (size == SIZE).then_some(Infexion { mover: 0, other: 0, planes: [0; 3], ply: 0 })
    }

    fn read(text: &str) -> Result<Infexion, ParseError> {
        text::read_position(text)
    }

    #[inline(always)]
    fn after(&self, m: Move) -> Infexion {
        // A spawn is a spread without a source: its ray of power 0 is its cell.
        let rays = &RAYS[usize::from(m.0)];
        let source = rays[SOURCE];
        let [p0, p1, p2] = self.planes;
        let power = usize::from(p0 & source != 0)
            | usize::from(p1 & source != 0) << 1
            | usize::from(p2 & source != 0) << 2;
        debug_assert!(source & !self.mover == 0 && (source != 0) == (power != 0), "illegal {m:?} at {self}");
        let ray = rays[power];
        debug_assert!(source != 0 || self.spawns() & ray != 0, "illegal {m:?} at {self}");
        let [p0, p1, p2] = [p0 & !source, p1 & !source, p2 & !source];
        let carry0 = p0 & ray;
        let carry1 = p1 & carry0;
        let [p0, p1, p2] = [p0 ^ ray, p1 ^ carry0, p2 ^ carry1];
        let overflown = p0 & p1 & p2;
        Infexion {
            mover: self.other & !ray,
            other: (self.mover & !source | ray) & !overflown,
            planes: [p0 & !overflown, p1 & !overflown, p2 & !overflown],
            ply: self.ply + 1,
        }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let spawns = self.spawns();
        let (n_spawns, n_sources) = (spawns.count_ones(), self.mover.count_ones());
        let mut n = rng.u32(..n_spawns + N_DIRECTIONS as u32 * n_sources);
        if n < n_spawns {
            return Some(Move(nth_bit(spawns, n) as u16));
        }
        n -= n_spawns;
        let (direction, source) = (n / n_sources, n % n_sources);
        let first = N_CELLS as u32 * (1 + direction);
        Some(Move(first as u16 + nth_bit(self.mover, source) as u16))
    }

    fn n_symmetries(&self) -> usize {
        symmetry::N_SYMMETRIES
    }

    fn image(&self, symmetry: usize) -> Infexion {
        let moved = |cells| symmetry::image(cells, symmetry);
        Infexion {
            mover: moved(self.mover),
            other: moved(self.other),
            planes: self.planes.map(moved),
            ply: self.ply,
        }
    }

    fn image_move(&self, symmetry: usize, m: Move) -> Move {
        symmetry::image_move(m, symmetry)
    }
}
