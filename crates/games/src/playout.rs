//! Games of random moves, as fast as the rules allow.

use crate::cpu::{AnyCpu, Cpu, ModernCpu};
use crate::{Game, Outcome, Position, Work, with_game};

/// The result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended.
    pub outcome: Outcome,
    /// The number of moves made.
    pub n_moves: u32,
}

/// Plays `n` random games from a position and returns the number of moves. Compiled here, so that callers need no
/// optimization.
pub fn playouts(pos: &dyn Position, n: u64, rng: &mut fastrand::Rng) -> u64 {
    struct Play<'a>(u64, &'a mut fastrand::Rng);
    impl Work for Play<'_> {
        type Output = u64;

        fn run<G: Game>(self, pos: &G) -> u64 {
            (0..self.0).map(|_| u64::from(playout(pos, self.1).n_moves)).sum()
        }
    }
    with_game(pos, Play(n, rng))
}

/// Plays random moves until the position ends the game. Repetition is not checked: random games end long
/// before a board occurs seven times.
#[inline]
pub fn playout<G: Game>(pos: &G, rng: &mut fastrand::Rng) -> Playout {
    match ModernCpu::detect() {
        Some(cpu) => playout_on(cpu, *pos, rng),
        None => playout_on(AnyCpu, *pos, rng),
    }
}

#[inline]
fn playout_on<G: Game, C: Cpu>(cpu: C, mut pos: G, rng: &mut fastrand::Rng) -> Playout {
    cpu.run(
        #[inline(always)]
        || {
            let mut n_moves = 0;
            loop {
                let Some(m) = pos.random_move(rng) else {
                    let outcome = pos.outcome().expect("a game without moves is over");
                    return Playout { outcome, n_moves };
                };
                pos.play(m);
                n_moves += 1;
            }
        },
    )
}
