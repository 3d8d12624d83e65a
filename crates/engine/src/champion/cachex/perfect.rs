//! Perfect play on solved boards.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Player, Position};

use super::retrograde::{Board, DRAW, Next};
use super::solved::Solved;
use crate::{Choice, Score};

/// The best move at a position whose end is known, with what it is worth.
pub fn choice<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<Choice> {
    if !CAPTURES {
        return None;
    }
    let solved = Solved::of_size(pos.size())?;
    let (m, end) = match pos.ply() {
        0 => first_move(pos, solved),
        1 => {
            let end = solved.end(board_of(pos));
            // Once the stone is stolen, the opponent stands where one stood.
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

/// How a position from the third ply on ends, if that is known: plies to a win of the player to move (odd) or to
/// his loss (even), or [`DRAW`]. Neither turn limit nor repetition is minded.
pub fn end_of<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<u8> {
    if !CAPTURES {
        return None;
    }
    Some(Solved::of_size(pos.size())?.end(board_of(pos)))
}

/// The board as the player to move sees it.
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

/// The number of a cell as the player to move sees it, and back: blue sees rows as columns.
pub fn seen_by<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, cell: usize) -> usize {
    let size = usize::from(pos.size());
    match pos.turn() {
        Player::Red => cell,
        Player::Blue => cell % size * size + cell / size,
    }
}

/// All moves with the ends that they lead to, for the player who moves.
fn moves<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    solved: &Solved,
) -> Vec<(Move, Option<Board>, u8)> {
    let board = board_of(pos);
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    legal.retain(|&m| !pos.is_steal(m));
    let after = |m: Move| match solved.rules().play(board, seen_by(pos, usize::from(m.0))) {
        Next::Won => (m, None, 1),
        Next::Board(next) => {
            let end = solved.end(next);
            (m, Some(next), if end == DRAW { DRAW } else { end + 1 })
        }
    };
    legal.into_iter().map(after).collect()
}

/// The soonest win, or else a draw that the opponent keeps with the fewest answers, or else the latest loss.
fn best_move<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, solved: &Solved) -> (Move, u8) {
    let rank = |&(_, next, end): &(Move, Option<Board>, u8)| match (end, next) {
        (DRAW, Some(next)) => (1, -(n_draws(solved, next) as i32)),
        (end, _) if end % 2 == 1 => (2, -i32::from(end)),
        (end, _) => (0, i32::from(end)),
    };
    let moves = moves(pos, solved);
    let best = moves.iter().rev().max_by_key(|&option| rank(option));
    best.map_or((Move(0), DRAW), |&(m, _, end)| (m, end))
}

/// How many answers keep a drawn board drawn.
fn n_draws(solved: &Solved, board: Board) -> usize {
    let empty = solved.rules().empty(board);
    let cells = (0..16).filter(|cell| empty >> cell & 1 == 1);
    let keeps = |cell: &usize| match solved.rules().play(board, *cell) {
        Next::Won => false,
        Next::Board(next) => solved.is_draw(next),
    };
    cells.filter(keeps).count()
}

/// The first stone after which the end is latest, whether it is stolen or not.
fn first_move<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, solved: &Solved) -> (Move, u8) {
    let rank = |&(_, _, end): &(Move, Option<Board>, u8)| match end {
        DRAW => u8::MAX,
        // Stolen: the opponent has the win, and it has taken him a ply.
        end if end % 2 == 1 => end + 1,
        end => end,
    };
    let moves = moves(pos, solved);
    let best = moves.iter().rev().max_by_key(|&option| rank(option));
    best.map_or((Move(0), DRAW), |option| (option.0, rank(option)))
}
