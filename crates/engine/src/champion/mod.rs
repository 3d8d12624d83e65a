//! Champions: one strong search with an expert for each game; Tetress has a search of its own.
//!
//! The [search](self) is principal variation search with all that games have shown to be worth its while. What
//! it must know about a game is an [`Expert`]: how good a position looks, which moves take something, and in
//! which order the quiet ones are worth a try. Every part can be switched off, so that matches can tell what
//! it is worth; with the unsound ones off the value is that of the whole tree.

pub mod cachex;
mod deepening;
pub mod infexion;
mod options;
mod picker;
mod search;
pub mod tetress;
mod threads;
mod weights;

use yarra_games::{Game, Move, Outcome, Player, Record};

use crate::agent::position_of;
use crate::eval::usual_end;
use crate::{Agent, AgentError, Choice, Limits, Score, Term, Watch};
pub use options::Options;
pub use picker::Moves;
use search::Search;
pub use search::{MAX_DEPTH, MAX_QUIESCENCE};
use threads::Team;
pub use weights::Weights;

/// What a champion knows about its game. Everything here is asked at every node and must be
/// `#[inline(always)]`, or it is compiled for the oldest machine.
pub trait Expert<G: Game>: Send + Sync {
    /// What one look at a position shows, such as who attacks what: evaluation and ordering share it.
    type Sight: Copy;

    /// Looks at a position.
    fn see(&self, pos: &G) -> Self::Sight;

    /// Looks at a position that a move led to, and may use what was seen before the move.
    #[inline(always)]
    fn see_after(&self, pos: &G, m: Move, before: &Self::Sight) -> Self::Sight {
        let _ = (m, before);
        self.see(pos)
    }

    /// Looks at a position that a pass led to, which shows the same from the other side.
    #[inline(always)]
    fn see_passed(&self, pos: &G, before: &Self::Sight) -> Self::Sight {
        let _ = before;
        self.see(pos)
    }

    /// How good a position is for the player to move. The game is not over there.
    fn value(&self, pos: &G, sight: &Self::Sight) -> Score;

    /// Adds the moves that take something, each with what it changes in hundredths: the best are looked at first.
    fn captures(&self, pos: &G, sight: &Self::Sight, moves: &mut Moves);

    /// Adds all other moves, each with how promising it looks: at most a few thousand either way, since what
    /// the search learns about the move is added. What else is seen on the way may be noted.
    fn quiets(&self, pos: &G, sight: &mut Self::Sight, moves: &mut Moves);

    /// What a move takes, in hundredths of the evaluation; 0 or less for a quiet one.
    fn gain(&self, pos: &G, sight: &Self::Sight, m: Move) -> i32;

    /// Whether a move that was good elsewhere is legal here. The game is not over.
    fn is_legal(&self, pos: &G, m: Move) -> bool;

    /// The position as if the player to move could pass; `None` where that would not be worse than a move.
    #[inline(always)]
    fn passed(&self, pos: &G) -> Option<G> {
        let _ = pos;
        None
    }

    /// The evaluation for people, term by term in red's view.
    fn terms(&self, pos: &G) -> Vec<Term>;

    /// What the end of a game is worth to the player to move, `n_plies` after the root.
    #[inline(always)]
    fn ended(&self, pos: &G, outcome: Outcome, n_plies: u32) -> Score {
        usual_end(pos, outcome, n_plies)
    }
}

/// An agent that plays as an expert's evaluation and the search make it.
pub struct Champion<G: Game, E: Expert<G>> {
    expert: E,
    team: Team<Search<G>>,
}

impl<G: Game, E: Expert<G>> Champion<G, E> {
    /// A champion with some parts switched on.
    pub fn new(expert: E, options: Options) -> Champion<G, E> {
        let team = Team::new(options.threads, options.table_bytes, |table, _| Search::new(options, table));
        Champion { expert, team }
    }
}

impl<G: Game, E: Expert<G>> Agent for Champion<G, E> {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.team.forget(Search::forget);
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        Ok(self.lines(game, 1, limits, watch)?.swap_remove(0))
    }

    fn lines(
        &mut self,
        game: &Record,
        n_lines: usize,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<Choice>, AgentError> {
        let expert = &self.expert;
        self.team.lines(game, n_lines, limits, watch, |search, task, watch| search.run(expert, task, watch))
    }

    fn terms(&self, game: &Record) -> Vec<Term> {
        position_of::<G>(game).map(|pos| self.expert.terms(&pos)).unwrap_or_default()
    }
}
