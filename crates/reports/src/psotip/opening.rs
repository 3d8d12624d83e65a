//! The fixed first moves of report 001.

use yarra_engine::Settings;
use yarra_games::infexion::{Action, Infexion, SIZE};
use yarra_games::{Move, Player, Position};

use super::heuristic::neighbors;

/// Opening moves: how many of them are not left to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// None.
    Off,
    /// The first, as the report's program played.
    First,
    /// Three that form a triangle, which the report calls potentially strong.
    Triangle,
}

impl Opening {
    /// The opening that settings choose.
    pub fn read(settings: &Settings) -> Opening {
        match settings.get("opening") {
            "first" => Opening::First,
            "triangle" => Opening::Triangle,
            _ => Opening::Off,
        }
    }
}

/// Where the first token goes, and where if that is taken.
const FIRST_CELLS: [usize; 2] = [cell(3, 3), cell(3, 4)];
/// The plies of the first three moves of each side.
const N_TRIANGLE_PLIES: u16 = 6;

const fn cell(row: usize, col: usize) -> usize {
    SIZE as usize * row + col
}

impl Opening {
    /// Opening moves: the move that is played without a search, if there is one.
    pub fn reply(self, pos: &Infexion) -> Option<Move> {
        let [red, blue] = Player::BOTH.map(|player| pos.cells_of(player));
        let empty = !(red | blue);
        let own = pos.cells_of(pos.turn());
        let n_own_moves = u32::from(pos.ply() / 2);
        let cell = match self {
            Opening::Off => None,
            _ if n_own_moves == 0 && own == 0 => FIRST_CELLS.into_iter().find(|&cell| empty >> cell & 1 == 1),
            Opening::Triangle if pos.ply() < N_TRIANGLE_PLIES && own.count_ones() == n_own_moves => {
                third_corner(pos, own, empty)
            }
            _ => None,
        }?;
        Some(Action::Spawn { cell }.into())
    }
}

/// An empty cell beside all own tokens and beside none of the enemy's.
fn third_corner(pos: &Infexion, own: u64, empty: u64) -> Option<usize> {
    let cells = |set: u64| (0..usize::from(SIZE * SIZE)).filter(move |cell| set >> cell & 1 == 1);
    let beside_all = cells(own).fold(empty, |common, cell| common & neighbors(cell));
    let enemy = pos.cells_of(pos.turn().opponent());
    cells(beside_all).find(|&cell| neighbors(cell) & enemy == 0)
}
