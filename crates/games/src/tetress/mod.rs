//! Tetress: tetrominoes on a torus of 11 × 11 cells, where full lines vanish.
//!
//! Moves: 121 · shape + cell of the shape's origin, with cell = 11 · r + c and the shapes in the order of
//! [`shapes::SHAPES`].
//!
//! A board is two words of 121 bits. A piece fits wherever four shifted copies of the empty cells
//! overlap, so a few shifts and intersections find all placements at once.

pub mod grid;
mod info;
pub mod shapes;
mod symmetry;
mod text;

pub use self::info::INFO;
use crate::bits::nth_bit_of_two;
use crate::cpu::fastest;
use crate::key::key;
use crate::{Cell, Game, GameInfo, Move, MoveList, Outcome, ParseError, Player, Position, Reason};
use grid::{ALL_CELLS, N_CELLS, full_lines, grow, n_placements, neighbors};
use shapes::{N_SHAPES, PLACEMENTS, fits};

/// Rows and columns.
pub const SIZE: u8 = 11;
/// The game ends at this ply at the latest.
pub const TURN_LIMIT: u16 = 150;
/// The number of plies whose pieces need not touch an own token: the first of each side.
pub const N_FREE_PLIES: u16 = 2;
const N_MOVES: usize = N_SHAPES * N_CELLS;

/// A position of Tetress.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tetress {
    /// Tokens of the player to move.
    mover: u128,
    /// Tokens of the opponent.
    other: u128,
    ply: u16,
}

const _: () = assert!(size_of::<Tetress>() <= 128);

impl Tetress {
    /// The tokens of a player, cell = 11 · r + c.
    #[inline(always)]
    pub fn cells_of(&self, player: Player) -> u128 {
        if player == self.turn() { self.mover } else { self.other }
    }

    /// The tokens of the player to move and of the opponent.
    #[inline(always)]
    pub fn sides(&self) -> [u128; 2] {
        [self.mover, self.other]
    }

    /// Whether a move is legal. The game must not be over.
    #[inline(always)]
    pub fn is_legal(&self, m: Move) -> bool {
        let piece = PLACEMENTS[usize::from(m.0)];
        piece & !self.empty() == 0 && piece & self.touched_by(self.turn()) != 0
    }

    /// The number of placements that red and blue would have if it were their turn.
    #[inline(always)]
    pub fn mobility(&self) -> [u32; 2] {
        let empty = self.empty();
        let anywhere = n_placements(empty);
        let red = n_placements(empty & !self.touched_by(Player::Red));
        let blue = n_placements(empty & !self.touched_by(Player::Blue));
        [anywhere - red, anywhere - blue]
    }

    /// The cells without a token.
    #[inline(always)]
    pub fn empty(&self) -> u128 {
        ALL_CELLS & !(self.mover | self.other)
    }

    /// The cells of which a player's piece must cover at least one.
    #[inline(always)]
    fn touched_by(&self, player: Player) -> u128 {
        if self.ply < N_FREE_PLIES { ALL_CELLS } else { neighbors(self.cells_of(player)) }
    }

    /// Whether the player to move can place a piece, faster than finding one.
    #[inline(always)]
    fn has_moves(&self) -> bool {
        // Any four connected cells are a tetromino, so a region of four empty cells suffices if the player
        // touches one of them.
        let empty = self.empty();
        let mut starts = empty & self.touched_by(self.turn());
        while starts != 0 {
            let mut region = starts & starts.wrapping_neg();
            for _ in 1..4 {
                region = grow(region) & empty;
            }
            if 4 <= region.count_ones() {
                return true;
            }
            starts &= !region;
        }
        false
    }

    /// For each shape, the origins at which it is a legal move.
    #[inline(always)]
    fn placements(&self) -> [u128; N_SHAPES] {
        if TURN_LIMIT <= self.ply {
            return [0; N_SHAPES];
        }
        let empty = self.empty();
        let mut origins = fits(empty);
        let lonely = fits(empty & !self.touched_by(self.turn()));
        for (origins, lonely) in origins.iter_mut().zip(lonely) {
            *origins &= !lonely;
        }
        origins
    }

    fn owner(&self, cell: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.cells_of(player) >> cell & 1 == 1)
    }
}

/// The sums of red's and of blue's mobility over some positions.
pub fn total_mobility(positions: &[Tetress]) -> [u64; 2] {
    fastest(
        #[inline(always)]
        || {
            let mut total = [0, 0];
            for pos in positions {
                let [red, blue] = pos.mobility();
                total[0] += u64::from(red);
                total[1] += u64::from(blue);
            }
            total
        },
    )
}

