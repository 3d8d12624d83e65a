//! `lab solve`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use yarra_engine::champion::cachex::retrograde::{Board, Rules, solve};
use yarra_engine::champion::cachex::solved::{FAR, Solved, pack};

/// Every nth board is compared.
const COMPARED: usize = 997;

/// Solve Cachex on the 4 × 4 board by retrograde analysis and write the table that is built into the champion.
///
/// Without a file, the built-in table is compared with the solution, on every 997th board. It takes up to a minute and
/// 300 MB.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab solve data/solved/cachex-4.bin")]
pub struct SolveArgs {
    /// Where to write the table.
    file: Option<PathBuf>,
}

pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    writeln!(io::stderr(), "solving the 4 × 4 board, up to a minute")?;
    let rules = Rules::new(4);
    let ends = solve(&rules);
    match &args.file {
        Some(path) => {
            let far = far(&rules, &ends);
            let bytes = pack(&far);
            std::fs::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
            writeln!(io::stdout(), "{} boards in {} bytes", far.len(), bytes.len())?;
        }
        None => compare(&rules, &ends)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn boards(rules: &Rules) -> impl Iterator<Item = Board> + '_ {
    let boards = (0..=u16::MAX).flat_map(|own| {
        let others = (0..=u16::MAX).filter(move |other| own & other == 0);
        others.map(move |other| Board { own, other })
    });
    boards.filter(|&board| rules.is_possible(board))
}

/// The boards that the champion's own search cannot resolve, by their numbers, with their ends.
fn far(rules: &Rules, ends: &[u8]) -> Vec<(u64, u8)> {
    let numbered = boards(rules).map(|board| (rules.canonical_index(board), rules.index(board)));
    let canonical = numbered.filter(|(canonical, index)| canonical == index);
    let with_end = canonical.map(|(_, index)| (index as u64, ends[index]));
    let mut far: Vec<(u64, u8)> = with_end.filter(|&(_, end)| FAR <= end).collect();
    far.sort_unstable();
    far
}

fn compare(rules: &Rules, ends: &[u8]) -> anyhow::Result<()> {
    let solved = Solved::of_size(4).context("there is no table of the 4 × 4 board")?;
    let (mut n_boards, mut slowest) = (0, Duration::ZERO);
    for board in boards(rules).step_by(COMPARED) {
        let started = Instant::now();
        let (found, expected) = (solved.end(board), ends[rules.index(board)]);
        slowest = slowest.max(started.elapsed());
        n_boards += 1;
        ensure!(found == expected, "{board:?} ends in {expected}, not in {found}");
    }
    writeln!(io::stdout(), "{n_boards} boards agree, {slowest:?} for the slowest")?;
    Ok(())
}
