//! An explanation as text.

use std::fmt::Write as _;

use yarra_arena::explain::{After, Explanation, sum, value};
use yarra_draw::{Style, draw};
use yarra_engine::Term;
use yarra_engine::profile::Part;
use yarra_games::{Ending, Player};

use super::analysis;
use crate::progress::rate;
use crate::words::{bytes, caption, plural};

/// The complete explanation.
pub fn text(explanation: &Explanation, style: Style) -> String {
    let pos = explanation.record.now();
    let board = draw(pos, None, style);
    let mut text = format!("{board}\n{}\n\n{}\n", caption(pos, None), headline(explanation));
    text.push_str(&depths(explanation));
    text.push_str(&facts(explanation));
    text.push_str(&parts(explanation));
    if let Some(analysis) = explanation.analysis() {
        text.push_str(&analysis::text(&analysis));
    }
    text.push_str(&evaluation(explanation));
    text
}

fn headline(explanation: &Explanation) -> String {
    let limits = match explanation.limits.to_string() {
        none if none.is_empty() => String::new(),
        limits => format!(" ({limits})"),
    };
    let turn = explanation.record.now().turn();
    let score =
        explanation.choice.score.map_or("without a score".to_owned(), |score| format!("{score} for {turn}"));
    format!("{}{limits} plays {}: {score}", explanation.agent, explanation.show(explanation.choice.mv))
}

fn depths(explanation: &Explanation) -> String {
    let stats = &explanation.choice.stats;
    if stats.iterations.is_empty() {
        let what = if stats.nodes == 0 { "no search was needed" } else { "no depth was finished" };
        return format!("\n{what}\n");
    }
    let nodes = if explanation.is_by_playouts() { "playouts" } else { "nodes" };
    let mut text = format!("\ndepth      score {nodes:>12}   seconds  best line\n");
    for iteration in &stats.iterations {
        let _ = writeln!(
            text,
            "{:>5} {:>10} {:>12} {:>9.6}  {}",
            iteration.depth,
            iteration.score,
            iteration.nodes,
            iteration.elapsed.as_secs_f64(),
            explanation.line(&iteration.line).join(" ")
        );
    }
    let n_finished: u64 = stats.iterations.iter().map(|iteration| iteration.nodes).sum();
    let n_more = stats.nodes.saturating_sub(n_finished);
    if 0 < n_more {
        let _ = writeln!(text, "and {} of an unfinished depth", plural(n_more as usize, "node"));
    }
    text
}

fn facts(explanation: &Explanation) -> String {
    let stats = &explanation.choice.stats;
    let mut text = "\n".to_owned();
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<13}{value}");
    };
    fact("time", format!("{:.6} s", explanation.time.as_secs_f64()));
    if explanation.is_by_playouts() {
        fact("playouts", format!("{}, {}", stats.playouts, rate(stats.playouts, explanation.time)));
    } else if 0 < stats.nodes {
        fact("nodes", format!("{}, {}", stats.nodes, rate(stats.nodes, explanation.time)));
        fact("evaluations", stats.evaluations.to_string());
        let first = match stats.cutoffs {
            0 => String::new(),
            n => format!(
                ", {:.1} % of them on the first move",
                percent(stats.first_move_cutoffs as f64, n as f64)
            ),
        };
        fact("cut-offs", format!("{}{first}", stats.cutoffs));
        fact("table hits", stats.table_hits.to_string());
        fact("cache hits", stats.cache_hits.to_string());
    }
    let [current, peak] = [stats.memory, stats.peak_memory()].map(|n_bytes| bytes(n_bytes as u64));
    fact("memory", format!("{current} (current usage), {peak} (peak usage)"));
    fact("legal moves", explanation.n_moves().to_string());
    if let Some(growth) = explanation.growth() {
        fact(
            "branching",
            format!(
                "{:.2} effective at depth d = {}; b = {:.2} moves at a node, its square root is {:.2}",
                growth.effective,
                growth.depth,
                growth.branching,
                growth.branching.sqrt()
            ),
        );
        fact(
            "tree",
            format!(
                "{} at depth {}; worst case b^d = {}, best case b^(d/2) = {} (report 000)",
                plural(growth.nodes as usize, "node"),
                growth.depth,
                count(growth.full_tree),
                count(growth.best_case),
            ),
        );
    }
    text
}

fn parts(explanation: &Explanation) -> String {
    let parts = explanation.choice.stats.parts.0;
    if parts.iter().all(|&(_, n_calls)| n_calls == 0) {
        return String::new();
    }
    let mut text =
        "\ntime by part (parts can contain others, so the shares may add up to more than 100 %)\n".to_owned();
    for (part, (time, n_calls)) in Part::ALL.into_iter().zip(parts) {
        if n_calls == 0 {
            continue;
        }
        let share = percent(time.as_secs_f64(), explanation.time.as_secs_f64());
        let _ = writeln!(text, "  {:<12}{share:>5.1} %  {}", part.name(), plural(n_calls as usize, "call"));
    }
    text
}

fn evaluation(explanation: &Explanation) -> String {
    if explanation.terms.is_empty() {
        return "\nthis agent uses no evaluation\n".to_owned();
    }
    let m = explanation.show(explanation.choice.mv);
    let mut text = format!("\nevaluation from red's view\n{}", table(&explanation.terms));
    match &explanation.after {
        After::GoesOn(terms) => {
            let gain = (sum(terms) - sum(&explanation.terms)) * sign(explanation.record.now().turn());
            let _ = write!(text, "\nafter {m}, {gain:+.2} for the mover\n{}", table(terms));
        }
        After::Over(outcome) => {
            let _ = writeln!(text, "\nafter {m} the game is over: {}", Ending::from(*outcome));
        }
    }
    text
}

fn table(terms: &[Term]) -> String {
    let width = terms.iter().map(|term| term.name.chars().count()).max().unwrap_or(0).max(4);
    let mut text =
        format!("  {:<width$} {:>8} {:>8} {:>8} {:>9}\n", "term", "red", "blue", "weight", "value");
    for term in terms {
        let [red, blue, weight] = [term.red, term.blue, term.weight].map(short);
        let _ =
            writeln!(text, "  {:<width$} {red:>8} {blue:>8} {weight:>8} {:>+9.2}", term.name, value(term));
    }
    let _ = writeln!(text, "  {:<width$} {:>36}", "sum", format!("{:+.2}", sum(terms)));
    text
}

/// A number with at most two decimals and no trailing zeros.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A large number in readable form.
fn count(number: f64) -> String {
    if number < 1e9 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

fn percent(part: f64, whole: f64) -> f64 {
    100.0 * part / whole.max(1e-9)
}

fn sign(player: Player) -> f64 {
    match player {
        Player::Red => 1.0,
        Player::Blue => -1.0,
    }
}
