//! `yarra verify`

use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use yarra_games::trace::{Disagreement, PerftProgress, PerftSuite, Trace};

/// Hold the rules against traces and perft counts of the official referees.
///
/// Exits with 1 if something differs.
#[derive(clap::Args)]
#[command(after_help = "Example: yarra verify data/conformance/*.json*")]
pub struct VerifyArgs {
    /// Traces (one JSON object a line) or perft suites (one JSON object); `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Skip perft counts that are larger than this.
    #[arg(long, default_value_t = 1_000_000_000, value_name = "N")]
    max_nodes: u64,
    /// Print one JSON object a file.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &VerifyArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut has_agreed = true;
    for file in &args.files {
        let text = read_file(file).with_context(|| format!("cannot read {file}"))?;
        let report = verify(file, &text, args.max_nodes)?;
        has_agreed &= report.findings.is_empty();
        if args.json {
            writeln!(out, "{}", report.to_json(file))?;
        } else {
            report.print(file, out)?;
        }
        out.flush()?;
    }
    Ok(if has_agreed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read_file(file: &str) -> io::Result<String> {
    if file == "-" { io::read_to_string(io::stdin()) } else { fs::read_to_string(file) }
}

/// What there is to say about one file.
struct Report {
    counts: Counts,
    findings: Vec<Finding>,
}

enum Counts {
    Traces { n_games: usize, n_positions: usize },
    Perft { n_checked: usize, n_skipped: usize, max_nodes: u64 },
}

struct Finding {
    /// The line and the game's id in a file of traces.
    place: Option<(usize, String)>,
    disagreement: Disagreement,
}

fn verify(file: &str, text: &str, max_nodes: u64) -> anyhow::Result<Report> {
    if text.trim().is_empty() {
        bail!("{file}: expected traces or a perft suite, found an empty file");
    }
    if is_suite(text) {
        let suite = PerftSuite::read(text).with_context(|| file.to_owned())?;
        return Ok(verify_suite(&suite, max_nodes));
    }
    verify_traces(file, text)
}

/// A file is one or the other by what is in it: only traces tell a result.
fn is_suite(text: &str) -> bool {
    let whole = serde_json::from_str::<Value>(text);
    whole.is_ok_and(|json| json.get("positions").is_some() && json.get("result").is_none())
}

fn verify_traces(file: &str, text: &str) -> anyhow::Result<Report> {
    let (mut n_games, mut n_positions) = (0, 0);
    let mut findings = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let trace = Trace::read(text).with_context(|| format!("{file}:{line}"))?;
        let checked = trace.check();
        n_games += 1;
        n_positions += checked.n_positions;
        findings.extend(checked.disagreements.into_iter().map(|disagreement| {
            let place = Some((line, trace.id().to_owned()));
            Finding { place, disagreement }
        }));
    }
    Ok(Report { counts: Counts::Traces { n_games, n_positions }, findings })
}

fn verify_suite(suite: &PerftSuite, max_nodes: u64) -> Report {
    let mut said = Instant::now();
    let checked = suite.check(max_nodes, |progress| {
        if Duration::from_secs(2) <= said.elapsed() {
            said = Instant::now();
            say_progress(progress);
        }
        ControlFlow::Continue(())
    });
    let n_checked = checked.n_agreeing + checked.disagreements.len();
    let finding = |disagreement| Finding { place: None, disagreement };
    Report {
        counts: Counts::Perft { n_checked, n_skipped: checked.n_skipped, max_nodes },
        findings: checked.disagreements.into_iter().map(finding).collect(),
    }
}

fn say_progress(progress: PerftProgress) {
    let PerftProgress { position_idx, n_positions, depth, n_nodes, n_expected } = progress;
    let percent = u128::from(n_nodes) * 100 / u128::from(n_expected.max(1));
    // Nobody is told if the standard error is closed.
    let _ = writeln!(
        io::stderr(),
        "position {} of {n_positions}, depth {depth}: {percent} % of {n_expected}",
        position_idx + 1
    );
}

/// `1 game`, `2 games`.
fn count(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

impl Report {
    fn print(&self, file: &str, out: &mut impl Write) -> io::Result<()> {
        for finding in &self.findings {
            finding.print(file, out)?;
        }
        let verdict = match self.findings.len() {
            0 => "all agree".to_owned(),
            n => count(n, "disagreement"),
        };
        match self.counts {
            Counts::Traces { n_games, n_positions } => {
                let (games, positions) = (count(n_games, "game"), count(n_positions, "position"));
                writeln!(out, "{file}: {games}, {positions}: {verdict}")
            }
            Counts::Perft { n_checked, n_skipped: 0, .. } => {
                writeln!(out, "{file}: {}: {verdict}", count(n_checked, "count"))
            }
            Counts::Perft { n_checked, n_skipped, max_nodes } => writeln!(
                out,
                "{file}: {}: {verdict}; {n_skipped} above {max_nodes} nodes skipped",
                count(n_checked, "count")
            ),
        }
    }

    fn to_json(&self, file: &str) -> Value {
        let findings = self.findings.iter().map(Finding::to_json).collect::<Vec<_>>();
        match self.counts {
            Counts::Traces { n_games, n_positions } => json!({
                "file": file,
                "n_games": n_games,
                "n_positions": n_positions,
                "disagreements": findings,
            }),
            Counts::Perft { n_checked, n_skipped, max_nodes } => json!({
                "file": file,
                "n_counts": n_checked,
                "n_skipped": n_skipped,
                "max_nodes": max_nodes,
                "disagreements": findings,
            }),
        }
    }
}

impl Finding {
    fn print(&self, file: &str, out: &mut impl Write) -> io::Result<()> {
        let Disagreement { ply, position, what } = &self.disagreement;
        match &self.place {
            Some((line, id)) => writeln!(out, "{file}:{line}: {id}, ply {ply}: {what}")?,
            None => writeln!(out, "{file}: ply {ply}: {what}")?,
        }
        let notation = position.to_string();
        writeln!(out, "  {notation}")?;
        for row in notation.split(' ').next().unwrap_or_default().split('/') {
            writeln!(out, "    {row}")?;
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let Disagreement { ply, position, what } = &self.disagreement;
        let (line, id) = self.place.as_ref().map(|(line, id)| (line, id)).unzip();
        json!({ "line": line, "id": id, "ply": ply, "what": what, "position": position.to_string() })
    }
}
