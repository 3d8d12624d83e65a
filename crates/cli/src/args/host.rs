//! How external agents are run.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use yarra_catalog::Host;
use yarra_engine::AgentSpec;
use yarra_engine::options::read_duration;
use yarra_guests::HostOptions;
use yarra_guests::jail::{Folder, Layers};

/// Options for external agents.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "External agents (python:, ugi:)")]
pub struct HostArgs {
    /// CPU time for a game, as in `180s` [default: the course's limit for the game]
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    time: Option<Duration>,
    /// Memory, as in `250MB` [default: the course's limit for the game]
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    memory: Option<u64>,
    /// Wall-clock time for one call, as in `60s` [default: the official referee's]
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    call_time: Option<Duration>,
    /// Wall-clock time for all calls of a game, as in `30m` [default: 10 times its CPU time, and a minute]
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    game_time: Option<Duration>,
    /// Do not limit CPU time, memory and the wall-clock time of a game.
    #[arg(long, conflicts_with_all = ["time", "memory", "game_time"])]
    no_limits: bool,
    /// The Python interpreter, for instance of a virtual environment [default: python3]
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Let agents import the `referee` package next to them instead of the built-in one.
    #[arg(long)]
    their_referee: bool,
    /// Fail if the kernel cannot isolate agents; `yarra doctor` says why.
    #[arg(long)]
    require_isolation: bool,
}

impl HostArgs {
    /// The host with these options.
    ///
    /// # Errors
    /// If isolation is required and this machine lacks it.
    pub fn host(&self) -> anyhow::Result<Host> {
        if self.require_isolation {
            // Without it no layer could be tried.
            let _folder = Folder::new()?;
            if let Err(gaps) = Layers::of_this_machine().check_isolation() {
                bail!(
                    "agents cannot be isolated on this machine: they could {gaps}; `yarra doctor` says why"
                );
            }
        }
        Ok(Host::new(HostOptions {
            python: self.python.clone(),
            their_referee: self.their_referee,
            time: if self.no_limits { Some(None) } else { self.time.map(Some) },
            memory: if self.no_limits { Some(None) } else { self.memory.map(Some) },
            call: self.call_time,
            game: self.game_time,
            layers: None,
        }))
    }

    /// A limit that was given although no agent is external, so that it has no effect.
    pub fn unused_limit<'a>(&self, mut agents: impl Iterator<Item = &'a AgentSpec>) -> Option<&'static str> {
        let limits = [
            ("--time", self.time.is_some()),
            ("--memory", self.memory.is_some()),
            ("--call-time", self.call_time.is_some()),
            ("--game-time", self.game_time.is_some()),
        ];
        let given = limits.into_iter().find_map(|(name, is_given)| is_given.then_some(name))?;
        (!agents.any(AgentSpec::is_external)).then_some(given)
    }

    /// The options other than limits, as given on the command line.
    pub fn words(&self) -> Vec<String> {
        let python = self.python.iter().flat_map(|path| ["--python".to_owned(), path.display().to_string()]);
        python.chain(self.their_referee.then(|| "--their-referee".to_owned())).collect()
    }
}

/// Parses an amount of memory such as `250MB`. Units are powers of 1024, as in the course.
fn read_size(text: &str) -> Result<u64, String> {
    let units = [("GB", 30), ("MB", 20), ("kB", 10)];
    let found = units.iter().find_map(|&(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let bytes = found.and_then(|(number, shift)| number.trim().parse::<u64>().ok()?.checked_mul(1 << shift));
    bytes.filter(|&bytes| 0 < bytes).ok_or_else(|| "expected an amount such as 250MB or 1GB".to_owned())
}
