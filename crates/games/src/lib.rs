//! The rules of four two-player board games: Infexion, Tetress, Cachex and Hex.
//!
//! Read this file first. A [`Position`] is a board, the side to move and the ply. It is object-safe: code
//! that learns the game's name at run time uses a `Box<dyn Position>`. A [`Game`] is a `Position` that is
//! cheap to copy, with constants and functions that hold for the whole game; hot loops take it as a type
//! parameter. [`with_game`] turns a `&dyn Position` into its `Game`. A [`Record`] is a game as played. Only
//! the record knows about repetition.
//!
//! ```
//! use yarra_games::{Record, start};
//!
//! let mut record = Record::new(start("cachex:5")?);
//! let m = record.now().read_move("0-2")?;
//! record.play(m);
//! assert_eq!(record.now().to_string(), "..r../...../...../...../..... b 1");
//! assert_eq!(record.now().n_legal_moves(), 25);
//! # Ok::<(), yarra_games::ParseError>(())
//! ```

mod bits;
pub mod cachex;
pub mod cpu;
mod history;
pub mod infexion;
mod key;
mod list;
mod outcome;
pub mod perft;
mod player;
pub mod playout;
mod record;
pub mod tetress;
mod text;
#[cfg(feature = "tictactoe")]
pub mod tictactoe;
mod typed;

use std::any::Any;
use std::fmt;

pub use history::History;
pub use key::mixed;
pub use list::{
    Board, Course, CourseLimits, GAMES, GameInfo, GameSpec, RhombusWork, Work, find, names_game, read, start,
    with_game, with_rhombus,
};
pub use outcome::{Cause, Ending, Failure, Outcome, Reason};
pub use player::{ByPlayer, Player};
pub use record::Record;
pub use text::ParseError;
pub use typed::read_typed_cell;

/// A move: its index in the dense numbering of its game, see each game's module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u16);

/// A buffer of moves. Reuse it: allocating one at every node costs an eighth of a search's time.
pub type MoveList = Vec<Move>;

/// One cell of a board, for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The first coordinate.
    pub row: u8,
    /// The second coordinate.
    pub col: u8,
    /// The owner of the stone or stack on it.
    pub owner: Option<Player>,
    /// The height of the stack; 1 for stones and tokens, 0 for an empty cell.
    pub power: u8,
}

/// What a game's repetition rule compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Equal for equal boards, with either side to move.
    pub key: u64,
    /// The game is drawn when the board has occurred this many times.
    pub limit: u16,
}

/// A board, the side to move and the ply. `Display` writes the position's notation.
pub trait Position: Any + fmt::Display + fmt::Debug + Send + Sync {
    /// The game's entry in the list of games.
    fn info(&self) -> &'static GameInfo;

    /// The number of rows of the board.
    fn size(&self) -> u8;

    /// The game with its size: `tetress`, `cachex:9`.
    fn spec(&self) -> GameSpec {
        GameSpec::new(self.info(), self.size()).expect("a position has a size that is played")
    }

    /// The player to move.
    fn turn(&self) -> Player {
        Player::at_ply(self.ply())
    }

    /// The number of moves made so far.
    fn ply(&self) -> u16;

    /// The ply at which the game ends at the latest.
    fn turn_limit(&self) -> u16;

    /// How the game ended, if it has. Does not check repetition; [`Record::outcome`] does.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends all legal moves in ascending order; none if the game is over.
    fn legal_moves(&self, moves: &mut MoveList);

    /// The number of legal moves, without listing them.
    fn n_legal_moves(&self) -> usize;

    /// Makes a legal move.
    fn play(&mut self, m: Move);

    /// Equal for equal boards with the same side to move. It ignores the turn limit.
    fn key(&self) -> u64;

    /// What the repetition rule compares; `None` if the game has no such rule.
    fn repetition(&self) -> Option<Repetition> {
        None
    }

    /// The notation of a move.
    fn show_move(&self, m: Move) -> String;

    /// Parses a legal move. All moves from outside the program come through here.
    ///
    /// # Errors
    /// If the text is not a move or the move is not legal, with what was expected.
    fn read_move(&self, text: &str) -> Result<Move, ParseError>;

    /// Parses a legal move as a person may type it at a prompt: with other separators, in capitals, with arrows. The game must
    /// not be over.
    ///
    /// # Errors
    /// Why it cannot be played, in words for the player to move.
    fn read_typed(&self, text: &str) -> Result<Move, String> {
        self.read_move(text.trim()).map_err(|error| error.to_string())
    }

    /// What a player has on the board: power in Infexion, tokens in Tetress, stones in Cachex and Hex.
    fn material(&self, player: Player) -> u32;

    /// The score to show beside the board: what is counted, and for each player how much; `None` if nothing tells.
    fn standing(&self) -> Option<(&'static str, ByPlayer<u32>)> {
        Some((self.info().material, ByPlayer::from_fn(|player| self.material(player))))
    }

    /// All cells of the board, row by row.
    fn cells(&self) -> Vec<Cell>;

    /// The cells that a legal move is about, as indices of [`Position::cells`]: those that it changes, or those of its
    /// piece where a full line may empty them at once.
    fn move_cells(&self, m: Move) -> Vec<usize> {
        let mut next = self.boxed();
        next.play(m);
        let (old, new) = (self.cells(), next.cells());
        (0..old.len()).filter(|&idx| old[idx] != new[idx]).collect()
    }

    /// A copy of this position behind a box.
    fn boxed(&self) -> Box<dyn Position>;
}

/// A position as a plain value, with constants and functions that hold for the whole game.
pub trait Game: Position + Copy + Eq {
    /// The game's entry in the list of games.
    const INFO: &'static GameInfo;

    /// The game's name, such as `cachex`.
    const NAME: &'static str = Self::INFO.name;

    /// An upper bound of move numbers.
    const MOVES: usize;

    /// The start position; `None` if this type does not support the size.
    fn start(size: u8) -> Option<Self>;

    /// Parses exactly the notation that `Display` writes.
    ///
    /// # Errors
    /// If the text is not such a notation, with what was expected.
    fn read(text: &str) -> Result<Self, ParseError>;

    /// The position after a legal move.
    ///
    /// Games whose positions are a few words compute it from the old position. Changing a copy would wait for
    /// the copy's bytes; computing makes a third more moves a second.
    #[inline(always)]
    fn after(&self, m: Move) -> Self {
        let mut next = *self;
        next.play(m);
        next
    }

    /// A legal move, uniformly at random; `None` if the game is over.
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move>;

    /// The number of symmetries of this position, including the identity.
    ///
    /// Each of them commutes with `pos.play(m)`.
    fn n_symmetries(&self) -> usize;

    /// The image of the position under symmetry number `symmetry`; 0 is the identity.
    fn image(&self, symmetry: usize) -> Self;

    /// The image of a move of this position under symmetry number `symmetry`.
    fn image_move(&self, symmetry: usize, m: Move) -> Move;
}

/// Compiles and runs the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
