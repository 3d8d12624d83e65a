//! Tetress, written naively from its rules.

use yarra_games::{Outcome, Player, Position, Reason};

/// The shapes in the order of the rules: cells as (row, column) from the origin.
const TEMPLATES: [&str; 19] = [
    "0,0 0,1 1,0 1,1",
    "0,0 0,1 0,2 0,3",
    "0,0 1,0 2,0 3,0",
    "0,0 -1,0 -1,1 -1,-1",
    "0,0 0,1 1,1 -1,1",
    "0,0 1,0 1,-1 1,1",
    "0,0 0,-1 -1,-1 1,-1",
    "0,0 0,-1 -1,-1 -2,-1",
    "0,0 -1,0 -1,1 -1,2",
    "0,0 0,1 1,1 2,1",
    "0,0 1,0 1,-1 1,-2",
    "0,0 0,1 -1,1 -2,1",
    "0,0 1,0 1,1 1,2",
    "0,0 0,-1 1,-1 2,-1",
    "0,0 -1,0 -1,-1 -1,-2",
    "0,0 0,1 -1,1 -1,2",
    "0,0 -1,0 -1,-1 -2,-1",
    "0,0 0,-1 -1,-1 -1,-2",
    "0,0 1,0 1,-1 2,-1",
];

pub struct Naive {
    board: [[Option<Player>; 11]; 11],
    ply: u32,
    placements: Vec<[(usize, usize); 4]>,
}

fn placements() -> Vec<[(usize, usize); 4]> {
    let wrap = |n: i32| n.rem_euclid(11) as usize;
    let mut placements = Vec::new();
    for template in TEMPLATES {
        for origin in 0..121 {
            let mut cells = template.split(' ').map(|cell| {
                let (row, col) = cell.split_once(',').unwrap();
                let (row, col) = (row.parse::<i32>().unwrap(), col.parse::<i32>().unwrap());
                (wrap(origin / 11 + row), wrap(origin % 11 + col))
            });
            placements.push([(); 4].map(|()| cells.next().unwrap()));
        }
    }
    placements
}

impl Naive {
    fn turn(&self) -> Player {
        if self.ply.is_multiple_of(2) { Player::Red } else { Player::Blue }
    }

    fn touches(&self, (row, col): (usize, usize)) -> bool {
        let around = [(1, 0), (10, 0), (0, 1), (0, 10)];
        around.iter().any(|(dr, dc)| self.board[(row + dr) % 11][(col + dc) % 11] == Some(self.turn()))
    }

    /// The legal placements, regardless of the turn limit.
    fn placeable(&self) -> Vec<u16> {
        let is_legal = |cells: &[(usize, usize); 4]| {
            cells.iter().all(|&(row, col)| self.board[row][col].is_none())
                && (self.ply < 2 || cells.iter().any(|&cell| self.touches(cell)))
        };
        let numbered = (0..).zip(&self.placements);
        numbered.filter(|(_, cells)| is_legal(cells)).map(|(number, _)| number).collect()
    }

    fn n_tokens(&self, player: Player) -> usize {
        self.board.iter().flatten().filter(|&&owner| owner == Some(player)).count()
    }

    fn full_rows_and_columns(&self) -> (Vec<usize>, Vec<usize>) {
        let rows = (0..11).filter(|&row| (0..11).all(|col| self.board[row][col].is_some()));
        let cols = (0..11).filter(|&col| (0..11).all(|row| self.board[row][col].is_some()));
        (rows.collect(), cols.collect())
    }
}

impl super::Naive for Naive {
    fn at(pos: &dyn Position) -> Naive {
        let mut board = [[None; 11]; 11];
        for cell in pos.cells() {
            board[usize::from(cell.row)][usize::from(cell.col)] = cell.owner;
        }
        Naive { board, ply: pos.ply().into(), placements: placements() }
    }

    fn legal_moves(&self) -> Vec<u16> {
        if self.ply < 150 { self.placeable() } else { Vec::new() }
    }

    fn play(&mut self, m: u16) {
        let turn = self.turn();
        for (row, col) in self.placements[usize::from(m)] {
            self.board[row][col] = Some(turn);
        }
        let (rows, cols) = self.full_rows_and_columns();
        for row in 0..11 {
            for col in 0..11 {
                if rows.contains(&row) || cols.contains(&col) {
                    self.board[row][col] = None;
                }
            }
        }
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.ply >= 150 {
            let (red, blue) = (self.n_tokens(Player::Red), self.n_tokens(Player::Blue));
            let leader = if red > blue { Player::Red } else { Player::Blue };
            let winner = if red == blue { None } else { Some(leader) };
            return Some(Outcome { winner, reason: Reason::TurnLimit });
        }
        if !self.placeable().is_empty() {
            return None;
        }
        Some(Outcome { winner: Some(self.turn().opponent()), reason: Reason::NoLegalMove })
    }

    fn cells(&self) -> Vec<(Option<Player>, u8)> {
        self.board.iter().flatten().map(|&owner| (owner, u8::from(owner.is_some()))).collect()
    }

    fn check_board(&self) {
        assert_eq!(self.full_rows_and_columns(), (Vec::new(), Vec::new()));
    }
}
