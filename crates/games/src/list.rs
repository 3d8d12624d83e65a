//! The list of games, and the dispatch from a game's name to its type.
//!
//! A new game needs a folder of its own and a line in `games!` below.

use std::any::Any;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::cachex::{self, Bits, Cachex, Hex, Rhombus, U256};
use crate::infexion::{self, Infexion};
use crate::tetress::{self, Tetress};
#[cfg(feature = "tictactoe")]
use crate::tictactoe::{self, TicTacToe};
use crate::{Game, ParseError, Position};

/// A game's entry in the list of games.
#[derive(Debug)]
pub struct GameInfo {
    /// The name, such as `cachex`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The goal and the rules in short.
    pub rules: &'static str,
    /// How moves are written, for the help at a prompt.
    pub notation: &'static str,
    /// The supported board sizes. A game with several is given as `NAME:SIZE`.
    pub sizes: RangeInclusive<u8>,
    /// The size of a game given without a size.
    pub default_size: u8,
    /// The geometry of its board.
    pub board: Board,
    /// The highest power of a cell; 1 if cells contain single stones.
    pub max_power: u8,
    /// The plural noun for what players have on the board, such as `tokens`.
    pub material: &'static str,
    /// The number of random plies that makes good openings for a match.
    pub opening_plies: u16,
    /// The limits of external agents by board size: the course's limits if the course taught the game.
    pub limits: fn(size: u8) -> CourseLimits,
    /// How the course's referee treats agents; `None` if the course has no referee for the game.
    pub course: Option<Course>,
}

/// The geometry of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// Flat-topped hexagons, r to the upper right and q to the lower right.
    Diamond,
    /// Squares, row 0 on top.
    Square,
    /// Pointy-topped hexagons, row 0 at the bottom; red connects bottom and top, blue left and right.
    Rhombus,
}

/// The resources that an external agent may use in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CourseLimits {
    /// CPU time for all moves of a game.
    pub time: Duration,
    /// Memory in units of 2²⁰ bytes.
    pub megabytes: u64,
    /// Wall-clock time for one call.
    pub call: Duration,
}

/// How the course's referee for a game differs from its other referees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Whether agents are told the move that ends the game.
    pub reports_last_move: bool,
    /// Whether memory used by an agent's imports is not counted.
    pub imports_are_free: bool,
    /// Whether both players share one limit on memory, twice as high.
    pub memory_is_shared: bool,
    /// Whether agents are told their remaining time and memory.
    pub reports_resources: bool,
    /// The name of the method that tells agents a move.
    pub move_method: &'static str,
}

/// Work that is generic over the game, for a position whose game is known only at run time.
pub trait Work {
    /// The result.
    type Output;

    /// Does the work at a position of a known type.
    fn run<G: Game>(self, pos: &G) -> Self::Output;
}

macro_rules! games {
    ($($(#[$attribute:meta])* $info:path: $($type:ty),+;)+) => {
        /// All games.
        pub const GAMES: &[&GameInfo] = &[$($(#[$attribute])* &$info),+];

        /// Runs `work` with the concrete type of a position.
        pub fn with_game<W: Work>(pos: &dyn Position, work: W) -> W::Output {
            $($(#[$attribute])* {$(
                if let Some(pos) = (pos as &dyn Any).downcast_ref::<$type>() {
                    return work.run(pos);
                }
            )+})+
            unreachable!("every game is in the list")
        }

        impl GameSpec {
            /// The start position.
            pub fn start(self) -> Box<dyn Position> {
                $($(#[$attribute])* {$(
                    if <$type>::NAME == self.info.name && let Some(pos) = <$type>::start(self.size) {
                        return pos.boxed();
                    }
                )+})+
                unreachable!("each listed size has a type that plays it")
            }
        }

        /// Parses a position of a game whose board seems to have `size` rows.
        fn read_sized(info: &'static GameInfo, size: u8, text: &str) -> Result<Box<dyn Position>, ParseError> {
            $($(#[$attribute])* {$(
                // An unsupported size is rejected by the first type of the game.
                if <$type>::NAME == info.name && (<$type>::start(size).is_some() || !info.sizes.contains(&size)) {
                    return Ok(<$type>::read(text)?.boxed());
                }
            )+})+
            unreachable!("each listed size has a type that plays it")
        }
    };
}

games! {
    infexion::INFO: Infexion;
    tetress::INFO: Tetress;
    cachex::CACHEX: Cachex<u64>, Cachex<u128>, Cachex<U256>;
    cachex::HEX: Hex<u64>, Hex<u128>, Hex<U256>;
    #[cfg(feature = "tictactoe")]
    tictactoe::INFO: TicTacToe;
}

/// Work that is generic over the boards of Cachex and Hex.
pub trait RhombusWork {
    /// The result.
    type Output;

    /// Does the work at a position of a known type.
    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> Self::Output;
}

/// Runs `work` with the concrete type of a position of Cachex or Hex; `None` for any other game.
pub fn with_rhombus<W: RhombusWork>(pos: &dyn Position, work: W) -> Option<W::Output> {
    macro_rules! try_each {
        ($($type:ty),*) => {
            $(if let Some(pos) = (pos as &dyn Any).downcast_ref::<$type>() {
                return Some(work.run(pos));
            })*
        };
    }
    try_each!(Cachex<u64>, Cachex<u128>, Cachex<U256>, Hex<u64>, Hex<u128>, Hex<U256>);
    None
}

/// A game and its size. Parses and prints as `infexion`, `cachex:9`.
#[derive(Clone, Copy)]
pub struct GameSpec {
    info: &'static GameInfo,
    size: u8,
}

impl GameSpec {
    /// A game with a board size; `None` if the size is not supported.
    pub fn new(info: &'static GameInfo, size: u8) -> Option<GameSpec> {
        info.sizes.contains(&size).then_some(GameSpec { info, size })
    }

    /// The game.
    pub fn info(self) -> &'static GameInfo {
        self.info
    }

    /// The game's name without the size.
    pub fn name(self) -> &'static str {
        self.info.name
    }

    /// The number of rows.
    pub fn size(self) -> u8 {
        self.size
    }

    /// Whether a text such as `cachex` or `cachex:9` names this game; a text without a size names every size.
    ///
    /// # Errors
    /// If the text names no game.
    pub fn is_named_by(self, text: &str) -> Result<bool, ParseError> {
        let (info, size) = find(text)?;
        Ok(info.name == self.name() && size.is_none_or(|size| size == self.size))
    }

    /// Whether a position is the start position of its game.
    pub fn is_start(pos: &dyn Position) -> bool {
        pos.ply() == 0 && pos.spec().start().to_string() == pos.to_string()
    }
}

