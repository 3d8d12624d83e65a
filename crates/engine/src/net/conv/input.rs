//! What a net sees of a position.

use yarra_games::{Move, Position};

/// The number of facts about the whole position that a net sees beside the cells.
pub const N_SCALARS: usize = 4;

/// A position from the view of the player to move, without the Rust type of its game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetInput {
    /// The number of rows.
    pub size: u8,
    /// A code for each cell, row by row: 0 is empty, then come the own pieces and then the opponent's.
    pub cells: Vec<u8>,
    /// Facts about the whole position, roughly from -1 to 1; see each game's [`NetGame::encode`].
    pub scalars: [f32; N_SCALARS],
}

/// A position of a game that nets play.
pub trait NetGame: Position {
    /// Writes this position into `input`, replacing what was there.
    fn encode(&self, input: &mut NetInput);

    /// The index of a move of this position in the net's policy: plane times the number of cells, plus the cell.
    fn policy_index(&self, m: Move) -> u16;

    /// What the net's second output shall foretell here, given the position [some plies later](super::Geometry::lead_after): from
    /// -1 to 1, for the player to move at this position. It says how clearly the game was decided, which results alone do
    /// not.
    fn lead(&self, later: &dyn Position) -> f32;
}
