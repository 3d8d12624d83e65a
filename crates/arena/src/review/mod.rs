//! The review of a game: each move judged by the chance to win that it has lost.
//!
//! An [`Analyst`] looks at every position, the last one first, so that what it remembers of the later ones makes
//! it wiser about the earlier. The chance after a move is that of the next position, from a look of its own. Where
//! another move seems to be clearly better, the position after that move is looked at with the same effort
//! too, so that neither of the two is judged by less.

mod ending;
mod judgment;
mod report;
mod words;

use std::ops::ControlFlow;

use yarra_engine::{Agent, AgentError, AgentSpec, Choice, Curve, Failure, Limits, Progress, Score};
use yarra_games::{Move, Player, Record, SavedGame};

use crate::Openings;
use crate::side::guarded;
pub use ending::Ending;
pub use judgment::{Judgment, accuracy};
pub use report::{Both, Counts, Review, ReviewedMove, Summary, TimeUse, Worth};

/// Whoever looks at positions.
pub struct Analyst {
    agent: Box<dyn Agent>,
    name: String,
    /// What a look may take.
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
    /// How the look at the next one goes.
    pub thinking: &'a Progress<'a>,
}

/// Hears how a review goes and may break it off.
pub type Watch<'a> = dyn FnMut(&Step<'_>) -> ControlFlow<()> + 'a;

/// What is known about a position, in the view of its player to move.
#[derive(Clone, Debug, Default)]
struct Look {
    /// What to play; empty once the game is over.
    line: Vec<Move>,
    score: Option<Score>,
    chance: Option<f64>,
}

impl Analyst {
    /// An agent by its spec, what it may spend on a look, and the game that it looks at.
    pub fn new(agent: Box<dyn Agent>, spec: &AgentSpec, limits: Limits, game: &str) -> Analyst {
        Analyst { agent, name: spec.to_string(), limits, curve: Curve::of(game, spec.name()) }
    }

    /// Reviews a game. If it is broken off, its first moves are not judged.
    ///
    /// # Errors
    /// If the agent fails, plays nonsense, or has no scores to judge by.
    pub fn review(
        &mut self,
        saved: &SavedGame,
        record: &Record,
        watch: &mut Watch<'_>,
    ) -> Result<Review, AgentError> {
        let n_moves = record.moves().len();
        let n_drawn = n_random(saved).min(n_moves);
        let limits = self.limits;
        guarded(|| self.agent.begin(record.now().turn(), record, limits))?;
        let mut looks = vec![Look::default(); n_moves + 1];
        let mut verdicts: Vec<Option<Verdict>> = vec![None; n_moves];
        let mut is_complete = true;
        let mut game = record.clone();
        for idx in (0..=n_moves).rev() {
            let mut told = |progress: &Progress<'_>| {
                watch(&Step { n_done: n_moves - idx, n_all: n_moves + 1, thinking: progress })
            };
            let judged = match record.moves().get(idx) {
                None => self.look(&game, &mut told)?.map(|look| (look, None)),
                Some(&m) => self.judge(&game, m, &looks[idx + 1], &mut told)?,
            };
            let Some((look, verdict)) = judged else {
                is_complete = false;
                break;
            };
            looks[idx] = look;
            if n_drawn <= idx && idx < n_moves {
                verdicts[idx] = verdict;
            }
            game.undo();
        }
        self.agent.end(record);
        if is_complete && looks.iter().all(|look| look.chance.is_none()) {
            let message = format!("{} gives no scores, and a review needs them", self.name);
            return Err(AgentError::new(Failure::Protocol, message));
        }
        let analyst = [self.name.clone(), self.limits.to_string()];
        Ok(report::Notes { saved, record, analyst, looks, verdicts, n_drawn, is_complete }.review())
    }

    /// Judges a move by what is known about the position after it, and looks at the one before it. `None` if it was
    /// broken off.
    fn judge(
        &mut self,
        game: &Record,
        played: Move,
        next: &Look,
        watch: &mut yarra_engine::Watch<'_>,
    ) -> Result<Option<(Look, Option<Verdict>)>, AgentError> {
        let after = next.seen_from_before(played);
        if game.legal_moves().len() == 1 {
            return Ok(Some((after, Some(Verdict { is_forced: true, ..Verdict::default() }))));
        }
        let Some(mut best) = self.look(game, watch)? else { return Ok(None) };
        if best.line[0] == played {
            // The same move, seen from one ply nearer.
            let look = if after.chance.is_some() { after } else { best };
            return Ok(Some((look, Some(Verdict::default()))));
        }
        let Some(chance_after) = after.chance else { return Ok(Some((best, None))) };
        let is_error = |chance: f64| Judgment::of_loss(chance - chance_after).is_error();
        if best.chance.is_none_or(is_error) {
            let mut other = game.clone();
            other.play(best.line[0]);
            let Some(next) = self.look(&other, watch)? else { return Ok(None) };
            let again = next.seen_from_before(best.line[0]);
            if again.chance.is_some() {
                best = again;
            }
        }
        let chance_before = best.chance.unwrap_or(chance_after);
        if chance_before <= chance_after {
            return Ok(Some((after, Some(Verdict::default()))));
        }
        let loss = chance_before - chance_after;
        Ok(Some((best, Some(Verdict { loss, is_forced: false }))))
    }

    /// Looks at a position; `None` if that was broken off.
    fn look(
        &mut self,
        game: &Record,
        watch: &mut yarra_engine::Watch<'_>,
    ) -> Result<Option<Look>, AgentError> {
        if let Some(outcome) = game.outcome() {
            let score = match outcome.winner {
                None => Score::DRAW,
                Some(winner) if winner == game.now().turn() => Score::win_in(0),
                Some(_) => -Score::win_in(0),
            };
            return Ok(Some(Look {
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
        Ok(Some(Look { line, score, chance: score.map(|score| self.curve.chance(score)) }))
    }
}

/// What became of a move that was looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Verdict {
    /// The chance that it lost.
    loss: f64,
    /// Whether there was no other.
    is_forced: bool,
}

impl Look {
    /// The same in the view of the player who moved there.
    fn seen_from_before(&self, m: Move) -> Look {
        let line = [m].into_iter().chain(self.line.iter().copied()).collect();
        Look { line, score: self.score.map(one_ply_before), chance: self.chance.map(|chance| 1.0 - chance) }
    }
}

/// A score in the view of the other player, who still has to make the move that leads to it.
fn one_ply_before(score: Score) -> Score {
    match score.plies_to_end() {
        None => -score,
        Some(plies) if plies < 0 || score < Score::DRAW => Score::win_in(plies.unsigned_abs() + 1),
        Some(plies) => -Score::win_in(plies.unsigned_abs() + 1),
    }
}

/// How many first moves of a game were not its players'.
fn n_random(saved: &SavedGame) -> usize {
    let openings = saved.openings.as_deref().and_then(|text| text.parse::<Openings>().ok());
    openings.map_or(0, |openings| openings.n_plies.into())
}

/// The player who made a move.
fn mover(record: &Record, idx: usize) -> Player {
    Player::at_ply(record.start().ply() + idx as u16)
}
