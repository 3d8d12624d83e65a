//! A review as JSON, for programs and pages.

use serde_json::{Value, json};
use yarra_engine::Score;
use yarra_games::{Move, Player};

use super::{Conclusion, OffBoard, Review, ReviewedMove, Summary};

impl Review {
    /// All of it as one object. Moves and positions are in their notation.
    pub fn json(&self) -> Value {
        let positions = self.record.positions();
        let moves = self.moves.iter().zip(&positions);
        json!({
            "game": self.record.start().spec().to_string(),
            "start": self.record.start().to_string(),
            "analyst": self.analyst,
            "limits": self.limits,
            "is_complete": self.is_complete,
            "n_examined": self.n_examined,
            "ending": self.ending_json(),
            "turning_point": self.turning_point,
            "players": {
                "red": self.players.red.json(),
                "blue": self.players.blue.json(),
            },
            "red_chances": self.red_chances,
            "moves": moves.map(|(m, before)| self.move_json(m, &before.to_string())).collect::<Vec<_>>(),
        })
    }

    fn move_json(&self, m: &ReviewedMove, position: &str) -> Value {
        let line = |moves: &[Move]| moves.iter().map(|&m| self.show(m)).collect::<Vec<_>>();
        json!({
            "number": m.number,
            "player": m.player.name(),
            "move": self.show(m.mv),
            "position": position,
            "is_opening": m.is_opening,
            "is_forced": m.is_forced,
            "judgment": m.judgment,
            "loss": m.loss,
            "chance_before": m.chance_before,
            "chance_after": m.chance_after,
            "score_before": m.score_before.map(score_json),
            "score_after": m.score_after.map(score_json),
            "better": line(&m.better),
            "answer": line(&m.answer),
            "why": m.why,
            "seconds": m.seconds,
        })
    }
}

impl Review {
    fn ending_json(&self) -> Value {
        let Conclusion { ending, sentence, fault, off_board } = &self.conclusion;
        json!({
            "winner": self.conclusion.winner().map(Player::name),
            "reason": ending.as_ref().map(|ending| ending.cause.name()),
            "words": sentence,
            "fault": fault,
            "off_board": off_board.as_ref().map(|end| self.off_board_json(end)),
        })
    }

    fn off_board_json(&self, end: &OffBoard) -> Value {
        let cells = self.record.now().cells();
        let cell = |&idx: &usize| [cells[idx].row, cells[idx].col];
        json!({
            "number": end.number,
            "player": end.player.name(),
            "reason": end.cause.name(),
            "move": end.said,
            "cells": end.cells.iter().map(cell).collect::<Vec<_>>(),
        })
    }
}

impl Summary {
    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "n_moves": self.n_moves,
            "n_judged": self.n_judged,
            "accuracy": self.accuracy,
            "average_loss": self.average_loss,
            "counts": self.counts,
            "time": self.time,
        })
    }
}

/// A score is either in the evaluation's unit, or plies to a forced end: negative if that is a loss.
pub fn score_json(score: Score) -> Value {
    let plies_to_end = score.plies_to_end();
    json!({ "units": plies_to_end.is_none().then(|| score.units()), "plies_to_end": plies_to_end })
}
