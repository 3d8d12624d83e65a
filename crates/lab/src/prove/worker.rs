//! The searches of one thread.

use std::time::Instant;

use yarra_engine::champion::cachex::Paths;
use yarra_engine::pvs::{Pvs, PvsOptions};
use yarra_engine::{Agent, AgentError, Limits, Score};
use yarra_games::{Game, Move, Position, Record};

use super::FIRST_NODES;
use super::boards::{Board, children};
use super::known::{Known, Proof};
use crate::agents::nodes;

/// A win that is found within this many nodes need not be stored.
const EASY: u64 = 50_000;

pub struct Worker<'a> {
    pub known: &'a Known<'a>,
    prover: Pvs<Board, Paths>,
    /// Searches as the champion plays.
    quick: Pvs<Board, Paths>,
}

impl Worker<'_> {
    pub fn new<'a>(known: &'a Known<'a>, options: PvsOptions, usual: PvsOptions) -> Worker<'a> {
        let quick = PvsOptions { table_bytes: 1 << 20, ..usual };
        let champion = |options| Pvs::new(Paths::default(), options);
        Worker { known, prover: champion(options), quick: champion(quick) }
    }

    /// Stores how a board is won, if it is proven.
    pub fn follow_from(&mut self, pos: &Board) -> Result<(), AgentError> {
        match self.prove(pos, 1, self.known.until, 0)? {
            Some(proof) if 0 < proof.plies => self.follow(pos),
            Some(_) => self.follow_answers(pos),
            None => Ok(()),
        }
    }

    /// Searches who wins, with a node limit. If that stays open, it searches each reply to the move of the player that
    /// seems to win, and so on for `n_pursued` moves of that player.
    pub fn prove(
        &mut self,
        pos: &Board,
        n_nodes: u64,
        until: Instant,
        n_pursued: u32,
    ) -> Result<Option<Proof>, AgentError> {
        let known = self.known;
        if let Some(proof) = known.proof(pos) {
            known.keep(pos, proof);
            return Ok(Some(proof));
        }
        if known.is_over(until) || pos.outcome().is_some() || !known.is_new(pos, n_nodes, n_pursued) {
            return Ok(None);
        }
        let time = until.saturating_duration_since(Instant::now());
        let limits = Limits { move_time: Some(time), ..nodes(n_nodes) };
        let choice = self.prover.choose(&Record::new(pos.boxed()), limits, &mut |_| known.flow())?;
        let score = choice.score.unwrap_or_default();
        if let Some(plies) = score.plies_to_end() {
            let proof = Proof { plies, mv: choice.mv };
            known.keep(pos, proof);
            return Ok(Some(proof));
        }
        if n_pursued == 0 {
            return Ok(None);
        }
        let is_ahead = Score::DRAW < score;
        let board = if is_ahead { pos.after(choice.mv) } else { *pos };
        let expected = choice.line.get(usize::from(is_ahead)).copied();
        let mut answers: Vec<(Move, Board)> = children(&board).collect();
        answers.sort_by_key(|&(m, _)| Some(m) != expected);
        for (_, answer) in answers {
            let proof = self.prove(&answer, n_nodes, until, n_pursued - 1)?;
            if proof.is_none_or(|proof| proof.plies < 0) {
                return Ok(None);
            }
        }
        if let Some(loss) = known.proof(&board) {
            known.keep(&board, loss);
        }
        Ok(known.proof(pos))
    }

    /// Stores how the player to move wins.
    fn follow(&mut self, pos: &Board) -> Result<(), AgentError> {
        let known = self.known;
        if children(pos).any(|(_, child)| known.is_followed(&child)) || self.is_easy(pos)? {
            return Ok(());
        }
        let mut n_nodes = FIRST_NODES;
        while !known.is_over(known.until) {
            if let Some(proof) = self.prove(pos, n_nodes, known.until, 0)? {
                return self.follow_answers(&pos.after(proof.mv));
            }
            n_nodes *= 4;
        }
        Ok(())
    }

    fn follow_answers(&mut self, pos: &Board) -> Result<(), AgentError> {
        self.known.set_followed(pos);
        children(pos).try_for_each(|(_, child)| self.follow(&child))
    }

    fn is_easy(&mut self, pos: &Board) -> Result<bool, AgentError> {
        let is_known = self.known.is_easy(pos);
        if is_known || self.known.is_over(self.known.until) {
            return Ok(is_known);
        }
        let is_easy = self.is_found_in_all_images(pos)?;
        if is_easy {
            self.known.set_easy(pos);
        }
        Ok(is_easy)
    }

    /// Whether a short search finds the win in all symmetric images. Some take twice as many nodes as others, and any of
    /// them may occur in a game.
    pub fn is_found_in_all_images(&mut self, pos: &Board) -> Result<bool, AgentError> {
        for symmetry in 0..pos.n_symmetries() {
            if !self.is_found(&pos.image(symmetry))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a short search finds the win.
    fn is_found(&mut self, pos: &Board) -> Result<bool, AgentError> {
        let (known, record) = (self.known, Record::new(pos.boxed()));
        self.quick.begin(pos.turn(), &record, Limits::default())?;
        let choice = self.quick.choose(&record, nodes(EASY), &mut |_| known.flow())?;
        let score = choice.score.unwrap_or_default();
        Ok(score.plies_to_end().is_some_and(|plies| 0 < plies))
    }
}
