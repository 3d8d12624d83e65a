//! Self-play and games between agents, outside a match.

use std::any::Any;
use std::ops::ControlFlow;

use fastrand::Rng;
use yarra_engine::agent::unwatched;
use yarra_engine::{Agent, AgentError, Choice, Limits};
use yarra_games::{Game, Move, Player, Record};

/// Plays a game to its end with moves chosen by the caller.
///
/// # Errors
/// The first one of the caller's.
pub fn play_out<E>(game: &mut Record, mut choose: impl FnMut(&Record) -> Result<Move, E>) -> Result<(), E> {
    while game.outcome().is_none() {
        let m = choose(game)?;
        game.play(m);
    }
    Ok(())
}

/// Plays a game with one agent for both colors, which keeps its tables between moves, to its end or until `visit` breaks
/// it off. `random` may replace the agent's move; `visit` is called with the game before each move that the agent chose.
///
/// # Errors
/// If the agent fails.
pub fn self_play(
    agent: &mut dyn Agent,
    limits: Limits,
    game: &mut Record,
    mut random: impl FnMut(&Record) -> Option<Move>,
    mut visit: impl FnMut(&Record, &Choice) -> ControlFlow<()>,
) -> Result<(), AgentError> {
    agent.begin(game.now().turn(), game, limits)?;
    while game.outcome().is_none() {
        let choice = match random(game) {
            Some(m) => Choice::from(m),
            None => {
                let choice = agent.choose(game, limits, &mut unwatched)?;
                if visit(game, &choice).is_break() {
                    break;
                }
                choice
            }
        };
        game.play(choice.mv);
        agent.played(game, &choice)?;
    }
    agent.end(game);
    Ok(())
}

/// Random moves for [`self_play`]: the first `n_first` of a game and `percent` of the others.
pub fn random_moves<G: Game>(
    n_first: u8,
    percent: u8,
    rng: &mut Rng,
) -> impl FnMut(&Record) -> Option<Move> + '_ {
    move |game| {
        let is_first = game.moves().len() < usize::from(n_first);
        // With a share of zero the generator is not used after the first moves.
        let is_random = is_first || 0 < percent && rng.u8(..100) < percent;
        if is_random { position::<G>(game).random_move(rng) } else { None }
    }
}

/// The current position of a game as its concrete type.
///
/// # Panics
/// If the type is not that of the game.
pub fn position<G: Game>(game: &Record) -> G {
    *(game.now() as &dyn Any).downcast_ref().expect("the caller started this game")
}

/// A player's points in a finished game: 1 for a win, 0.5 for a draw.
pub fn points(game: &Record, player: Player) -> f64 {
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    winner.map_or(0.5, |winner| if winner == player { 1.0 } else { 0.0 })
}
