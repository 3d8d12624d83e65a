//! Cachex and Hex, written naively from their rules.

use yarra_games::{Outcome, Player, Position, Reason};

/// The six steps to a neighbor, in order around the cell.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

type Board = Vec<Vec<Option<Player>>>;

pub struct Naive<const CAPTURES: bool> {
    board: Board,
    ply: u32,
    /// Every board so far, including this one.
    history: Vec<Board>,
}

impl<const CAPTURES: bool> Naive<CAPTURES> {
    fn size(&self) -> usize {
        self.board.len()
    }

    fn turn(&self) -> Player {
        if self.ply.is_multiple_of(2) { Player::Red } else { Player::Blue }
    }

    /// The stone on a cell; `None` beyond the edges.
    fn stone(&self, (row, col): (i32, i32)) -> Option<Player> {
        let row = self.board.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(col).ok()?)?
    }

    /// The stones captured if `own` has just placed a stone on a cell.
    fn captured(&self, cell: (i32, i32), own: Player) -> Vec<(i32, i32)> {
        let mut captured = Vec::new();
        for first in 0..6 {
            for apart in [1, 2] {
                let (n1, n2) = (STEPS[first], STEPS[(first + apart) % 6]);
                let x = (cell.0 + n1.0, cell.1 + n1.1);
                let y = (cell.0 + n2.0, cell.1 + n2.1);
                let z = (cell.0 + n1.0 + n2.0, cell.1 + n1.1 + n2.1);
                let other = Some(own.opponent());
                if self.stone(z) == Some(own) && self.stone(x) == other && self.stone(y) == other {
                    captured.extend([x, y]);
                }
            }
        }
        captured
    }

    fn is_connected(&self, player: Player) -> bool {
        let last = self.size() as i32 - 1;
        let along = |cell: (i32, i32)| if player == Player::Red { cell.0 } else { cell.1 };
        let all = (0..=last).flat_map(|row| (0..=last).map(move |col| (row, col)));
        let mut reached =
            all.filter(|&cell| along(cell) == 0 && self.stone(cell) == Some(player)).collect::<Vec<_>>();
        let mut n = 0;
        while n < reached.len() {
            let (row, col) = reached[n];
            for (dr, dq) in STEPS {
                let next = (row + dr, col + dq);
                if self.stone(next) == Some(player) && !reached.contains(&next) {
                    reached.push(next);
                }
            }
            n += 1;
        }
        reached.into_iter().any(|cell| along(cell) == last)
    }
}

impl<const CAPTURES: bool> super::Naive for Naive<CAPTURES> {
    fn at(pos: &dyn Position) -> Self {
        let cells = pos.cells();
        let size = cells.iter().map(|cell| usize::from(cell.row) + 1).max().unwrap();
        let owners = cells.iter().map(|cell| cell.owner).collect::<Vec<_>>();
        let board = owners.chunks(size).map(<[_]>::to_vec).collect::<Board>();
        Naive { history: vec![board.clone()], board, ply: pos.ply().into() }
    }

    fn legal_moves(&self) -> Vec<u16> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        let size = self.size();
        for row in 0..size {
            for col in 0..size {
                let is_center = 2 * row == size - 1 && 2 * col == size - 1;
                let is_barred = CAPTURES && self.ply == 0 && is_center;
                if self.board[row][col].is_none() && !is_barred {
                    moves.push((row * size + col) as u16);
                }
            }
        }
        if CAPTURES && self.ply == 1 {
            moves.push((size * size) as u16);
        }
        moves
    }

    fn play(&mut self, m: u16) {
        let turn = self.turn();
        let size = self.size();
        let m = usize::from(m);
        if m == size * size {
            let before = self.board.clone();
            for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
                self.board[row][col] = before[col][row].map(Player::opponent);
            }
        } else {
            let cell = (m / size, m % size);
            self.board[cell.0][cell.1] = Some(turn);
            if CAPTURES {
                for (row, col) in self.captured((cell.0 as i32, cell.1 as i32), turn) {
                    self.board[row as usize][col as usize] = None;
                }
            }
        }
        self.ply += 1;
        self.history.push(self.board.clone());
    }

    fn outcome(&self) -> Option<Outcome> {
        for player in Player::BOTH {
            if self.is_connected(player) {
                return Some(Outcome { winner: Some(player), reason: Reason::Connection });
            }
        }
        let n_times = self.history.iter().filter(|&board| *board == self.board).count();
        if CAPTURES && n_times >= 7 {
            return Some(Outcome { winner: None, reason: Reason::Repetition });
        }
        let limit = if CAPTURES { 343 } else { (self.size() * self.size()) as u32 };
        (self.ply >= limit).then_some(Outcome { winner: None, reason: Reason::TurnLimit })
    }

    fn cells(&self) -> Vec<(Option<Player>, u8)> {
        self.board.iter().flatten().map(|&owner| (owner, u8::from(owner.is_some()))).collect()
    }

    fn check_board(&self) {
        assert!(!Player::BOTH.into_iter().all(|player| self.is_connected(player)));
        if !CAPTURES {
            return;
        }
        for row in 0..self.size() as i32 {
            for col in 0..self.size() as i32 {
                if let Some(owner) = self.stone((row, col)) {
                    assert_eq!(self.captured((row, col), owner), [], "a diamond at {row}-{col}");
                }
            }
        }
    }
}
