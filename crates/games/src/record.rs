//! A game as played: where it started, its moves, and what its repetition rule has seen.

use crate::{Move, MoveList, Outcome, ParseError, Position, Reason, read, start};

/// A start position and the moves since.
#[derive(Debug)]
pub struct Record {
    start: Box<dyn Position>,
    now: Box<dyn Position>,
    moves: Vec<Move>,
    /// The key of every board so far, the start's among them; empty where boards may recur for ever.
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
    /// A game that has just begun, at any position: its history holds that board once.
    pub fn new(start: Box<dyn Position>) -> Record {
        let mut record = Record { now: start.boxed(), start, moves: Vec::new(), boards: Vec::new() };
        record.note_board();
        record
    }

    /// A game from its spec, the notation of its start (`None` for the usual one) and its moves.
    ///
    /// # Errors
    /// The first text that is wrong, with what was expected.
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

    /// Where the game started.
    pub fn start(&self) -> &dyn Position {
        &*self.start
    }

    /// Where the game stands.
    pub fn now(&self) -> &dyn Position {
        &*self.now
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of all boards so far in games with a repetition rule, else nothing.
    pub fn boards(&self) -> &[u64] {
        &self.boards
    }

    /// The legal moves in ascending order; none once the game is over, by repetition too.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.outcome().is_none() {
            self.now.legal_moves(&mut moves);
        }
        moves
    }

    /// Reads a move that is legal now; none is once the game is over, by repetition too.
    ///
    /// # Errors
    /// Says what was expected if the text is no move, or why the move is not legal.
    pub fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let m = self.now.read_move(text)?;
        if self.outcome().is_some() {
            return Err(ParseError::new("no move, for the game is over", text));
        }
        Ok(m)
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

    /// How often the board that now stands has stood; 1 in games that do not care.
    pub fn n_repeats(&self) -> u16 {
        let Some(last) = self.boards.last() else { return 1 };
        self.boards.iter().filter(|&board| board == last).count() as u16
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.now.outcome();
        // A connection comes before repetition, the turn limit after it.
        let has_settled = outcome.is_some_and(|outcome| outcome.reason != Reason::TurnLimit);
        let is_repeated = self.now.repetition().is_some_and(|rule| rule.limit <= self.n_repeats());
        if !has_settled && is_repeated {
            return Some(Outcome { winner: None, reason: Reason::Repetition });
        }
        outcome
    }

    /// The positions from the start to now.
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
