//! The rules of four two-player board games: Infexion, Tetress, Cachex and Hex.
//!
//! Read this file first. A [`Position`] is a board, the side to move and the ply, with the verbs that
//! every program needs; it is object-safe, so whoever learns the game's name at run time holds a
//! `Box<dyn Position>`. A [`Game`] is a `Position` of a size that is cheap to copy, with the facts that
//! hold for all its positions; hot loops take it as a type parameter. [`with_game`] leads from the one to
//! the other. A [`Record`] is a game as played and the only one who knows about repetition.
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

use std::any::Any;
use std::fmt;

pub use history::History;
pub use list::{
    Board, Course, CourseLimits, GAMES, GameInfo, GameSpec, RhombusWork, Work, find, names_game, read, start,
    with_game, with_rhombus,
};
pub use outcome::{Cause, Ending, Failure, Outcome, Reason};
pub use player::{ByPlayer, Player};
pub use record::Record;
pub use text::ParseError;

/// A move: its index in the dense numbering of its game, see each game's module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u16);

/// A buffer of moves. Reuse it: a fresh one at every node costs an eighth of a search's time.
pub type MoveList = Vec<Move>;

/// One cell of a board, for whoever draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The first coordinate.
    pub row: u8,
    /// The second coordinate.
    pub col: u8,
    /// Whose stone or stack stands there.
    pub owner: Option<Player>,
    /// The height of the stack; 1 for stones and tokens, 0 for an empty cell.
    pub power: u8,
}

/// What a game's repetition rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Equal for equal boards, whoever is to move.
    pub key: u64,
    /// The game is drawn once the board has stood this many times.
    pub limit: u16,
}

/// A board, the side to move and the ply. `Display` writes the position's notation.
pub trait Position: Any + fmt::Display + fmt::Debug + Send + Sync {
    /// What is known about the game.
    fn info(&self) -> &'static GameInfo;

    /// The number of rows of the board.
    fn size(&self) -> u8;

    /// The game with its size: `tetress`, `cachex:9`.
    fn spec(&self) -> GameSpec {
        GameSpec::new(self.info(), self.size()).expect("a position has a size that is played")
    }

    /// Who is to move.
    fn turn(&self) -> Player {
        Player::at_ply(self.ply())
    }

    /// How many moves have been made.
    fn ply(&self) -> u16;

    /// The ply at which the game ends at the latest.
    fn turn_limit(&self) -> u16;

    /// How the game ended, if it has. Knows nothing of repetition: that is the [`Record`]'s.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends all legal moves in ascending order; none once the game is over.
    fn legal_moves(&self, moves: &mut MoveList);

    /// How many moves are legal, without listing them.
    fn n_legal_moves(&self) -> usize;

    /// Makes a legal move.
    fn play(&mut self, m: Move);

    /// Equal for equal boards with the same side to move. The turn limit is not in it.
    fn key(&self) -> u64;

    /// What the repetition rule looks at; `None` where the game has no such rule.
    fn repetition(&self) -> Option<Repetition> {
        None
    }

    /// Writes a move of this game.
    fn show_move(&self, m: Move) -> String;

    /// Reads a move that is legal here: the one door for moves from outside.
    ///
    /// # Errors
    /// Says what was expected if the text is no move, or why the move is not legal.
    fn read_move(&self, text: &str) -> Result<Move, ParseError>;

    /// What a player has on the board: power in Infexion, tokens in Tetress, stones in Cachex and Hex.
    fn material(&self, player: Player) -> u32;

    /// All cells of the board, row by row.
    fn cells(&self) -> Vec<Cell>;

    /// A copy of this position whose type is known only at run time.
    fn boxed(&self) -> Box<dyn Position>;
}

/// A position as a plain value, with the facts that hold for the whole game.
pub trait Game: Position + Copy + Eq {
    /// What is known about the game.
    const INFO: &'static GameInfo;

    /// The game's name, such as `cachex`.
    const NAME: &'static str = Self::INFO.name;

    /// Every move's number is below this.
    const MOVES: usize;

    /// The start position, `None` if this type does not play that size.
    fn start(size: u8) -> Option<Self>;

    /// Reads the notation that `Display` writes, and nothing else.
    ///
    /// # Errors
    /// Says what was expected where the text went wrong.
    fn read(text: &str) -> Result<Self, ParseError>;

    /// The position after a legal move.
    ///
    /// Games whose positions are a few words work it out of the old one rather than out of a copy, whose
    /// bytes a processor would wait for: a third more moves a second.
    #[inline(always)]
    fn after(&self, m: Move) -> Self {
        let mut next = *self;
        next.play(m);
        next
    }

    /// One of the legal moves, each as likely as the others; `None` once the game is over.
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move>;

    /// How many symmetries this position has images under, the identity among them.
    ///
    /// `pos.play(m)` and taking the image commute for each of them.
    fn n_symmetries(&self) -> usize;

    /// The position as symmetry number `symmetry` shows it; number 0 is the identity.
    fn image(&self, symmetry: usize) -> Self;

    /// A move of this position as symmetry number `symmetry` shows it.
    fn image_move(&self, symmetry: usize, m: Move) -> Move;
}

/// The README's code is true.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
