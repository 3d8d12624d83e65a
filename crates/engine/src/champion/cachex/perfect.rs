//! Perfect play on solved boards.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Player, Position};

use super::retrograde::{Board, DRAW, Next};
use super::solved::{Seen, Solved};
use crate::{Choice, Score};

/// The best move at a position of a solved board, with its score.
pub fn choice<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<Choice> {
    if !CAPTURES {
        return None;
    }
    let solved = Solved::of_size(pos.size())?;
    let (m, end) = match pos.ply() {
        0 => first_move(pos, solved),
        1 => {
            let end = solved.end(board_of(pos));
            // After a steal the opponent faces this board.
            match pos.legal_steal() {
                Some(steal) if end % 2 == 0 => (steal, end + 1),
                _ => best_move(pos, solved),
            }
        }
        _ => best_move(pos, solved),
    };
    // The end must come before the turn limit.
    if end != DRAW && pos.turn_limit() < pos.ply() + u16::from(end) {
        return None;
    }
    let mut choice = Choice::from(m);
    choice.score = Some(match end {
        DRAW => Score::DRAW,
        end if end % 2 == 1 => Score::win_in(end.into()),
        end => -Score::win_in(end.into()),
    });
    Some(choice)
}

/// The result of a position from the third ply on, if its board is solved: plies to a win of the player to move (odd) or
/// to a loss (even), or [`DRAW`]. Turn limit and repetition are ignored.
pub fn end_of<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<u8> {
    if !CAPTURES {
        return None;
    }
    Some(Solved::of_size(pos.size())?.end(board_of(pos)))
}

/// The board from the view of the player to move.
fn board_of<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Board {
    let [own, other] = pos.roles().map(|player| {
        let (mut stones, mut set) = (pos.stones(player), 0);
        while !stones.is_empty() {
            set |= 1 << seen_by(pos, usize::from(pos.move_at(stones.lowest()).0));
            stones = stones.without_lowest();
        }
        set
    });
    Board { own, other }
}

/// The index of a cell from the view of the player to move, and back: for blue the board is transposed.
pub fn seen_by<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, cell: usize) -> usize {
    let size = usize::from(pos.size());
    match pos.turn() {
        Player::Red => cell,
        Player::Blue => cell % size * size + cell / size,
    }
}

/// All moves with the boards and results that they lead to, for the mover.
fn moves<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    solved: &Solved,
) -> Vec<(Move, Option<Board>, u8)> {
    let board = board_of(pos);
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    legal.retain(|&m| !pos.is_steal(m));
    let mut seen = Seen::new();
    let after = |m: Move| match solved.rules().play(board, seen_by(pos, usize::from(m.0))) {
        Next::Won => (m, None, 1),
        Next::Board(next) => {
            let end = solved.end_after(next, &mut seen);
            (m, Some(next), if end == DRAW { DRAW } else { end + 1 })
        }
    };
    legal.into_iter().map(after).collect()
}

/// The soonest win, else a draw with the fewest drawing replies, else the latest loss.
fn best_move<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, solved: &Solved) -> (Move, u8) {
    let key = |&(_, next, end): &(Move, Option<Board>, u8)| match (end, next) {
        (DRAW, Some(next)) => (1, -(n_draws(solved, next) as i32)),
        (end, _) if end % 2 == 1 => (2, -i32::from(end)),
        (end, _) => (0, i32::from(end)),
    };
    let moves = moves(pos, solved);
    let best = moves.iter().rev().max_by_key(|&option| key(option));
    best.map_or((Move(0), DRAW), |&(m, _, end)| (m, end))
}

/// The number of replies that keep a drawn board drawn.
fn n_draws(solved: &Solved, board: Board) -> usize {
    let empty = solved.rules().empty(board);
    let cells = (0..16).filter(|cell| empty >> cell & 1 == 1);
    let keeps = |cell: &usize| match solved.rules().play(board, *cell) {
        Next::Won => false,
        Next::Board(next) => solved.is_draw(next),
    };
    cells.filter(keeps).count()
}

/// The first stone after which the end is latest, with and without a steal.
fn first_move<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, solved: &Solved) -> (Move, u8) {
    let key = |&(_, _, end): &(Move, Option<Board>, u8)| match end {
        DRAW => u8::MAX,
        // After a steal the opponent has the win, one ply later.
        end if end % 2 == 1 => end + 1,
        end => end,
    };
    let moves = moves(pos, solved);
    let best = moves.iter().rev().max_by_key(|&option| key(option));
    best.map_or((Move(0), DRAW), |option| (option.0, key(option)))
}