impl Position for Tetress {
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
        // The limit takes precedence: at ply 150 tokens decide even if the side to move is blocked.
        if TURN_LIMIT <= self.ply {
            let (red, blue) = (self.material(Player::Red), self.material(Player::Blue));
            let winner = match red.cmp(&blue) {
                std::cmp::Ordering::Less => Some(Player::Blue),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Player::Red),
            };
            return Some(Outcome { winner, reason: Reason::TurnLimit });
        }
        if self.has_moves() {
            return None;
        }
        Some(Outcome { winner: Some(self.turn().opponent()), reason: Reason::NoLegalMove })
    }

    #[inline(always)]
    fn legal_moves(&self, moves: &mut MoveList) {
        let placements = self.placements();
        let n_before = moves.len();
        let mut n_moves = 0;
        for origins in &placements {
            n_moves += origins.count_ones() as usize;
        }
        moves.resize(n_before + n_moves, Move(0));
        let out = &mut moves[n_before..];
        let mut n = 0;
        for (shape, origins) in placements.into_iter().enumerate() {
            // Two halves, because finding the lowest of 128 bits at each step would cost twice as much.
            for (half, first) in [(origins as u64, 0), ((origins >> 64) as u64, 64)] {
                let first = (N_CELLS * shape + first) as u16;
                let mut origins = half;
                while origins != 0 {
                    out[n] = Move(first + origins.trailing_zeros() as u16);
                    origins &= origins - 1;
                    n += 1;
                }
            }
        }
    }

    #[inline(always)]
    fn n_legal_moves(&self) -> usize {
        if TURN_LIMIT <= self.ply {
            return 0;
        }
        let empty = self.empty();
        let lonely = empty & !self.touched_by(self.turn());
        (n_placements(empty) - n_placements(lonely)) as usize
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        *self = self.after(m);
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        // An empty board differs before and after the free plies.
        let halves = |cells: u128| [cells as u64, (cells >> 64) as u64];
        let ([a, b], [c, d]) = (halves(self.mover), halves(self.other));
        key([a, b, c, d], u64::from(self.ply % 2) + 2 * u64::from(self.ply < N_FREE_PLIES))
    }

    fn show_move(&self, m: Move) -> String {
        text::show_move(m)
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let m = text::read_move(text)?;
        if self.outcome().is_some() {
            return Err(ParseError::new("no move because the game is over", text));
        }
        let piece = PLACEMENTS[usize::from(m.0)];
        if piece & !self.empty() != 0 {
            return Err(ParseError::new("four empty cells", text));
        }
        if piece & self.touched_by(self.turn()) == 0 {
            let expected = format!("a piece next to a token of {}", self.turn());
            return Err(ParseError::new(expected, text));
        }
        Ok(m)
    }

    fn read_typed(&self, text: &str) -> Result<Move, String> {
        text::read_typed(self, text)
    }

    #[inline(always)]
    fn material(&self, player: Player) -> u32 {
        self.cells_of(player).count_ones()
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |cell: usize| {
            let owner = self.owner(cell);
            let (row, col) = (cell as u8 / SIZE, cell as u8 % SIZE);
            Cell { row, col, owner, power: owner.is_some().into() }
        };
        (0..N_CELLS).map(cell).collect()
    }

    fn move_cells(&self, m: Move) -> Vec<usize> {
        let piece = PLACEMENTS[usize::from(m.0)];
        (0..N_CELLS).filter(|cell| piece >> cell & 1 == 1).collect()
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(*self)
    }
}

impl Game for Tetress {
    const INFO: &'static GameInfo = &INFO;
    const MOVES: usize = N_MOVES;

    fn start(size: u8) -> Option<Tetress> {
        (size == SIZE).then_some(Tetress { mover: 0, other: 0, ply: 0 })
    }

    fn read(text: &str) -> Result<Tetress, ParseError> {
        text::read_position(text)
    }

    #[inline(always)]
    fn after(&self, m: Move) -> Tetress {
        let piece = PLACEMENTS[usize::from(m.0)];
        debug_assert!(self.ply < TURN_LIMIT && self.is_legal(m), "illegal {m:?} at {self}");
        let mover = self.mover | piece;
        let cleared = full_lines(mover | self.other);
        Tetress { mover: self.other & !cleared, other: mover & !cleared, ply: self.ply + 1 }
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let placements = self.placements();
        let mut n_moves = 0;
        for origins in &placements {
            n_moves += origins.count_ones();
        }
        if n_moves == 0 {
            return None;
        }
        let mut n = rng.u32(..n_moves);
        for (shape, origins) in placements.into_iter().enumerate() {
            let n_origins = origins.count_ones();
            if n < n_origins {
                return Some(Move((N_CELLS * shape + nth_bit_of_two(origins, n)) as u16));
            }
            n -= n_origins;
        }
        unreachable!("n is below the number of all placements")
    }

    fn n_symmetries(&self) -> usize {
        symmetry::N_SYMMETRIES
    }

    fn image(&self, symmetry: usize) -> Tetress {
        let moved = |cells| symmetry::image(cells, symmetry);
        Tetress { mover: moved(self.mover), other: moved(self.other), ply: self.ply }
    }

    fn image_move(&self, symmetry: usize, m: Move) -> Move {
        symmetry::image_move(m, symmetry)
    }
}
