//! Games of random moves, as fast as the rules allow.

use crate::cpu::{AnyCpu, Cpu, ModernCpu};
use crate::{Game, Outcome};

/// The result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended.
    pub outcome: Outcome,
    /// The number of moves made.
    pub n_moves: u32,
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
