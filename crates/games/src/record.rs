//! A game as played: its start position, its moves, and the boards that the repetition rule compares.

use crate::{Move, MoveList, Outcome, ParseError, Position, Reason, read, start};

/// A start position and the moves since.
#[derive(Debug)]
pub struct Record {
    start: Box<dyn Position>,
    now: Box<dyn Position>,
    moves: Vec<Move>,
    /// The key of every board so far, including the start; empty if the game has no repetition rule.
    boards: Vec<u64>,
}

impl Clone for Record {
    fn clone(&self) -> Record {
        Record {
            start: self.start.boxed(),
            now: self.now.boxed(),
            moves: self.moves.clone(),
            boards: self.boards.clone(),
        }
    }
}

impl Record {
    /// A game that starts at any position. Its history contains that board once.
    pub fn new(start: Box<dyn Position>) -> Record {
        let mut record = Record { now: start.boxed(), start, moves: Vec::new(), boards: Vec::new() };
        record.note_board();
        record
    }

    /// Parses a game from its spec, its start position (`None` for the default) and its moves.
    ///
    /// # Errors
    /// The first text that is invalid, with what was expected.
    pub fn read<'a>(
        spec: &str,
        position: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Record, ParseError> {
        let first = match position {
            Some(text) => read(spec, text)?,
            None => start(spec)?,
        };
        let mut record = Record::new(first);
        for text in moves {
            let m = record.read_move(text)?;
            record.play(m);
        }
        Ok(record)
    }

    /// The start position.
    pub fn start(&self) -> &dyn Position {
        &*self.start
    }

    /// The current position.
    pub fn now(&self) -> &dyn Position {
        &*self.now
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last move, with the position before it.
    pub fn last(&self) -> Option<(Box<dyn Position>, Move)> {
        let mut before = self.clone();
        let last = before.undo()?;
        Some((before.now, last))
    }

    /// The keys of all boards so far; empty if the game has no repetition rule.
    pub fn boards(&self) -> &[u64] {
        &self.boards
    }

    /// The legal moves in ascending order; none if the game is over, by repetition or otherwise.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.outcome().is_none() {
            self.now.legal_moves(&mut moves);
        }
        moves
    }

    /// Parses a legal move. No move is legal if the game is over, by repetition or otherwise.
    ///
    /// # Errors
    /// If the text is not a move or the move is not legal, with what was expected.
    pub fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let m = self.now.read_move(text)?;
        if self.outcome().is_some() {
            return Err(ParseError::new("no move because the game is over", text));
        }
        Ok(m)
    }

    /// Parses a legal move as a person may type it; see [`Position::read_typed`].
    ///
    /// # Errors
    /// Why it cannot be played, in words for the player to move.
    pub fn read_typed(&self, text: &str) -> Result<Move, String> {
        match self.outcome() {
            Some(_) => Err("the game is over".to_owned()),
            None => self.now.read_typed(text),
        }
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: Move) {
        self.now.play(m);
        self.moves.push(m);
        self.note_board();
    }

    /// Takes the last move back and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.boards.pop();
        self.now = self.start.boxed();
        for &m in &self.moves {
            self.now.play(m);
        }
        Some(last)
    }

    /// How often the current board has occurred; 1 if the game has no repetition rule.
    pub fn n_repeats(&self) -> u16 {
        let Some(last) = self.boards.last() else { return 1 };
        self.boards.iter().filter(|&board| board == last).count() as u16
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.now.outcome();
        // A connection takes precedence over repetition, and repetition over the turn limit.
        let has_settled = outcome.is_some_and(|outcome| outcome.reason != Reason::TurnLimit);
        let is_repeated = self.now.repetition().is_some_and(|rule| rule.limit <= self.n_repeats());
        if !has_settled && is_repeated {
            return Some(Outcome { winner: None, reason: Reason::Repetition });
        }
        outcome
    }

    /// All positions, from the start to the current one.
    pub fn positions(&self) -> Vec<Box<dyn Position>> {
        let mut positions = vec![self.start.boxed()];
        for &m in &self.moves {
            let mut next = positions[positions.len() - 1].boxed();
            next.play(m);
            positions.push(next);
        }
        positions
    }

    fn note_board(&mut self) {
        self.boards.extend(self.now.repetition().map(|rule| rule.key));
    }
}
