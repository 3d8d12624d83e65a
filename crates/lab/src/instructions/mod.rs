//! `lab instructions`

mod work;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail, ensure};

use work::Verb;

/// One game for each type of position, which covers each word width.
const GAMES: [&str; 8] =
    ["infexion", "tetress", "cachex:7", "cachex:11", "cachex:15", "hex:7", "hex:11", "hex:15"];
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/instructions.txt");
/// A larger increase counts as a regression.
const MAX_GROWTH: f64 = 0.03;
const N_REPEATS: u64 = 10;

/// Count the machine instructions of the rules' functions and compare them with benches/instructions.txt.
///
/// The counts do not depend on the load. `lab` runs itself under valgrind's callgrind, once for some work and once
/// for twice as much; the difference is the work alone. The cost of an empty loop over the same positions is
/// subtracted. The exit code is 1 if a count grew by more than 3 %.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  lab instructions\n  lab instructions hex:7\n  lab instructions --update")]
pub struct InstructionsArgs {
    /// Only these games of the file.
    #[arg(value_name = "GAME", conflicts_with = "update")]
    games: Vec<String>,
    /// Write the new counts to the file; commit it with the change that caused them.
    #[arg(long)]
    update: bool,
    /// The work itself, for callgrind.
    #[arg(long, hide = true, num_args = 3, value_names = ["GAME", "VERB", "REPEATS"])]
    work: Option<Vec<String>>,
}

pub fn run(args: &InstructionsArgs) -> anyhow::Result<ExitCode> {
    if let Some([game, verb, n_repeats]) = args.work.as_deref() {
        writeln!(io::stdout(), "{}", work::work(game, verb, n_repeats)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(game) = args.games.iter().find(|game| !GAMES.contains(&game.as_str())) {
        bail!("expected one of {}, found `{game}`", GAMES.join(", "));
    }
    let is_asked = |game: &&str| args.games.is_empty() || args.games.iter().any(|asked| asked == game);
    let games: Vec<&str> = GAMES.into_iter().filter(is_asked).collect();
    if args.update { update(&games) } else { compare(&games) }
}

/// The average instructions per call.
struct Count {
    game: String,
    verb: String,
    n_instructions: f64,
}

fn compare(games: &[&str]) -> anyhow::Result<ExitCode> {
    let before = read_counts()?;
    let now = count_all(games)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{:<12}{:<14}{:>10}{:>10}{:>10}", "game", "verb", "before", "now", "change")?;
    let mut has_grown = false;
    for Count { game, verb, n_instructions } in now {
        let old = before.iter().find(|old| old.game == game && old.verb == verb);
        let Some(old) = old.map(|old| old.n_instructions) else {
            writeln!(out, "{game:<12}{verb:<14}{:>10}{n_instructions:>10.1}{:>10}", "-", "new")?;
            continue;
        };
        let growth = n_instructions / old - 1.0;
        has_grown |= MAX_GROWTH < growth;
        let mark = if MAX_GROWTH < growth { "  slower" } else { "" };
        writeln!(
            out,
            "{game:<12}{verb:<14}{old:>10.1}{n_instructions:>10.1}{:>8.1} %{mark}",
            100.0 * growth
        )?;
    }
    Ok(if has_grown { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn update(games: &[&str]) -> anyhow::Result<ExitCode> {
    ensure!(!cfg!(debug_assertions), "counts are those of a release build: cargo run --release -p yarra-lab");
    let mut text = "# Instructions of one call of each verb, counted by `lab instructions`.\n".to_owned();
    let rustc = Command::new("rustc").arg("--version").output().context("cannot run rustc")?;
    write!(text, "# {}", String::from_utf8_lossy(&rustc.stdout))?;
    for Count { game, verb, n_instructions } in count_all(games)? {
        writeln!(text, "{game:<12}{verb:<14}{n_instructions:>8.1}")?;
    }
    std::fs::write(FILE, &text).with_context(|| format!("cannot write {FILE}"))?;
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn read_counts() -> anyhow::Result<Vec<Count>> {
    let text = std::fs::read_to_string(FILE).with_context(|| format!("cannot read {FILE}"))?;
    let mut counts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [game, verb, n_instructions] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            bail!("expected game, verb and count in instructions.txt, found `{line}`");
        };
        let (game, verb) = (game.to_owned(), verb.to_owned());
        counts.push(Count { game, verb, n_instructions: n_instructions.parse()? });
    }
    Ok(counts)
}

fn count_all(games: &[&str]) -> anyhow::Result<Vec<Count>> {
    let mut counts = Vec::new();
    for &game in games {
        let idle = count(game, Verb::Nothing)?;
        for verb in Verb::COUNTED {
            let n_instructions = count(game, verb)? - idle;
            counts.push(Count { game: game.to_owned(), verb: verb.name().to_owned(), n_instructions });
        }
        writeln!(io::stderr(), "{game} counted")?;
    }
    Ok(counts)
}

/// The instructions per iteration of the empty loop.
fn count(game: &str, verb: Verb) -> anyhow::Result<f64> {
    let (once, n_calls) = under_callgrind(game, verb, N_REPEATS)?;
    let (twice, _) = under_callgrind(game, verb, 2 * N_REPEATS)?;
    Ok((twice - once) as f64 / n_calls as f64)
}

/// Runs some work under callgrind and returns its instructions and the number of calls.
fn under_callgrind(game: &str, verb: Verb, n_repeats: u64) -> anyhow::Result<(u64, u64)> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["instructions", "--work", game, verb.name(), &n_repeats.to_string()])
        .output();
    let output = match output {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("valgrind is missing; on Debian and Ubuntu: apt install valgrind");
        }
        output => output?,
    };
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind failed on {game} {}:\n{log}", verb.name());
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    let (_, n_instructions) = collected.with_context(|| format!("no count from valgrind:\n{log}"))?;
    let n_calls = String::from_utf8_lossy(&output.stdout).trim().parse()?;
    Ok((n_instructions.trim().parse()?, n_calls))
}
