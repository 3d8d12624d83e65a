//! The list of games, and the way from a game known by name to its type.
//!
//! A new game is its own folder, a line in [`GAMES`] and a line in `for_each_type`.

use std::any::Any;
use std::ops::RangeInclusive;

use crate::cachex::{self, Bits, Cachex, Hex, Rhombus, U256};
use crate::infexion::{self, Infexion};
use crate::tetress::{self, Tetress};
use crate::{Game, ParseError, Position};

/// What a person wants to know before playing a game.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// The name, such as `cachex`.
    pub name: &'static str,
    /// One line about the game.
    pub about: &'static str,
    /// The sizes of board that can be played, as `NAME:SIZE` where there are several.
    pub sizes: RangeInclusive<u8>,
    /// The size of a game given without one.
    pub default_size: u8,
}

/// All games.
pub const GAMES: [GameInfo; 4] = [
    GameInfo {
        name: Infexion::NAME,
        about: "stacks spread over a hexagonal torus and take what they reach",
        sizes: infexion::SIZE..=infexion::SIZE,
        default_size: infexion::SIZE,
    },
    GameInfo {
        name: Tetress::NAME,
        about: "tetrominoes on a torus, full lines vanish, who cannot move loses",
        sizes: tetress::SIZE..=tetress::SIZE,
        default_size: tetress::SIZE,
    },
    GameInfo {
        name: Cachex::<u64>::NAME,
        about: "join your two sides of a rhombus; diamonds capture, the first move can be stolen",
        sizes: cachex::SIZES,
        default_size: 9,
    },
    GameInfo {
        name: Hex::<u64>::NAME,
        about: "join your two sides of a rhombus",
        sizes: cachex::SIZES,
        default_size: 11,
    },
];

/// Runs a block once for each type of position, with the name before `=>` standing for the type.
///
/// [`with_game`] is what most want; this is for traits that other crates give to all games.
#[macro_export]
macro_rules! for_each_type {
    ($type:ident => $block:block) => {
        $crate::for_each_type!(@ $type $block
            $crate::infexion::Infexion, $crate::tetress::Tetress,
            $crate::cachex::Cachex<u64>, $crate::cachex::Cachex<u128>, $crate::cachex::Cachex<$crate::cachex::U256>,
            $crate::cachex::Hex<u64>, $crate::cachex::Hex<u128>, $crate::cachex::Hex<$crate::cachex::U256>)
    };
    (@ $type:ident $block:block $($concrete:ty),*) => {
        $({ type $type = $concrete; $block })*
    };
}

/// Work that is generic over the game, for a position whose game is known only at run time.
pub trait Work {
    /// What comes out.
    type Output;

    /// Does the work at a position whose type is known.
    fn run<G: Game>(self, pos: &G) -> Self::Output;
}

/// Does some work with the type behind a position.
pub fn with_game<W: Work>(pos: &dyn Position, work: W) -> W::Output {
    for_each_type!(G => {
        if let Some(pos) = (pos as &dyn Any).downcast_ref::<G>() {
            return work.run(pos);
        }
    });
    unreachable!("every game is in the list")
}

/// Work that is generic over the boards of Cachex and Hex.
pub trait RhombusWork {
    /// The result.
    type Output;

    /// Does the work at a position whose type is known.
    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> Self::Output;
}

/// Does some work with the type behind a position of Cachex or Hex; `None` for any other game.
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

/// Looks a game up: its entry and the size asked for, or the default one.
///
/// # Errors
/// Lists the names and sizes that would be right.
pub fn find(spec: &str) -> Result<(&'static GameInfo, u8), ParseError> {
    const LIST: &[GameInfo] = &GAMES;
    let (name, size) = match spec.split_once(':') {
        Some((name, size)) => (name, Some(size)),
        None => (spec, None),
    };
    let Some(game) = LIST.iter().find(|game| game.name == name) else {
        let names = LIST.iter().map(|game| game.name).collect::<Vec<_>>().join(", ");
        return Err(ParseError::new(format!("a game, one of {names}"), spec));
    };
    let Some(size) = size else { return Ok((game, game.default_size)) };
    let (min, max) = (*game.sizes.start(), *game.sizes.end());
    let in_range = crate::text::read_number(size, u16::from(max) + 1).filter(|&size| u16::from(min) <= size);
    match in_range {
        Some(size) => Ok((game, size as u8)),
        None if min == max => Err(ParseError::new(format!("`{name}` or `{name}:{min}`"), spec)),
        None => Err(ParseError::new(format!("a size from {min} to {max}, as in `{name}:{max}`"), spec)),
    }
}

/// The start position of a game: `infexion`, `tetress`, `cachex:9`, `hex`.
///
/// # Errors
/// Lists the names and sizes that would be right.
pub fn start(spec: &str) -> Result<Box<dyn Position>, ParseError> {
    let (game, size) = find(spec)?;
    for_each_type!(G => {
        if G::NAME == game.name && let Some(pos) = G::start(size) {
            return Ok(pos.boxed());
        }
    });
    unreachable!("each listed size has a type that plays it")
}

/// Reads a position of a game. The number of rows gives the size; a size in `spec` must agree with it.
///
/// # Errors
/// Says what was expected where the text went wrong.
pub fn read(spec: &str, text: &str) -> Result<Box<dyn Position>, ParseError> {
    let (game, size) = find(spec)?;
    let n_rows = text.split(' ').next().unwrap_or_default().split('/').count();
    let has_size_in_spec = spec.contains(':');
    let size = if has_size_in_spec { size } else { n_rows.try_into().unwrap_or(u8::MAX) };
    if has_size_in_spec && n_rows != usize::from(size) {
        return Err(ParseError::new(format!("{size} rows joined by `/`"), text));
    }
    for_each_type!(G => {
        if G::NAME == game.name && (G::start(size).is_some() || !game.sizes.contains(&size)) {
            return Ok(G::read(text)?.boxed());
        }
    });
    unreachable!("each listed size has a type that plays it")
}
