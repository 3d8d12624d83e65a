//! The options that say which weights and which net an evaluation has.

use std::path::Path;

use crate::net::{NetError, NetFile};
use crate::{OptionInfo, Settings, SpecError};

/// The weights of the evaluation.
pub const WEIGHTS: OptionInfo = OptionInfo::text(
    "weights",
    "evaluation weights: `fitted` to self-play, set by `hand`, those of version `0.1`, or a file or run of recipe nnue",
)
.with("fitted");

/// The net beside them.
pub const NET: OptionInfo = OptionInfo::text(
    "net",
    "the net beside the weights: `off`, `on` for that of the weights if they have one, or a file or run of recipe nnue",
)
.with("off");

/// The kind of the files.
pub const KIND: &str = "nnue";

/// Where weights come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The newest fit.
    Fitted,
    /// Set by hand.
    Hand,
    /// As in version 0.1.
    V0_1,
    /// From a file.
    File(NetFile),
}

impl Source {
    /// The weights that settings ask for in a game whose evaluation has no net: a file for the net has weights too.
    ///
    /// # Errors
    /// If a file cannot be read, or is for another game.
    pub fn without_net(settings: &Settings, game: &str) -> Result<Source, SpecError> {
        match NetSource::read(settings, game)? {
            NetSource::File(file) => Ok(Source::File(file)),
            NetSource::Off | NetSource::On => Source::read(settings, game),
        }
    }

    /// The weights that settings ask for.
    ///
    /// # Errors
    /// If a file cannot be read, or is for another game.
    pub fn read(settings: &Settings, game: &str) -> Result<Source, SpecError> {
        match settings.get("weights") {
            "fitted" => Ok(Source::Fitted),
            "hand" => Ok(Source::Hand),
            "0.1" => Ok(Source::V0_1),
            path => open("weights", path, game).map(Source::File),
        }
    }

    /// The weights: those built in, or what `read` finds in the file.
    ///
    /// # Errors
    /// If the file has none.
    pub fn choose<W: Copy>(
        &self,
        [fitted, hand, v0_1]: [W; 3],
        read: impl Fn(&NetFile) -> Result<W, NetError>,
    ) -> Result<W, SpecError> {
        match self {
            Source::Fitted => Ok(fitted),
            Source::Hand => Ok(hand),
            Source::V0_1 => Ok(v0_1),
            Source::File(file) => read(file).map_err(|error| SpecError::new(format!("weights: {error}"))),
        }
    }
}

/// Which net is asked for.
#[derive(Clone, Debug)]
pub enum NetSource {
    /// None.
    Off,
    /// That of the weights, if they have one.
    On,
    /// From a file.
    File(NetFile),
}

impl NetSource {
    /// The net that settings ask for.
    ///
    /// # Errors
    /// If a file cannot be read, or is for another game.
    pub fn read(settings: &Settings, game: &str) -> Result<NetSource, SpecError> {
        match settings.get("net") {
            "off" => Ok(NetSource::Off),
            "on" => Ok(NetSource::On),
            path => open("net", path, game).map(NetSource::File),
        }
    }
}

fn open(option: &str, path: &str, game: &str) -> Result<NetFile, SpecError> {
    let path = Path::new(path);
    let read = || {
        let file = NetFile::open(path)?;
        file.check(KIND, game).map_err(|error| error.at(path))?;
        Ok(file)
    };
    read().map_err(|error: NetError| SpecError::new(format!("{option}: {error}")))
}