impl PartialEq for GameSpec {
    fn eq(&self, other: &GameSpec) -> bool {
        (self.name(), self.size) == (other.name(), other.size)
    }
}

impl Eq for GameSpec {}

impl fmt::Debug for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameSpec({self})")
    }
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info.has_sizes() {
            true => f.pad(&format!("{}:{}", self.info.name, self.size)),
            false => f.pad(self.info.name),
        }
    }
}

impl FromStr for GameSpec {
    type Err = ParseError;

    /// The size defaults to the game's own default.
    fn from_str(text: &str) -> Result<GameSpec, ParseError> {
        let (info, size) = find(text)?;
        Ok(GameSpec { info, size: size.unwrap_or(info.default_size) })
    }
}

impl GameInfo {
    /// Whether several board sizes are supported.
    pub fn has_sizes(&self) -> bool {
        self.sizes.start() != self.sizes.end()
    }
}

/// Whether a text names a game, with or without a valid size.
pub fn names_game(text: &str) -> bool {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    GAMES.iter().any(|info| info.name == name)
}

/// Looks up a game: its entry and the size, if one is given.
///
/// # Errors
/// Lists the valid names and sizes.
pub fn find(text: &str) -> Result<(&'static GameInfo, Option<u8>), ParseError> {
    let (name, size) = match text.split_once(':') {
        Some((name, size)) => (name, Some(size)),
        None => (text, None),
    };
    let Some(&info) = GAMES.iter().find(|info| info.name == name) else {
        let names = GAMES.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
        return Err(ParseError::new(format!("a game, one of {names}"), text));
    };
    let Some(size) = size else { return Ok((info, None)) };
    let (min, max) = (*info.sizes.start(), *info.sizes.end());
    let in_range = crate::text::read_number(size, u16::from(max) + 1).filter(|&size| u16::from(min) <= size);
    match in_range {
        Some(size) => Ok((info, Some(size as u8))),
        None if min == max => Err(ParseError::new(format!("`{name}` or `{name}:{min}`"), text)),
        None => Err(ParseError::new(format!("a size from {min} to {max}, as in `{name}:{max}`"), text)),
    }
}

/// The start position of a game: `infexion`, `tetress`, `cachex:9`, `hex`.
///
/// # Errors
/// Lists the valid names and sizes.
pub fn start(spec: &str) -> Result<Box<dyn Position>, ParseError> {
    Ok(spec.parse::<GameSpec>()?.start())
}

/// Parses a position of a game. The number of rows determines the size; a size in `spec` must match it.
///
/// # Errors
/// If the text is invalid, with what was expected.
pub fn read(spec: &str, text: &str) -> Result<Box<dyn Position>, ParseError> {
    let (info, size) = find(spec)?;
    let n_rows = text.split(' ').next().unwrap_or_default().split('/').count();
    if let Some(size) = size.filter(|&size| n_rows != usize::from(size)) {
        return Err(ParseError::new(format!("{size} rows joined by `/`"), text));
    }
    read_sized(info, size.unwrap_or_else(|| n_rows.try_into().unwrap_or(u8::MAX)), text)
}
