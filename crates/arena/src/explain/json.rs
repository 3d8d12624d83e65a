//! An explanation as JSON.

use serde_json::{Value, json};
use yarra_engine::Term;
use yarra_engine::cost::Space;
use yarra_engine::profile::Part;

use super::{After, Analysis, Explanation, sum, value};
use crate::review::score_json;

impl Explanation {
    /// The explanation as one object.
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
            "game": pos.spec().to_string(),
            "position": pos.to_string(),
            "turn": pos.turn().name(),
            "agent": self.agent,
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
            "peak_memory": stats.peak_memory(),
            "legal_moves": pos.n_legal_moves(),
            "branching": growth.as_ref().map(|growth| growth.branching),
            "effective_branching": growth.as_ref().map(|growth| growth.effective),
            "full_tree": growth.as_ref().map(|growth| growth.full_tree),
            "best_case": growth.as_ref().map(|growth| growth.best_case),
            "parts": parts,
            "analysis": self.analysis().map(|analysis| analysis_json(&analysis)),
            "evaluation": terms_json(&self.terms),
            "evaluation_after": after,
            "outcome_after": outcome.map(|outcome| json!({
                "winner": outcome.winner.map(|winner| winner.name()),
                "reason": outcome.reason.name(),
            })),
        })
    }
}

fn analysis_json(analysis: &Analysis) -> Value {
    let space = &analysis.space;
    json!({
        "d": analysis.depth,
        "b": analysis.branching,
        "s": analysis.legal_moves,
        "p": analysis.power,
        "n": analysis.occupied,
        "c": analysis.clusters,
        "N": analysis.n_cells,
        "leaves": analysis.shape.leaves,
        "internal": analysis.shape.internal,
        "E": analysis.evaluation,
        "R": analysis.reduction,
        "O": analysis.ordering,
        "G": analysis.endgame,
        "sum": analysis.sum(),
        "total": analysis.total,
        "space": {
            "moves": space.moves,
            "move_bytes": Space::MOVE_BYTES,
            "boards": space.boards,
            "board_bytes": space.board_bytes,
            "history": space.history,
            "history_bytes": Space::HISTORY_BYTES,
            "tables": space.tables,
            "total": space.total(),
        },
    })
}

fn terms_json(terms: &[Term]) -> Value {
    if terms.is_empty() {
        return Value::Null;
    }
    let term = |term: &Term| {
        json!({
            "name": term.name,
            "red": term.red,
            "blue": term.blue,
            "weight": term.weight,
            "value": value(term),
        })
    };
    json!({ "terms": terms.iter().map(term).collect::<Vec<_>>(), "sum": sum(terms) })
}
