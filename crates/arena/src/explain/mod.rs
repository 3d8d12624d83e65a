//! Why an agent plays a move: its lines, its work, and its evaluation term by term.

mod analysis;
mod json;

use std::time::{Duration, Instant};

use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Term, Watch, profile};
use yarra_games::{Move, Outcome, Record};

pub use analysis::Analysis;

/// A move, and all that is known about why it was chosen.
#[derive(Debug)]
pub struct Explanation {
    /// The agent's spec.
    pub agent: String,
    /// Its limits.
    pub limits: Limits,
    /// The game before the move.
    pub record: Record,
    /// The move and the search behind it.
    pub choice: Choice,
    /// Wall-clock time of the move.
    pub time: Duration,
    /// The agent's evaluation before its move; empty if it has none.
    pub terms: Vec<Term>,
    /// What the move leads to.
    pub after: After,
}

/// What a move leads to.
#[derive(Debug)]
pub enum After {
    /// The game is not over, with the agent's evaluation after the move.
    GoesOn(Vec<Term>),
    /// The game is over.
    Over(Outcome),
}

/// The last finished depth, compared with the theory of alpha-beta.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// The depth d.
    pub depth: u32,
    /// Nodes of that depth alone.
    pub nodes: u64,
    /// The effective branching factor.
    pub effective: f64,
    /// b: the moves at an internal node after reduction, or the root's legal moves if they were not counted.
    pub branching: f64,
    /// b^d: all lines.
    pub full_tree: f64,
    /// b^(d/2): the best case of alpha-beta.
    pub best_case: f64,
}

/// Asks an agent for a move of a game that is not over, with the profile on.
///
/// # Errors
/// If the agent fails or its move is not legal.
pub fn explain(
    mut agent: Box<dyn Agent>,
    spec: &str,
    record: Record,
    limits: Limits,
    watch: &mut Watch<'_>,
) -> Result<Explanation, AgentError> {
    agent.begin(record.now().turn(), &record, limits)?;
    profile::switch(true);
    let started = Instant::now();
    let chosen = agent.choose(&record, limits, watch);
    let time = started.elapsed();
    profile::switch(false);
    let mut choice = chosen?;
    // Agents that do not search leave their profile in the thread.
    choice.stats.parts.add(&profile::take());
    if !record.legal_moves().contains(&choice.mv) {
        let message = format!("expected a legal move of {spec}, found move number {}", choice.mv.0);
        return Err(AgentError::new(Failure::IllegalMove, message));
    }
    let mut next = record.clone();
    next.play(choice.mv);
    let after = match next.outcome() {
        Some(outcome) => After::Over(outcome),
        None => After::GoesOn(agent.terms(&next)),
    };
    let terms = agent.terms(&record);
    Ok(Explanation { agent: spec.to_owned(), limits, record, choice, time, terms, after })
}

impl Explanation {
    /// The notation of a move.
    pub fn show(&self, m: Move) -> String {
        self.record.now().show_move(m)
    }

    /// The notation of a line.
    pub fn line(&self, line: &[Move]) -> Vec<String> {
        line.iter().map(|&m| self.show(m)).collect()
    }

    /// Whether the agent searched by playouts rather than by depth.
    pub fn is_by_playouts(&self) -> bool {
        0 < self.choice.stats.playouts
    }

    /// The number of legal moves.
    pub fn n_moves(&self) -> usize {
        self.record.now().n_legal_moves()
    }

    /// How the tree grew. Report 003's greedy play (depth 0) and playouts have no depth to compare with.
    pub fn growth(&self) -> Option<Growth> {
        let stats = &self.choice.stats;
        let last = stats.iterations.last().filter(|last| 0 < last.depth && !self.is_by_playouts())?;
        let depth = f64::from(last.depth);
        let branching = stats.shape.branching().unwrap_or_else(|| self.n_moves() as f64);
        Some(Growth {
            depth: last.depth,
            nodes: last.nodes,
            effective: stats.effective_branching()?,
            branching,
            full_tree: branching.powf(depth),
            best_case: branching.powf(depth / 2.0),
        })
    }
}

/// The sum of terms, from red's view.
pub fn sum(terms: &[Term]) -> f64 {
    terms.iter().map(value).sum::<f64>() + 0.0
}

/// A term's value; never a negative zero.
pub fn value(term: &Term) -> f64 {
    term.value() + 0.0
}
