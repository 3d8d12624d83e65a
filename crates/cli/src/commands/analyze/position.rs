//! The best lines of a position.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;

use anyhow::bail;
use serde_json::{Value, json};
use yarra_arena::review::score_json;
use yarra_draw::draw;
use yarra_engine::{AgentSpec, Choice, Curve, Limits, Progress as Thinking, Score, Stop};
use yarra_games::{Ending, Move, Position, Record};

use super::{AnalyzeArgs, LINES, Searcher, TIME_OF_POSITION, searcher};
use crate::interrupt;
use crate::progress::{Progress, is_live, rate};
use crate::words::{caption, plural, printable};

pub fn run(args: &AnalyzeArgs, record: &Record, out: &mut impl Write) -> anyhow::Result<Stop> {
    if let Some(outcome) = record.outcome() {
        bail!("expected a game that is not over, found one that is: {}", Ending::from(outcome));
    }
    if args.html.is_some() {
        bail!("--html writes the review of a game, but this is a position");
    }
    let pos = record.now();
    let Searcher { mut agent, spec, limits } = searcher(args, pos, TIME_OF_POSITION)?;
    let curve = Curve::of(pos.spec(), spec.name());
    let stop = interrupt::flag()?;
    if !args.json {
        let board = draw(pos, None, args.color.style());
        writeln!(out, "{board}\n{}\n\n{} ({limits}) searches", caption(pos, None), printable(spec.as_str()))?;
        out.flush()?;
    }

    let progress = Progress::new("analyze");
    let mut reporter = Reporter { pos, curve, limits, is_silent: args.json, reports: Vec::new(), progress };
    let mut failed = None;
    agent.begin(pos.turn(), record, limits)?;
    let n_lines = args.lines.unwrap_or(LINES).into();
    let lines = agent.lines(record, n_lines, limits, &mut |thinking| {
        failed = reporter.report(thinking, out).err();
        if failed.is_some() { ControlFlow::Break(()) } else { stop.flow() }
    })?;
    drop(reporter);
    if let Some(error) = failed {
        return Err(error.into());
    }
    if !lines.iter().all(|line| record.legal_moves().contains(&line.mv)) {
        bail!("expected legal moves of {spec}");
    }
    let found = Found { pos, spec, limits: limits.to_string(), curve, lines };
    match args.json {
        true => writeln!(out, "{}", found.json())?,
        false => write!(out, "{}", found.text())?,
    }
    Ok(stop)
}

/// Shows the progress of a search: redrawn on a terminal, one line per depth elsewhere.
struct Reporter<'a> {
    pos: &'a dyn Position,
    curve: Curve,
    limits: Limits,
    /// Whether only the result goes to standard output.
    is_silent: bool,
    /// The last report of each line.
    reports: Vec<LineReport>,
    progress: Progress,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct LineReport {
    depth: u32,
    score: Score,
    line: Vec<Move>,
}

/// Longer lines would wrap and could not be redrawn.
const NARROW: usize = 76;

