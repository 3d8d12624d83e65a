//! `yarra verify`

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ColorChoice;
use serde_json::{Value, json};
use yarra_draw::draw;
use yarra_engine::Stop;
use yarra_files::read_text;
use yarra_files::trace::{Disagreement, PerftProgress, PerftSuite, Trace};

use crate::args::style;
use crate::clean::stderr;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use crate::words::plural;

/// Check the rules against recorded games and perft counts of the official referees.
///
/// Exits with 1 if anything differs.
#[derive(clap::Args)]
#[command(after_help = "Example: yarra verify data/conformance/*.json*")]
pub struct VerifyArgs {
    /// Traces (one JSON object per line) or perft suites (one JSON object); `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Skip perft counts above this.
    #[arg(long, default_value_t = 1_000_000_000, value_name = "N")]
    max_nodes: u64,
    /// Print one JSON object per file.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &VerifyArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut watch = Monitor { stop: interrupt::flag()?, progress: Progress::new("verify") };
    let mut total = Total::default();
    for file in &args.files {
        let text = read_text(Path::new(file)).with_context(|| format!("cannot read {file}"))?;
        let report = verify(file, &text, args.max_nodes, &mut watch)?;
        if args.json {
            writeln!(out, "{}", report.to_json(file))?;
        } else {
            report.print(file, out)?;
        }
        out.flush()?;
        total.add(&report);
        if watch.stop.is_raised() {
            writeln!(stderr(), "stopped in {file}; the rest was not checked")?;
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    if !args.json {
        total.print(args.max_nodes, out)?;
    }
    Ok(if total.n_disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Shows progress and stops on Ctrl-C.
struct Monitor {
    stop: Stop,
    progress: Progress,
}

impl Monitor {
    fn show(&mut self, fraction: f64, note: impl FnOnce() -> String) -> ControlFlow<()> {
        self.progress.show(fraction, note);
        self.stop.flow()
    }
}

/// The totals of all files.
#[derive(Default)]
struct Total {
    n_trace_files: usize,
    n_games: usize,
    n_positions: usize,
    n_perft_files: usize,
    n_counts: usize,
    n_skipped: usize,
    n_disagreements: usize,
}

impl Total {
    fn add(&mut self, report: &Report) {
        self.n_disagreements += report.findings.len();
        match report.counts {
            FileCounts::Traces { n_games, n_positions } => {
                self.n_trace_files += 1;
                self.n_games += n_games;
                self.n_positions += n_positions;
            }
            FileCounts::Perft { n_checked, n_skipped } => {
                self.n_perft_files += 1;
                self.n_counts += n_checked;
                self.n_skipped += n_skipped;
            }
        }
    }

    /// The summary: one line for traces, one for perft.
    fn print(&self, max_nodes: u64, out: &mut impl Write) -> io::Result<()> {
        let verdict = match self.n_disagreements {
            0 => "all agree".to_owned(),
            n => plural(n, "disagreement"),
        };
        if 0 < self.n_perft_files {
            write!(out, "{}: {verdict}", plural(self.n_counts, "perft count"))?;
            if 0 < self.n_skipped {
                write!(out, "; {} above {max_nodes} nodes skipped", self.n_skipped)?;
            }
            writeln!(out)?;
        }
        if 0 < self.n_trace_files {
            let (games, positions) = (plural(self.n_games, "game"), plural(self.n_positions, "position"));
            writeln!(out, "{games}, {positions}: {verdict}")?;
        }
        Ok(())
    }
}

/// The result for one file.
struct Report {
    counts: FileCounts,
    findings: Vec<Finding>,
}

enum FileCounts {
    Traces { n_games: usize, n_positions: usize },
    Perft { n_checked: usize, n_skipped: usize },
}

struct Finding {
    /// The line and the game's id in a file of traces.
    place: Option<(usize, String)>,
    disagreement: Disagreement,
}

fn verify(file: &str, text: &str, max_nodes: u64, watch: &mut Monitor) -> anyhow::Result<Report> {
    if text.trim().is_empty() {
        bail!("{file}: expected traces or a perft suite, found an empty file");
    }
    if is_suite(text) {
        let suite = PerftSuite::read(text).with_context(|| file.to_owned())?;
        return Ok(verify_suite(&suite, max_nodes, watch));
    }
    verify_traces(file, text, watch)
}

/// Detects a perft suite by its fields: only traces have a result.
fn is_suite(text: &str) -> bool {
    let whole = serde_json::from_str::<Value>(text);
    whole.is_ok_and(|json| json.get("positions").is_some() && json.get("result").is_none())
}

fn verify_traces(file: &str, text: &str, watch: &mut Monitor) -> anyhow::Result<Report> {
    let (mut n_games, mut n_positions, mut n_bytes) = (0, 0, 0);
    let mut findings = Vec::new();
    for (line, trace) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        n_bytes += trace.len();
        let trace = Trace::read(trace).with_context(|| format!("{file}:{line}"))?;
        let checked = trace.check();
        n_games += 1;
        n_positions += checked.n_positions;
        findings.extend(checked.disagreements.into_iter().map(|disagreement| {
            let place = Some((line, trace.id().to_owned()));
            Finding { place, disagreement }
        }));
        let fraction = n_bytes as f64 / text.len() as f64;
        if watch.show(fraction, || format!("{file}, {}", plural(n_games, "game"))).is_break() {
            break;
        }
    }
    Ok(Report { counts: FileCounts::Traces { n_games, n_positions }, findings })
}

fn verify_suite(suite: &PerftSuite, max_nodes: u64, watch: &mut Monitor) -> Report {
    let checked = suite.check(max_nodes, |progress| {
        let PerftProgress { position_idx, n_positions, depth, n_nodes, n_expected } = progress;
        let fraction = n_nodes as f64 / n_expected.max(1) as f64;
        watch.show(fraction, || format!("position {} of {n_positions}, depth {depth}", position_idx + 1))
    });
    let n_checked = checked.n_agreeing + checked.disagreements.len();
    let finding = |disagreement| Finding { place: None, disagreement };
    Report {
        counts: FileCounts::Perft { n_checked, n_skipped: checked.n_skipped },
        findings: checked.disagreements.into_iter().map(finding).collect(),
    }
}

impl Report {
    fn print(&self, file: &str, out: &mut impl Write) -> io::Result<()> {
        for finding in &self.findings {
            finding.print(file, out)?;
        }
        let what = match self.counts {
            FileCounts::Traces { n_games, n_positions } => {
                format!("{}, {}", plural(n_games, "game"), plural(n_positions, "position"))
            }
            FileCounts::Perft { n_checked, n_skipped } => {
                format!("{}, {n_skipped} skipped", plural(n_checked, "perft count"))
            }
        };
        writeln!(out, "{file}: {what}, {}", plural(self.findings.len(), "disagreement"))
    }

    fn to_json(&self, file: &str) -> Value {
        let findings = self.findings.iter().map(Finding::to_json).collect::<Vec<_>>();
        match self.counts {
            FileCounts::Traces { n_games, n_positions } => json!({
                "file": file,
                "n_games": n_games,
                "n_positions": n_positions,
                "disagreements": findings,
            }),
            FileCounts::Perft { n_checked, n_skipped } => json!({
                "file": file,
                "n_counts": n_checked,
                "n_skipped": n_skipped,
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
        writeln!(out, "{}", draw(&**position, None, style(ColorChoice::Auto)))?;
        writeln!(out, "{position}")
    }

    fn to_json(&self) -> Value {
        let Disagreement { ply, position, what } = &self.disagreement;
        let (line, id) = self.place.as_ref().map(|(line, id)| (line, id)).unzip();
        json!({ "line": line, "id": id, "ply": ply, "what": what, "position": position.to_string() })
    }
}
