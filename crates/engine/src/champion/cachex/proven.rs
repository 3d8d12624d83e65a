//! Proven losses on the 5 × 5 board: a move to one of these positions wins.
//!
//! `data/solved/cachex-5.bin` stores what `lab prove` has proven: openings of one and two stones, and the
//! positions after the winner's moves, until a short search finds the win.

use std::sync::OnceLock;

use yarra_games::cachex::{Bits, Cachex, Rhombus};
use yarra_games::{Game, Move, ParseError, Position};

use super::perfect::seen_by;
use super::solved::unpack;
use crate::{Choice, Score};

static LOST_BOARDS: &[u8] = include_bytes!("../../../../../data/solved/cachex-5.bin");

/// The indexes of lost boards in ascending order, and the plies to each loss.
fn lost_boards() -> &'static (Vec<u64>, Vec<u8>) {
    static LOST: OnceLock<(Vec<u64>, Vec<u8>)> = OnceLock::new();
    LOST.get_or_init(|| unpack(LOST_BOARDS))
}

/// The indexes, by [`number`], of all boards that are known to be lost for the player to move.
pub fn all() -> &'static [u64] {
    &lost_boards().0
}

/// The number of plies to the loss of the player to move, if it is proven.
pub fn loss<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Option<u8> {
    let (boards, plies) = lost_boards();
    // An end after the turn limit is a draw.
    let is_in_time = |plies: &u8| pos.ply() + u16::from(*plies) <= pos.turn_limit();
    // A player who may steal has not lost.
    let is_asked = CAPTURES && pos.size() == 5 && pos.legal_steal().is_none() && pos.outcome().is_none();
    let idx = is_asked.then(|| boards.binary_search(&number(pos))).and_then(Result::ok)?;
    Some(plies[idx]).filter(is_in_time)
}

/// The move with the soonest proven win, if it comes nearer than `before`, the board that the opponent moved from: known
/// boards that do not may lead in circles, and there a short search finds the win. After a steal the opponent faces the
/// same board.
pub fn choice<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    before: Option<&Rhombus<B, CAPTURES>>,
) -> Option<Choice> {
    let promised = before.and_then(loss);
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    let wins = legal.into_iter().filter_map(|m| Some((loss(&pos.after(m))?, m)));
    let (plies, m) = wins.min().filter(|(plies, _)| promised.is_none_or(|promised| *plies < promised))?;
    let mut choice = Choice::from(m);
    choice.score = Some(Score::win_in(u32::from(plies) + 1));
    Some(choice)
}

/// The index of a board, the same for its rotation by 180°: in base three from the view of the player to move, whose
/// stones are ones.
pub fn number<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> u64 {
    let n_cells = usize::from(pos.size()).pow(2);
    let [own, other] = pos.roles();
    let digit = |cell: usize| {
        let bit = pos.bit_of(Move(seen_by(pos, cell) as u16));
        u64::from(pos.stones(own).has(bit)) + 2 * u64::from(pos.stones(other).has(bit))
    };
    let upright = (0..n_cells).fold(0, |number, cell| 3 * number + digit(cell));
    let turned = (0..n_cells).rev().fold(0, |number, cell| 3 * number + digit(cell));
    upright.min(turned)
}

/// The board with an index, red to move.
///
/// # Errors
/// If no board has that index.
pub fn numbered(mut number: u64) -> Result<Cachex<u64>, ParseError> {
    let mut cells = ['.'; 25];
    for cell in cells.iter_mut().rev() {
        *cell = ['.', 'r', 'b'][(number % 3) as usize];
        number /= 3;
    }
    let rows: Vec<String> = cells.chunks(5).map(|row| row.iter().collect()).collect();
    Game::read(&format!("{} r 4", rows.join("/")))
}
