//! Infexion, written naively from its rules.

use yarra_games::{Outcome, Player, Position, Reason};

const STEPS: [(i32, i32); 6] = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];

pub struct Naive {
    board: [[(Option<Player>, u8); 7]; 7],
    ply: u32,
}

impl Naive {
    fn turn(&self) -> Player {
        if self.ply.is_multiple_of(2) { Player::Red } else { Player::Blue }
    }

    fn power(&self, owner: Option<Player>) -> u32 {
        self.board.iter().flatten().filter(|cell| cell.0 == owner).map(|cell| u32::from(cell.1)).sum()
    }
}

impl super::Naive for Naive {
    fn at(pos: &dyn Position) -> Naive {
        let mut board = [[(None, 0); 7]; 7];
        for cell in pos.cells() {
            board[usize::from(cell.row)][usize::from(cell.col)] = (cell.owner, cell.power);
        }
        Naive { board, ply: pos.ply().into() }
    }

    fn legal_moves(&self) -> Vec<u16> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        let total = self.power(Some(Player::Red)) + self.power(Some(Player::Blue));
        for kind in 0..7 {
            for cell in 0..49 {
                let owner = self.board[cell / 7][cell % 7].0;
                let is_legal =
                    if kind == 0 { owner.is_none() && total < 49 } else { owner == Some(self.turn()) };
                if is_legal {
                    moves.push((49 * kind + cell) as u16);
                }
            }
        }
        moves
    }

    fn play(&mut self, m: u16) {
        let turn = self.turn();
        let (kind, cell) = (usize::from(m) / 49, i32::from(m) % 49);
        let (row, col) = (cell / 7, cell % 7);
        let source = &mut self.board[row as usize][col as usize];
        if kind == 0 {
            *source = (Some(turn), 1);
        } else {
            let power = source.1;
            *source = (None, 0);
            for n in 1..=i32::from(power) {
                let (dr, dq) = STEPS[kind - 1];
                let (row, col) = ((row + n * dr).rem_euclid(7), (col + n * dq).rem_euclid(7));
                let target = &mut self.board[row as usize][col as usize];
                *target = if target.1 == 6 { (None, 0) } else { (Some(turn), target.1 + 1) };
            }
        }
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let (red, blue) = (self.power(Some(Player::Red)), self.power(Some(Player::Blue)));
        if self.ply < 2 || (self.ply < 343 && red != 0 && blue != 0) {
            return None;
        }
        let reason = if red + blue == 0 {
            Reason::Annihilation
        } else if red == 0 || blue == 0 {
            Reason::Elimination
        } else {
            Reason::TurnLimit
        };
        let winner = if red >= blue + 2 {
            Some(Player::Red)
        } else if blue >= red + 2 {
            Some(Player::Blue)
        } else {
            None
        };
        Some(Outcome { winner, reason })
    }

    fn cells(&self) -> Vec<(Option<Player>, u8)> {
        self.board.concat()
    }

    fn check_board(&self) {
        let cells = self.board.iter().flatten();
        assert!(cells.map(|cell| u32::from(cell.1)).sum::<u32>() <= 49);
        assert!(self.board.iter().flatten().all(|cell| cell.1 <= 6 && (cell.1 == 0) == cell.0.is_none()));
    }
}
