//! The review of a game: each move is judged by the chance to win that it lost.
//!
//! An [`Analyst`] searches every position, last one first, so that its table already contains what comes later.
//! The chance after a move is that of the next position, from its own search. If another move seems clearly better,
//! the position after that move is searched with the same limits, so that both are judged alike.

mod conclusion;
mod json;
mod judgment;
mod off_board;
mod reasons;
mod report;

use std::ops::ControlFlow;

use yarra_engine::{Agent, AgentError, AgentSpec, Choice, Curve, Failure, Limits, Progress, Score};
use yarra_files::SavedGame;
use yarra_games::{GameSpec, Move, Player, Record};

use crate::Openings;
use crate::side::guarded;
pub use conclusion::Conclusion;
pub use json::score_json;
pub use judgment::{Judgment, accuracy};
pub use off_board::OffBoard;
pub use report::{JudgmentCounts, Review, ReviewedMove, Summary, TimeUse};

/// An agent that searches the positions of a game.
pub struct Analyst {
    agent: Box<dyn Agent>,
    name: String,
    /// The limits of each search.
    limits: Limits,
    curve: Curve,
}

/// How far a review has come.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Positions that are done.
    pub n_done: usize,
    /// Positions of the game.
    pub n_all: usize,
    /// The search of the next one.
    pub thinking: &'a Progress<'a>,
}

/// Observes a review and may cancel it.
pub type Watch<'a> = dyn FnMut(&Step<'_>) -> ControlFlow<()> + 'a;

/// What is known about a position, from the view of its player to move.
#[derive(Clone, Debug, Default)]
struct Finding {
    /// The best line; empty if the game is over.
    line: Vec<Move>,
    score: Option<Score>,
    chance: Option<f64>,
}

impl Analyst {
    /// An agent with its spec, the limits of each search, and the game that it reviews.
    pub fn new(agent: Box<dyn Agent>, spec: &AgentSpec, limits: Limits, game: GameSpec) -> Analyst {
        Analyst { agent, name: spec.to_string(), limits, curve: Curve::of(game, spec.name()) }
    }

