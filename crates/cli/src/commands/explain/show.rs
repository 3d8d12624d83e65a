//! An explanation as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use yarra_engine::profile::Part;
use yarra_engine::{Score, Term};
use yarra_games::{Move, Player};

use super::{After, Explanation};
use crate::draw::{Style, draw};
use crate::progress::rate;
use crate::verdict::Verdict;
use crate::words::{bytes, caption, plural};

impl Explanation<'_> {
    /// All of it for people.
    pub fn text(&self, style: Style) -> String {
        let pos = self.record.now();
        let board = draw(pos, None, style);
        let mut text = format!("{board}\n{}\n\n{}\n", caption(pos, None), self.headline());
        text.push_str(&self.depths());
        text.push_str(&self.facts());
        text.push_str(&self.parts());
        text.push_str(&self.evaluation());
        text
    }

    fn headline(&self) -> String {
        let limits = match self.limits.to_string() {
            none if none.is_empty() => String::new(),
            limits => format!(" ({limits})"),
        };
        let turn = self.record.now().turn();
        let score =
            self.choice.score.map_or("without a score".to_owned(), |score| format!("{score} for {turn}"));
        format!("{}{limits} plays {}: {score}", self.agent, self.show(self.choice.mv))
    }

    fn show(&self, m: Move) -> String {
        self.record.now().show_move(m)
    }

    fn line(&self, line: &[Move]) -> Vec<String> {
        line.iter().map(|&m| self.show(m)).collect()
    }

    fn is_by_playouts(&self) -> bool {
        0 < self.choice.stats.playouts
    }

    fn depths(&self) -> String {
        let stats = &self.choice.stats;
        if stats.iterations.is_empty() {
            let what = if stats.nodes == 0 { "no search was needed" } else { "no depth was finished" };
            return format!("\n{what}\n");
        }
        let nodes = if self.is_by_playouts() { "playouts" } else { "nodes" };
        let mut text = format!("\ndepth      score {nodes:>12}   seconds  best line\n");
        for iteration in &stats.iterations {
            let _ = writeln!(
                text,
                "{:>5} {:>10} {:>12} {:>9.6}  {}",
                iteration.depth,
                iteration.score,
                iteration.nodes,
                iteration.elapsed.as_secs_f64(),
                self.line(&iteration.line).join(" ")
            );
        }
        let n_finished: u64 = stats.iterations.iter().map(|iteration| iteration.nodes).sum();
        let n_more = stats.nodes.saturating_sub(n_finished);
        if 0 < n_more {
            let _ =
                writeln!(text, "and {} of a depth that was not finished", plural(n_more as usize, "node"));
        }
        text
    }

    fn facts(&self) -> String {
        let stats = &self.choice.stats;
        let mut text = "\n".to_owned();
        let mut fact = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<13}{value}");
        };
        fact("time", format!("{:.6} s", self.time.as_secs_f64()));
        if self.is_by_playouts() {
            fact("playouts", format!("{}, {}", stats.playouts, rate(stats.playouts, self.time)));
        } else if 0 < stats.nodes {
            fact("nodes", format!("{}, {}", stats.nodes, rate(stats.nodes, self.time)));
            fact("evaluations", stats.evaluations.to_string());
            let first = match stats.cutoffs {
                0 => String::new(),
                n => format!(
                    ", {:.1} % of them at the first move",
                    percent(stats.first_move_cutoffs as f64, n as f64)
                ),
            };
            fact("cut-offs", format!("{}{first}", stats.cutoffs));
            fact("table hits", stats.table_hits.to_string());
            fact("cache hits", stats.cache_hits.to_string());
        }
        fact("memory", bytes(stats.memory as u64));
        fact("legal moves", format!("b = {}", self.n_moves()));
        if let Some(growth) = self.growth() {
            fact(
                "branching",
                format!(
                    "{:.2} at depth d = {}, effective; {:.2} would be the square root of b",
                    growth.effective,
                    growth.depth,
                    self.n_moves().sqrt()
                ),
            );
            fact(
                "tree",
                format!(
                    "{} at depth {}; b^d = {} at worst, b^(d/2) = {} at best (report 000)",
                    plural(growth.nodes as usize, "node"),
                    growth.depth,
                    count(growth.full_tree),
                    count(growth.best_case),
                ),
            );
        }
        text
    }

    fn n_moves(&self) -> f64 {
        self.record.now().n_legal_moves() as f64
    }

    /// How the tree grew. Report 003's greedy play, depth 0, and playouts have no depth to compare with.
    fn growth(&self) -> Option<Growth> {
        let stats = &self.choice.stats;
        let last = stats.iterations.last().filter(|last| 0 < last.depth && !self.is_by_playouts())?;
        let depth = f64::from(last.depth);
        Some(Growth {
            depth: last.depth,
            nodes: last.nodes,
            effective: stats.effective_branching()?,
            full_tree: self.n_moves().powf(depth),
            best_case: self.n_moves().powf(depth / 2.0),
        })
    }

    fn parts(&self) -> String {
        let parts = self.choice.stats.parts.0;
        if parts.iter().all(|&(_, n_calls)| n_calls == 0) {
            return String::new();
        }
        let mut text =
            "\ntime by part; a part can lie within another, so shares may come to more than all\n".to_owned();
        for (part, (time, n_calls)) in Part::ALL.into_iter().zip(parts) {
            if n_calls == 0 {
                continue;
            }
            let share = percent(time.as_secs_f64(), self.time.as_secs_f64());
            let _ =
                writeln!(text, "  {:<12}{share:>5.1} %  {}", part.name(), plural(n_calls as usize, "call"));
        }
        text
    }

    fn evaluation(&self) -> String {
        if self.terms.is_empty() {
            return "\nthis agent uses no evaluation\n".to_owned();
        }
        let m = self.show(self.choice.mv);
        let mut text = format!("\nevaluation in red's view\n{}", table(&self.terms));
        match &self.after {
            After::GoesOn(terms) => {
                let gain = (sum(terms) - sum(&self.terms)) * sign(self.record.now().turn());
                let _ = write!(text, "\nafter {m}, {gain:+.2} for the mover\n{}", table(terms));
            }
            After::Over(outcome) => {
                let _ = writeln!(text, "\nafter {m} the game is over: {}", Verdict::from(*outcome));
            }
        }
        text
    }

    /// All of it for programs.
    pub fn json(&self) -> Value {
        let (pos, stats) = (self.record.now(), &self.choice.stats);
        let growth = self.growth();
        let seconds = self.time.as_secs_f64();
        let iterations: Vec<Value> = stats
            .iterations
            .iter()
            .map(|iteration| {
                json!({
                    "depth": iteration.depth,
                    "score": score_json(iteration.score),
                    "nodes": iteration.nodes,
                    "seconds": iteration.elapsed.as_secs_f64(),
                    "line": self.line(&iteration.line),
                })
            })
            .collect();
        let parts: Vec<Value> = Part::ALL
            .into_iter()
            .zip(stats.parts.0)
            .map(|(part, (time, n_calls))| {
                json!({
                    "part": part.name(),
                    "seconds": time.as_secs_f64(),
                    "share": time.as_secs_f64() / seconds.max(1e-9),
                    "calls": n_calls,
                })
            })
            .collect();
        let (after, outcome) = match &self.after {
            After::GoesOn(terms) => (terms_json(terms), None),
            After::Over(outcome) => (Value::Null, Some(*outcome)),
        };
        json!({
            "game": pos.spec(),
            "position": pos.to_string(),
            "turn": pos.turn().name(),
            "agent": self.agent.as_str(),
            "limits": self.limits.to_string(),
            "move": self.show(self.choice.mv),
            "score": self.choice.score.map(score_json),
            "line": self.line(&self.choice.line),
            "iterations": iterations,
            "seconds": seconds,
            "nodes": stats.nodes,
            "evaluations": stats.evaluations,
            "cutoffs": stats.cutoffs,
            "first_move_cutoffs": stats.first_move_cutoffs,
            "table_hits": stats.table_hits,
            "cache_hits": stats.cache_hits,
            "playouts": stats.playouts,
            "memory": stats.memory,
            "legal_moves": pos.n_legal_moves(),
            "effective_branching": growth.as_ref().map(|growth| growth.effective),
            "full_tree": growth.as_ref().map(|growth| growth.full_tree),
            "best_case": growth.as_ref().map(|growth| growth.best_case),
            "parts": parts,
            "evaluation": terms_json(&self.terms),
            "evaluation_after": after,
            "outcome_after": outcome.map(|outcome| json!({
                "winner": outcome.winner.map(|winner| winner.name()),
                "reason": outcome.reason.name(),
            })),
        })
    }
}

/// The last depth beside what theory says about it.
struct Growth {
    depth: u32,
    nodes: u64,
    effective: f64,
    full_tree: f64,
    best_case: f64,
}

/// A score is either of the evaluation's unit or the end of the game.
fn score_json(score: Score) -> Value {
    match score.plies_to_end() {
        Some(plies) => json!({ "units": null, "plies_to_end": plies }),
        None => json!({ "units": score.units(), "plies_to_end": null }),
    }
}

fn terms_json(terms: &[Term]) -> Value {
    if terms.is_empty() {
        return Value::Null;
    }
    let term = |term: &Term| json!({ "name": term.name, "red": term.red, "blue": term.blue, "weight": term.weight, "value": value(term) });
    json!({ "terms": terms.iter().map(term).collect::<Vec<_>>(), "sum": sum(terms) })
}

fn sum(terms: &[Term]) -> f64 {
    terms.iter().map(value).sum::<f64>() + 0.0
}

/// A term's value that is never a negative nothing.
fn value(term: &Term) -> f64 {
    term.value() + 0.0
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

/// A number without more digits than it needs, at most two behind the point.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A large number for people.
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
