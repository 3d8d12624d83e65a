//! Solves Cachex on the 4 × 4 board from its end and writes the table that the champion carries.
//!
//! `cargo run --release -p yarra-engine --example solve-cachex -- data/solved/cachex-4.bin`
//!
//! It takes about a minute and 300 MB. Without a file it compares the table that the program carries with what it
//! finds, board by board, for one board in so many.

use std::error::Error;
use std::io::{self, Write};

use yarra_engine::champion::cachex::retrograde::{Board, Rules, solve};
use yarra_engine::champion::cachex::solved::{FAR, Solved, pack};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules::new(4);
    let ends = solve(&rules);
    let boards = (0..=u16::MAX).flat_map(|own| {
        let others = (0..=u16::MAX).filter(move |other| own & other == 0);
        others.map(move |other| Board { own, other })
    });
    let mut out = io::stdout().lock();
    if let Some(path) = std::env::args().nth(1) {
        let possible = boards.filter(|&board| rules.is_possible(board));
        let numbered = possible.map(|board| (rules.canonical_index(board), rules.index(board)));
        let canonical = numbered.filter(|(canonical, index)| canonical == index);
        let mut far: Vec<(u64, u8)> =
            canonical.map(|(_, index)| (index as u64, ends[index])).filter(|&(_, end)| FAR <= end).collect();
        far.sort_unstable();
        let bytes = pack(&far);
        std::fs::write(&path, &bytes)?;
        writeln!(out, "{} boards in {} bytes", far.len(), bytes.len())?;
        return Ok(());
    }
    let solved = Solved::of_size(4).ok_or("a table of the 4 × 4 board")?;
    let (mut n_boards, mut slowest) = (0, std::time::Duration::ZERO);
    for board in boards.filter(|&board| rules.is_possible(board)).step_by(997) {
        let started = std::time::Instant::now();
        let (found, expected) = (solved.end(board), ends[rules.index(board)]);
        slowest = slowest.max(started.elapsed());
        n_boards += 1;
        if found != expected {
            return Err(format!("{board:?} ends in {expected}, not in {found}").into());
        }
    }
    writeln!(out, "{n_boards} boards agree, {slowest:?} for the slowest")?;
    Ok(())
}
