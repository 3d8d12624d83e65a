//! A future improvement named in report 002: minimax while there are many moves, playouts once there are few.

use yarra_engine::{Agent, AgentError, Choice, Limits, Term, Watch};
use yarra_games::{Player, Record};

/// Future Improvements: two agents in one.
pub struct Hybrid<A, B> {
    /// Plays where more moves than the threshold are legal.
    pub many: A,
    /// Plays elsewhere.
    pub few: B,
    /// The number of legal moves up to which `few` plays.
    pub threshold: usize,
}

impl<A: Agent, B: Agent> Agent for Hybrid<A, B> {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        self.many.begin(side, game, limits)?;
        self.few.begin(side, game, limits)
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        if self.threshold < game.now().n_legal_moves() {
            self.many.choose(game, limits, watch)
        } else {
            self.few.choose(game, limits, watch)
        }
    }

    fn played(&mut self, game: &Record, choice: &Choice) -> Result<(), AgentError> {
        self.many.played(game, choice)?;
        self.few.played(game, choice)
    }

    fn end(&mut self, game: &Record) {
        self.many.end(game);
        self.few.end(game);
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        if self.threshold < game.now().n_legal_moves() { self.many.terms(game) } else { self.few.terms(game) }
    }
}
