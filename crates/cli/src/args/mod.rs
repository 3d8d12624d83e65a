//! Options that several commands share.

#[cfg(target_os = "linux")]
mod host;
#[cfg(not(target_os = "linux"))]
#[path = "no_host.rs"]
mod host;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ColorChoice;
use yarra_draw::Style;
use yarra_engine::Limits;
use yarra_engine::options::read_duration;
use yarra_games::{ParseError, Record};

use crate::clean::stderr;
pub use host::HostArgs;

/// Limits of a search.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct SearchArgs {
    /// Time for each move, as in `100ms`.
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    move_time: Option<Duration>,
    /// Maximum depth in plies.
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Maximum number of nodes, or playouts, for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl SearchArgs {
    /// The limits that were given.
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, move_time: self.move_time, clock: None }
    }
}

/// Limits of an agent in a game.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct LimitArgs {
    /// Time for all moves of a game, as in `180s`.
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    clock: Option<Duration>,
    #[command(flatten)]
    search: SearchArgs,
}

impl LimitArgs {
    /// The limits that were given.
    pub fn limits(&self) -> Limits {
        Limits { clock: self.clock, ..self.search.limits() }
    }
}

/// Says on the standard error that an option for external agents has no effect, because none of the agents is one.
///
/// # Errors
/// If that cannot be written.
pub fn warn_of_unused(option: Option<&str>) -> io::Result<()> {
    let Some(option) = option else { return Ok(()) };
    writeln!(
        stderr(),
        "warning: {option} limits only external agents (python:, ugi:); limit others in their spec, as in \
         `champion:movetime=1s`"
    )
}

/// Where a game starts.
#[derive(clap::Args, Clone, Debug)]
pub struct StartArgs {
    /// Start at this position, in its notation, instead of the start position.
    #[arg(long)]
    pub position: Option<String>,
    /// Play these moves first, separated by spaces.
    #[arg(long)]
    pub moves: Option<String>,
}

impl StartArgs {
    /// The game after the moves.
    ///
    /// # Errors
    /// The first text that is invalid.
    pub fn record(&self, game: &str) -> Result<Record, ParseError> {
        let moves = self.moves.as_deref().unwrap_or_default();
        Record::read(game, self.position.as_deref(), moves.split_whitespace())
    }
}

/// How boards are drawn.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct ColorArgs {
    /// When to use color.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl ColorArgs {
    /// The chosen style.
    pub fn style(self) -> Style {
        style(self.color)
    }
}

/// By default, color is used on a terminal unless NO_COLOR is set.
pub fn style(choice: ColorChoice) -> Style {
    let is_refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let color = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => io::stdout().is_terminal() && !is_refused,
    };
    Style { color, columns: columns(), has_coordinates: false }
}

/// The width of the terminal; without one, lines never break.
pub fn columns() -> usize {
    let size = io::stdout().is_terminal().then(|| console::Term::stdout().size_checked()).flatten();
    size.map_or(usize::MAX, |(_, columns)| columns.into())
}
