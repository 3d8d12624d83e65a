//! How strangers' agents are received, for the commands that seat them.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use yarra_arena::foreign::{Host, House};
use yarra_arena::jail::Layers;
use yarra_engine::options::read_duration;

/// Options for `python:` and `ugi:` agents.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Agents in their own processes (python:, ugi:)")]
pub struct HostArgs {
    /// CPU time of a game, as in `180s`; the course's limit for the game if not given.
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    time: Option<Duration>,
    /// Memory, as in `250MB`; the course's limit for the game if not given.
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    memory: Option<u64>,
    /// Time on the wall's clock for one call, as in `60s`; the official referee's if not given.
    #[arg(long, value_name = "TIME", value_parser = read_duration)]
    call_time: Option<Duration>,
    /// No limit of CPU time and memory.
    #[arg(long, conflicts_with_all = ["time", "memory"])]
    no_limits: bool,
    /// The Python interpreter, for instance that of a virtual environment.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Let agents import the `referee` package beside them instead of ours.
    #[arg(long)]
    their_referee: bool,
    /// Refuse to run where the kernel cannot keep agents apart; `yarra doctor` tells.
    #[arg(long)]
    require_isolation: bool,
}

impl HostArgs {
    /// The host that was asked for.
    ///
    /// # Errors
    /// If isolation is required and not to be had.
    pub fn host(&self) -> anyhow::Result<Host> {
        if self.require_isolation
            && let Err(gaps) = Layers::of_this_machine().is_tight()
        {
            bail!("agents cannot be isolated on this machine: they could {gaps}; `yarra doctor` tells why");
        }
        Ok(Host::new(House {
            python: self.python.clone(),
            their_referee: self.their_referee,
            time: if self.no_limits { Some(None) } else { self.time.map(Some) },
            memory: if self.no_limits { Some(None) } else { self.memory.map(Some) },
            call: self.call_time,
            layers: None,
        }))
    }
}

impl HostArgs {
    /// The options beside limits, to be typed again.
    pub fn words(&self) -> Vec<String> {
        let python = self.python.iter().flat_map(|path| ["--python".to_owned(), path.display().to_string()]);
        python.chain(self.their_referee.then(|| "--their-referee".to_owned())).collect()
    }
}

/// Reads an amount of memory such as `250MB`.
fn read_size(text: &str) -> Result<u64, String> {
    let units = [("GB", 30), ("MB", 20), ("kB", 10)];
    let found = units.iter().find_map(|&(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let bytes = found.and_then(|(number, shift)| number.trim().parse::<u64>().ok()?.checked_shl(shift));
    bytes.filter(|&bytes| 0 < bytes).ok_or_else(|| "expected an amount such as 250MB or 1GB".to_owned())
}
