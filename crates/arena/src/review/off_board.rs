//! What ended a game that was not decided on the board.

use yarra_files::SavedFault;
use yarra_games::{Cause, Ending, Failure, Player, Position, Record};

/// How a player lost off the board: an illegal move, another fault, or resignation.
#[derive(Clone, Debug, PartialEq)]
pub struct OffBoard {
    /// The player.
    pub player: Player,
    /// The number of the move that it owed; `None` if it failed while the opponent was to move.
    pub number: Option<u16>,
    /// What happened.
    pub cause: Cause,
    /// The move that it tried to make, in its own words.
    pub said: Option<String>,
    /// The cells of the board that this move names, as indices of [`Position::cells`].
    pub cells: Vec<usize>,
}

impl OffBoard {
    /// The end of a game, unless the rules ended it or nobody lost.
    pub fn of(ending: &Ending, fault: Option<&SavedFault>, record: &Record) -> Option<OffBoard> {
        let player = ending.winner.filter(|_| !matches!(ending.cause, Cause::Rule(_)))?.opponent();
        let pos = record.now();
        let said = fault.and_then(|fault| fault.said.clone());
        let is_illegal = ending.cause == Cause::Fault(Failure::IllegalMove);
        let cells = said.as_deref().filter(|_| is_illegal).map(|said| cells_in(said, pos));
        Some(OffBoard {
            player,
            number: (player == pos.turn()).then(|| pos.ply() + 1),
            cause: ending.cause.clone(),
            cells: cells.unwrap_or_default(),
            said,
        })
    }
}

/// The cells that an agent's words for a move name: `SPAWN(3, 4)`, `3-4ul`, `('PLACE', 3, 4)`. The first two numbers are
/// a cell, and so on for as many cells as moves of the game have; cells beyond the edge are left out.
fn cells_in(said: &str, pos: &dyn Position) -> Vec<usize> {
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    let n_pairs = |text: &str| numbers(text).len() / 2;
    let n_cells = legal.first().map_or(1, |&m| n_pairs(&pos.show_move(m))).max(1);
    let cells = pos.cells();
    let find = |pair: &[u64]| {
        cells.iter().position(|cell| [u64::from(cell.row), u64::from(cell.col)] == [pair[0], pair[1]])
    };
    numbers(said).chunks_exact(2).take(n_cells).filter_map(find).collect()
}

/// The whole numbers in a text. What is too large for a board is as good as any other such number.
fn numbers(text: &str) -> Vec<u64> {
    let parts = text.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(u64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yarra_games::start;

    #[test]
    fn words_name_cells() {
        let table: [(&str, &str, &[usize]); 8] = [
            ("infexion", "SPAWN(0, 3)", &[3]),
            ("infexion", "SPREAD(1, 2, -1, 1)", &[9]),
            ("infexion", "9-9", &[]),
            ("infexion", "None", &[]),
            ("infexion", "SPAWN(99999999999999999999999, 1)", &[]),
            ("cachex:5", "('PLACE', 4, 0)", &[20]),
            ("tetress", "PLACE(0-0, 0-1, 1-0, 1-1)", &[0, 1, 11, 12]),
            ("tetress", "PLACE(0-9, 0-10, 0-11, 0-12)", &[9, 10]),
        ];
        for (game, said, cells) in table {
            let pos = start(game).expect("a game");
            assert_eq!(cells_in(said, &*pos), cells, "{game} {said}");
        }
    }
}
