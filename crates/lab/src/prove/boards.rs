//! The boards to prove: openings, their successors, and the canonical form in which they are stored.

use std::collections::BTreeSet;

use yarra_engine::champion::cachex::proven::number;
use yarra_games::cachex::Cachex;
use yarra_games::{Game, Move, Player, Position};

const SIZE: usize = 5;
const N_CELLS: usize = SIZE * SIZE;

pub type Board = Cachex<u64>;

/// Boards with one stone of the opponent, or one of each player, up to symmetry.
pub fn openings(n_stones: usize) -> Vec<Board> {
    let mut seen = BTreeSet::new();
    let firsts = (0..N_CELLS).filter(|&cell| cell != N_CELLS / 2);
    let pairs = firsts.flat_map(|first| {
        let answers = (0..N_CELLS).filter(move |&answer| answer != first);
        let is_asked = move |answer: &Option<usize>| n_stones == 1 + usize::from(answer.is_some());
        [None].into_iter().chain(answers.map(Some)).filter(is_asked).map(move |answer| (first, answer))
    });
    let boards = pairs.filter_map(|(first, answer)| {
        let stone = |cell| match cell {
            _ if cell == first => 'r',
            _ if Some(cell) == answer => 'b',
            _ => '.',
        };
        // At ply 4 and later nothing can be stolen.
        Board::read(&text(stone, if answer.is_some() { "r 4" } else { "b 3" })).ok()
    });
    boards.filter(|pos| seen.insert(number(pos))).collect()
}

fn text(stone: impl Fn(usize) -> char, turn: &str) -> String {
    let row = |row: usize| (0..SIZE).map(|col| stone(SIZE * row + col)).collect::<String>();
    format!("{} {turn}", (0..SIZE).map(row).collect::<Vec<_>>().join("/"))
}

/// The canonical text of a board and the symmetry that maps to it: red is to move, and of the two half turns it is the
/// lexicographically smaller one.
pub fn frame(pos: &Board) -> (String, usize) {
    let first = if pos.turn() == Player::Red { 0 } else { 2 };
    let text_of = |symmetry| {
        let image = pos.image(symmetry);
        let cells = image.cells();
        let stone = |cell: usize| match cells[cell].owner {
            Some(Player::Red) => 'r',
            Some(Player::Blue) => 'b',
            None => '.',
        };
        (text(stone, "r 4"), symmetry)
    };
    text_of(first).min(text_of(first + 1))
}

/// The legal moves and the boards that they lead to.
pub fn children(pos: &Board) -> impl Iterator<Item = (Move, Board)> {
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    let pos = *pos;
    legal.into_iter().map(move |m| (m, pos.after(m)))
}
