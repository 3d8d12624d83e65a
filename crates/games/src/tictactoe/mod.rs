//! Tic-tac-toe: a minimal example of a new game.
//!
//! It is in the list of games only with the feature `tictactoe`, which tests enable. They run the laws, perft, a
//! match, `show` and UGI on it.
//!
//! Moves: a stone is its cell, 3 · row + column. Three in a row win.

use std::fmt;
use std::time::Duration;

use crate::Reason;
use crate::key::key;
use crate::text::{read_cell, read_fields, read_rows, read_stones, refuse_stuck, show_stones};
use crate::{
    Board, ByPlayer, Cell, CourseLimits, Game, GameInfo, Move, MoveList, Outcome, ParseError, Player,
    Position,
};

const SIZE: u8 = 3;
const N_CELLS: u16 = 9;

/// Tic-tac-toe in the list of games.
pub const INFO: GameInfo = GameInfo {
    name: "tictactoe",
    about: "three stones in a row win",
    rules: "\
Goal: three of your stones in a row, a column or a diagonal. A full board is a draw.",
    notation: "  1-2           a stone on an empty cell, `row-column`; row 0 is on top",
    sizes: SIZE..=SIZE,
    default_size: SIZE,
    board: Board::Square,
    max_power: 1,
    material: "stones",
    opening_plies: 1,
    limits: |_| CourseLimits { time: Duration::from_secs(9), megabytes: 100, call: Duration::from_secs(9) },
    course: None,
};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    stones: ByPlayer<u16>,
    ply: u16,
}

const ALL_CELLS: u16 = (1 << N_CELLS) - 1;
const LINES: [u16; 8] =
    [0o007, 0o070, 0o700, 0b001_001_001, 0b010_010_010, 0b100_100_100, 0b100_010_001, 0b001_010_100];

impl TicTacToe {
    fn empty(&self) -> u16 {
        ALL_CELLS & !(self.stones.red | self.stones.blue)
    }

    fn has_line(&self, player: Player) -> bool {
        LINES.iter().any(|&line| self.stones[player] & line == line)
    }

    fn moves(&self) -> u16 {
        if self.outcome().is_none() { self.empty() } else { 0 }
    }

    fn owner(&self, row: u8, col: u8) -> Option<Player> {
        let cell = SIZE * row + col;
        Player::BOTH.into_iter().find(|&player| self.stones[player] >> cell & 1 == 1)
    }
}

impl Position for TicTacToe {
    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn size(&self) -> u8 {
        SIZE
    }

    fn ply(&self) -> u16 {
        self.ply
    }

    fn turn_limit(&self) -> u16 {
        N_CELLS
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = Player::BOTH.into_iter().find(|&player| self.has_line(player)) {
            return Some(Outcome { winner: Some(winner), reason: Reason::Connection });
        }
        (self.empty() == 0 || N_CELLS <= self.ply)
            .then_some(Outcome { winner: None, reason: Reason::TurnLimit })
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend((0..N_CELLS).filter(|cell| self.moves() >> cell & 1 == 1).map(Move));
    }

    fn n_legal_moves(&self) -> usize {
        self.moves().count_ones() as usize
    }

    fn play(&mut self, m: Move) {
        debug_assert!(self.moves() >> m.0 & 1 == 1, "illegal {m:?} at {self}");
        let mover = self.turn();
        self.stones[mover] |= 1 << m.0;
        self.ply += 1;
    }

    fn key(&self) -> u64 {
        key(self.stones.map(u64::from).into_array(), u64::from(self.ply() % 2))
    }

    fn show_move(&self, m: Move) -> String {
        format!("{}-{}", m.0 / u16::from(SIZE), m.0 % u16::from(SIZE))
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let (row, col) = read_cell(text, SIZE)?;
        let cell = u16::from(SIZE * row + col);
        match self.moves() >> cell & 1 == 1 {
            true => Ok(Move(cell)),
            false => Err(ParseError::new("an empty cell of a game that is not over", text)),
        }
    }

    fn material(&self, player: Player) -> u32 {
        self.stones[player].count_ones()
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |cell: u8| {
            let (row, col) = (cell / SIZE, cell % SIZE);
            let owner = self.owner(row, col);
            Cell { row, col, owner, power: owner.is_some().into() }
        };
        (0..SIZE * SIZE).map(cell).collect()
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(*self)
    }
}

impl Game for TicTacToe {
    const INFO: &'static GameInfo = &INFO;
    const MOVES: usize = N_CELLS as usize;

    fn start(size: u8) -> Option<TicTacToe> {
        (size == SIZE).then_some(TicTacToe { stones: ByPlayer::default(), ply: 0 })
    }

    fn read(text: &str) -> Result<TicTacToe, ParseError> {
        let (board, ply) = read_fields(text, N_CELLS)?;
        let mut pos = TicTacToe { stones: ByPlayer::default(), ply };
        for (row, stones) in (0..).zip(read_rows(board, SIZE)?) {
            for (col, owner) in (0..).zip(read_stones(stones, SIZE)?) {
                if let Some(player) = owner {
                    pos.stones[player] |= 1 << (SIZE * row + col);
                }
            }
        }
        refuse_stuck(&pos)?;
        Ok(pos)
    }

    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        rng.choice(&moves).copied()
    }

    fn n_symmetries(&self) -> usize {
        2
    }

    fn image(&self, symmetry: usize) -> TicTacToe {
        let image = |cells: u16| {
            (0..N_CELLS).filter(|cell| cells >> cell & 1 == 1).map(|cell| 1 << mirrored(cell)).sum()
        };
        if symmetry == 0 { *self } else { TicTacToe { stones: self.stones.map(image), ply: self.ply } }
    }

    fn image_move(&self, symmetry: usize, m: Move) -> Move {
        if symmetry == 0 { m } else { Move(mirrored(m.0)) }
    }
}

/// Rows and columns swapped.
fn mirrored(cell: u16) -> u16 {
    let size = u16::from(SIZE);
    cell % size * size + cell / size
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_stones(f, SIZE, |row, col| self.owner(row, col))?;
        write!(f, " {} {}", self.turn().letter(), self.ply())
    }
}