    /// Reviews a game. If it is cancelled, the first moves are not judged.
    ///
    /// # Errors
    /// If the agent fails, makes an illegal move or gives no scores.
    pub fn review(
        &mut self,
        saved: &SavedGame,
        record: &Record,
        watch: &mut Watch<'_>,
    ) -> Result<Review, AgentError> {
        let n_moves = record.moves().len();
        let n_opening = n_opening_moves(saved).min(n_moves);
        let limits = self.limits;
        guarded(|| self.agent.begin(record.now().turn(), record, limits))?;
        let mut findings = vec![Finding::default(); n_moves + 1];
        let mut losses: Vec<Option<MoveLoss>> = vec![None; n_moves];
        let mut n_examined = 0;
        let mut game = record.clone();
        for idx in (0..=n_moves).rev() {
            let mut told = |progress: &Progress<'_>| {
                watch(&Step { n_done: n_moves - idx, n_all: n_moves + 1, thinking: progress })
            };
            let judged = match record.moves().get(idx) {
                None => self.search(&game, &mut told)?.map(|finding| (finding, None)),
                Some(&m) => self.judge(&game, m, &findings[idx + 1], &mut told)?,
            };
            let Some((finding, lost)) = judged else { break };
            n_examined += 1;
            findings[idx] = finding;
            if n_opening <= idx && idx < n_moves {
                losses[idx] = lost;
            }
            game.undo();
        }
        self.agent.end(record);
        if n_examined == findings.len() && findings.iter().all(|finding| finding.chance.is_none()) {
            let message = format!("{} gives no scores, and a review needs them", self.name);
            return Err(AgentError::new(Failure::Protocol, message));
        }
        let (analyst, limits) = (self.name.clone(), self.limits.to_string());
        Ok(report::Notes { saved, record, analyst, limits, findings, losses, n_opening, n_examined }.review())
    }

    /// Judges a move by what is known about the position after it, and searches the position before it. `None` if
    /// cancelled.
    fn judge(
        &mut self,
        game: &Record,
        played: Move,
        next: &Finding,
        watch: &mut yarra_engine::Watch<'_>,
    ) -> Result<Option<(Finding, Option<MoveLoss>)>, AgentError> {
        let after = next.seen_from_before(played);
        if game.legal_moves().len() == 1 {
            return Ok(Some((after, Some(MoveLoss { is_forced: true, ..MoveLoss::default() }))));
        }
        let Some(mut best) = self.search(game, watch)? else { return Ok(None) };
        if best.line[0] == played {
            // The same move, searched one ply closer.
            let finding = if after.chance.is_some() { after } else { best };
            return Ok(Some((finding, Some(MoveLoss::default()))));
        }
        let Some(chance_after) = after.chance else { return Ok(Some((best, None))) };
        let is_error = |chance: f64| Judgment::of_loss(chance - chance_after).is_error();
        if best.chance.is_none_or(is_error) {
            let mut other = game.clone();
            other.play(best.line[0]);
            let Some(next) = self.search(&other, watch)? else { return Ok(None) };
            let again = next.seen_from_before(best.line[0]);
            if again.chance.is_some() {
                best = again;
            }
        }
        let chance_before = best.chance.unwrap_or(chance_after);
        if chance_before <= chance_after {
            return Ok(Some((after, Some(MoveLoss::default()))));
        }
        let loss = chance_before - chance_after;
        Ok(Some((best, Some(MoveLoss { loss, is_forced: false }))))
    }

    /// Searches a position; `None` if cancelled.
    fn search(
        &mut self,
        game: &Record,
        watch: &mut yarra_engine::Watch<'_>,
    ) -> Result<Option<Finding>, AgentError> {
        if let Some(outcome) = game.outcome() {
            let score = match outcome.winner {
                None => Score::DRAW,
                Some(winner) if winner == game.now().turn() => Score::win_in(0),
                Some(_) => -Score::win_in(0),
            };
            return Ok(Some(Finding {
                line: Vec::new(),
                score: Some(score),
                chance: Some(self.curve.chance(score)),
            }));
        }
        let mut is_broken = false;
        let limits = self.limits;
        let choice = guarded(|| {
            self.agent.choose(game, limits, &mut |progress| {
                let flow = watch(progress);
                is_broken |= flow.is_break();
                flow
            })
        })?;
        if is_broken {
            return Ok(None);
        }
        let Choice { mv, mut line, score, .. } = choice;
        if !game.legal_moves().contains(&mv) {
            let message = format!("{}: move number {} at {} is not legal", self.name, mv.0, game.now());
            return Err(AgentError::new(Failure::IllegalMove, message));
        }
        if line.first() != Some(&mv) {
            line = vec![mv];
        }
        Ok(Some(Finding { line, score, chance: score.map(|score| self.curve.chance(score)) }))
    }
}

/// What a move lost.
#[derive(Clone, Copy, Debug, Default)]
struct MoveLoss {
    /// The chance that it lost.
    loss: f64,
    /// Whether it was the only legal move.
    is_forced: bool,
}

impl Finding {
    /// The same from the view of the player who moved there.
    fn seen_from_before(&self, m: Move) -> Finding {
        let line = [m].into_iter().chain(self.line.iter().copied()).collect();
        Finding {
            line,
            score: self.score.map(one_ply_before),
            chance: self.chance.map(|chance| 1.0 - chance),
        }
    }
}

/// A score from the view of the other player, one ply before.
fn one_ply_before(score: Score) -> Score {
    match score.plies_to_end() {
        None => -score,
        Some(plies) if plies < 0 || score < Score::DRAW => Score::win_in(plies.unsigned_abs() + 1),
        Some(plies) => -Score::win_in(plies.unsigned_abs() + 1),
    }
}

/// How many moves of a game belong to its opening.
fn n_opening_moves(saved: &SavedGame) -> usize {
    let openings = saved.openings.as_deref().and_then(|text| text.parse::<Openings>().ok());
    openings.map_or(0, |openings| openings.n_plies.into())
}

/// The player who made a move.
fn mover(record: &Record, idx: usize) -> Player {
    Player::at_ply(record.start().ply() + idx as u16)
}