impl Reporter<'_> {
    fn report(&mut self, thinking: &Thinking<'_>, out: &mut impl Write) -> io::Result<()> {
        let Thinking { rank, depth, score, nodes, line, elapsed } = *thinking;
        let fraction = self.fraction(thinking);
        if depth == 0 || line.is_empty() {
            self.progress.show(fraction, || rate(nodes, elapsed));
            return Ok(());
        }
        let report = LineReport { depth, score, line: line.to_vec() };
        if self.reports.len() <= rank {
            self.reports.resize(rank + 1, LineReport::default());
        }
        let is_new = self.reports[rank] != report;
        self.reports[rank] = report;
        if is_live() {
            let picture = self.picture(nodes, elapsed.as_secs_f64());
            self.progress.picture(|| picture);
            return Ok(());
        }
        if is_new && !self.is_silent {
            let seconds = elapsed.as_secs_f64();
            let effort = format!("{nodes:>11} nodes {seconds:>8.3} s");
            writeln!(out, "depth {depth:>2} {} {effort}  {}", self.worth(score), show(self.pos, line))?;
            out.flush()?;
        }
        self.progress.show(fraction, || format!("depth {depth}, {}", rate(nodes, elapsed)));
        Ok(())
    }

    fn worth(&self, score: Score) -> String {
        format!("{:>5.0} % {score:>9}", 100.0 * self.curve.chance(score))
    }

    /// The current lines.
    fn picture(&self, nodes: u64, seconds: f64) -> String {
        let depth = self.reports.first().map_or(0, |report| report.depth);
        let mut picture = format!("depth {depth}, {nodes} nodes, {seconds:.3} s, Ctrl-C ends the search");
        for report in self.reports.iter().filter(|report| !report.line.is_empty()) {
            let line = format!("{}  {}", self.worth(report.score), show(self.pos, &report.line));
            picture.push('\n');
            picture.extend(line.chars().take(NARROW));
        }
        picture
    }

    /// The used fraction of the limit that is closest.
    fn fraction(&self, thinking: &Thinking<'_>) -> f64 {
        let Limits { depth, nodes, move_time, .. } = self.limits;
        let used = [
            depth.map(|depth| f64::from(thinking.depth) / f64::from(depth.max(1))),
            nodes.map(|nodes| thinking.nodes as f64 / nodes.max(1) as f64),
            move_time.map(|time| thinking.elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9)),
        ];
        used.into_iter().flatten().fold(1e-3, f64::max).min(1.0)
    }
}

/// The result of the search.
struct Found<'a> {
    pos: &'a dyn Position,
    spec: AgentSpec,
    limits: String,
    curve: Curve,
    lines: Vec<Choice>,
}

impl Found<'_> {
    fn text(&self) -> String {
        let mut text = format!("\n{}\n", self.effort());
        let _ = writeln!(text, "{:>3}  {:>8}  {:>9}  line", "", format!("{} wins", self.pos.turn()), "score");
        for (n, line) in (1..).zip(&self.lines) {
            let chance =
                self.chance(line).map_or("?".to_owned(), |chance| format!("{:.0} %", 100.0 * chance));
            let score = line.score.map_or("?".to_owned(), |score| score.to_string());
            let _ = writeln!(text, "{n:>2}.  {chance:>8}  {score:>9}  {}", show(self.pos, &line.line));
        }
        text
    }

    fn effort(&self) -> String {
        let Some(Choice { stats, .. }) = self.lines.first() else { return String::new() };
        let seconds = stats.elapsed.as_secs_f64();
        format!(
            "depth {}, {}, {seconds:.3} s, {}",
            stats.depth(),
            plural(stats.nodes as usize, "node"),
            rate(stats.nodes, stats.elapsed)
        )
    }

    fn chance(&self, line: &Choice) -> Option<f64> {
        line.score.map(|score| self.curve.chance(score))
    }

    fn json(&self) -> Value {
        let stats = self.lines.first().map(|line| &line.stats);
        let line = |line: &Choice| {
            json!({
                "move": self.pos.show_move(line.mv),
                "chance": self.chance(line),
                "score": line.score.map(score_json),
                "line": line.line.iter().map(|&m| self.pos.show_move(m)).collect::<Vec<_>>(),
            })
        };
        json!({
            "game": self.pos.spec().to_string(),
            "position": self.pos.to_string(),
            "turn": self.pos.turn().name(),
            "analyst": self.spec.to_string(),
            "limits": self.limits,
            "depth": stats.map(|stats| stats.depth()),
            "nodes": stats.map(|stats| stats.nodes),
            "seconds": stats.map(|stats| stats.elapsed.as_secs_f64()),
            "lines": self.lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

fn show(pos: &dyn Position, line: &[Move]) -> String {
    line.iter().map(|&m| pos.show_move(m)).collect::<Vec<_>>().join(" ")
}
