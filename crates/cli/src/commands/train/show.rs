//! What `yarra train` prints.

use std::fmt::Write as _;
use std::path::Path;

use yarra_learn::run::{Length, Logged, Runner};
use yarra_learn::{Estimate, Plan, RecipeInfo};

use crate::words::{file_name, printable, quoted};

/// What is about to happen, and what to expect of it.
pub fn heading(plan: &Plan, path: &Path, n_jobs: usize, estimate: &Estimate, runner: &Runner) -> String {
    let minutes = minutes(plan.length, estimate);
    let mut text = String::new();
    let length = match plan.length {
        Length::Minutes(minutes) => format!("{} minutes", number(minutes)),
        Length::Rounds(1) => "1 round".to_owned(),
        Length::Rounds(n) => format!("{n} rounds"),
    };
    let (recipe, game) = (printable(&plan.recipe), printable(&plan.game));
    let threads = if n_jobs == 1 { "1 thread".to_owned() } else { format!("{n_jobs} threads") };
    let _ = writeln!(text, "{recipe} for {game}: {length} on {threads}, into {}", file_name(path));
    let _ = writeln!(
        text,
        "expected on this machine: {} minutes, {} games, {} positions, {} rounds",
        number(minutes),
        number(minutes * estimate.games),
        number(minutes * estimate.positions),
        number((minutes / estimate.round.max(1e-9)).ceil()),
    );
    for (n, reached) in &estimate.milestones {
        let minute = *n as f64 / estimate.positions.max(1e-9);
        if minute <= minutes {
            let _ = writeln!(text, "  after about {} minutes: {reached}", number(minute.max(1.0)));
        }
    }
    if let Some(last) = runner.log().last() {
        let n = runner.log().len();
        let _ = writeln!(text, "goes on after {n} rounds and {} minutes", number(last.minutes));
    }
    text
}

fn minutes(length: Length, estimate: &Estimate) -> f64 {
    match length {
        Length::Minutes(minutes) => minutes,
        Length::Rounds(n) => n as f64 * estimate.round,
    }
}

/// Two or three digits.
fn number(n: f64) -> String {
    match n {
        0.0..10.0 if n.fract() != 0.0 => format!("{n:.1}"),
        0.0..1e4 => format!("{n:.0}"),
        1e4..1e6 => format!("{:.0} 000", n / 1e3),
        _ => format!("{:.1} M", n / 1e6),
    }
}

/// A round.
pub fn line(line: &Logged) -> String {
    let entry = &line.entry;
    let mut text = format!(
        "round {}, minute {:.1}: {} games, {} positions",
        line.round, line.minutes, entry.games, entry.positions
    );
    for (name, value) in &entry.figures {
        let _ = write!(text, ", {name} {}", figure(*value));
    }
    for rung in &entry.ladder {
        let [wins, draws, losses] = rung.score;
        let _ = write!(text, "\n  {} against {}: {wins}-{draws}-{losses}", rung.game, rung.opponent);
    }
    for remark in &entry.remarks {
        let _ = write!(text, "\n  {remark}");
    }
    text
}

fn figure(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.4}") }
}

/// A round as JSON.
pub fn json(line: &Logged) -> String {
    serde_json::to_string(line).expect("an entry is JSON")
}

/// What to do with a run that is complete.
pub fn ending(plan: &Plan, info: &RecipeInfo, path: &Path) -> String {
    let (game, path) = (printable(&plan.game), file_name(path));
    let agent = quoted(&format!("{}:net={path}", info.agent));
    let path = quoted(&path);
    format!(
        "complete. Play it:\n  yarra match {game} {agent} random\n  yarra train report {path} --html report.html\n"
    )
}
