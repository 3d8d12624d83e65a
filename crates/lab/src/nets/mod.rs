//! `lab nets`

mod conv;
mod small;

use std::io::{self, Write};
use std::process::ExitCode;

use cpu_time::ThreadTime;

/// Measure how fast nets are evaluated and trained on one core.
///
/// `infexion`, `tetress`, `cachex:7`, `cachex:9` and `hex:11` are nets of recipe `zero`; `nnue` is the net of Infexion's
/// champion, with the champion's nodes a second with and without it, in alternation. CPU time counts, so that load
/// matters little. Prints one line of JSON.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  lab nets infexion\n  lab nets nnue --seconds 5")]
pub struct NetsArgs {
    /// The game, or `nnue`.
    net: String,
    /// Residual blocks of a net of `zero`.
    #[arg(long, value_name = "N", default_value_t = 4)]
    blocks: usize,
    /// Filters of a net of `zero`, a multiple of 16.
    #[arg(long, value_name = "N", default_value_t = 32)]
    filters: usize,
    /// Seconds of each measurement.
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
}

pub fn run(args: &NetsArgs) -> anyhow::Result<ExitCode> {
    let figures = match args.net.as_str() {
        "nnue" => small::measure(args.seconds)?,
        game => conv::measure(game, args.blocks, args.filters, args.seconds)?,
    };
    writeln!(io::stdout(), "{figures}")?;
    Ok(ExitCode::SUCCESS)
}

/// How many things a second of CPU time are done by work that does `n` of them.
fn rate(seconds: f64, n: usize, mut work: impl FnMut()) -> f64 {
    work();
    let start = ThreadTime::now();
    let mut n_done = 0;
    while start.elapsed().as_secs_f64() < seconds {
        work();
        n_done += n;
    }
    n_done as f64 / start.elapsed().as_secs_f64()
}
