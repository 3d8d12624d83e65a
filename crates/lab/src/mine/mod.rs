//! `lab mine`

mod examine;
mod ideas;
mod lines;

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::process::ExitCode;

use fastrand::Rng;
use serde_json::json;
use yarra_arena::traps::{Proof, Trap, kinds};

use crate::progress::Progress;

/// The node limit of a proof, low enough for a test to repeat all proofs.
const MAX_NODES: u64 = 2_000_000;
/// The number of traps printed per kind.
const ENOUGH: usize = 8;

/// Search for traps: positions with few good moves that simple agents miss.
///
/// The good moves have a proof that is cheap to repeat, and the agents miss them with every seed. Each trap is
/// printed as a line of JSON as in data/traps, with an empty explanation. The lines above it show the play to
/// explain: first after the good move, then after the move of each fooled agent.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab mine cachex 500 1")]
pub struct MineArgs {
    /// The game: `infexion`, `tetress` or `cachex`.
    game: String,
    /// Number of positions to examine.
    #[arg(value_name = "N")]
    positions: u64,
    /// Seed of the positions.
    #[arg(default_value_t = 0)]
    seed: u64,
}

pub fn run(args: &MineArgs) -> anyhow::Result<ExitCode> {
    let mut rng = Rng::with_seed(args.seed);
    let mut n_found: HashMap<&str, usize> = kinds(&args.game)?.iter().map(|&kind| (kind, 0)).collect();
    let mut seen = HashSet::new();
    let mut progress = Progress::new("positions", args.positions);
    for _ in 0..args.positions {
        let idea = ideas::idea(&args.game, &mut rng)?;
        progress.step();
        if !seen.insert(idea.to_string()) {
            continue;
        }
        let Some(find) = examine::examine(&*idea)? else { continue };
        let Some(found) = n_found.get_mut(find.kind).filter(|found| **found < ENOUGH) else { continue };
        *found += 1;
        find.write(*found, &mut io::stdout())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A trap with the lines of play that explain it.
struct Find {
    kind: &'static str,
    trap: Trap,
    lines: Vec<String>,
}

impl Find {
    fn write(&self, number: usize, out: &mut impl Write) -> io::Result<()> {
        for line in &self.lines {
            writeln!(out, "# {line}")?;
        }
        let by = format!("{:?}", self.trap.proof.by).to_lowercase();
        let Proof { depth, from, margin, .. } = self.trap.proof;
        let line = json!({
            "id": format!("{}-{number}", self.kind),
            "kind": self.kind,
            "game": self.trap.game,
            "position": self.trap.position,
            "good": self.trap.good,
            "proof": { "by": by, "depth": depth, "from": from, "margin": margin },
            "fools": self.trap.fools,
            "why": "",
        });
        writeln!(out, "{line}")
    }
}
