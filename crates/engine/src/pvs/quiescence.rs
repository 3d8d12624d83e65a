//! Quiescence search: captures only, until the position is quiet.

use yarra_games::Game;
use yarra_games::cpu::Cpu;

use super::search::PvsSearch;
use crate::Score;
use crate::eval::MoveSource;
use crate::search::Window;

/// What a capture may change beside its gain, in hundredths.
const DELTA_MARGIN: i32 = 200;

/// A visit to a node of the quiescence search.
pub struct QuiescenceVisit<'a, G, S> {
    pub pos: &'a G,
    pub state: &'a S,
    pub window: Window,
    /// The distance from the root.
    pub ply: u32,
    /// The greatest number of captures from here on.
    pub n_left: u32,
}

impl<G: Game, E: MoveSource<G>> PvsSearch<'_, '_, G, E> {
    /// The value of a position once the captures are over.
    pub fn quiescence<C: Cpu>(&mut self, cpu: C, visit: QuiescenceVisit<'_, G, E::State>) -> Score {
        cpu.run(
            #[inline(always)]
            || self.quiescence_here(cpu, visit),
        )
    }

    #[inline(always)]
    fn quiescence_here<C: Cpu>(&mut self, cpu: C, visit: QuiescenceVisit<'_, G, E::State>) -> Score {
        let QuiescenceVisit { pos, state, window, ply, n_left } = visit;
        // Stand pat.
        let value = self.evaluate(state, pos);
        let (mut alpha, beta) = window;
        if n_left == 0 || beta <= value {
            return value;
        }
        alpha = alpha.max(value);
        let mut best = value;
        let base = self.thread.moves.len();
        self.source.captures(state, pos, &mut self.thread.moves);
        let mut next = base;
        while let Some((m, gain)) = self.thread.moves.take_best(next) {
            next += 1;
            // Delta pruning: later captures gain even less.
            if value.0 + gain + DELTA_MARGIN <= alpha.0 {
                break;
            }
            let child = pos.after(m);
            if !self.thread.run.enter(1, self.best, self.watch) {
                break;
            }
            if !self.thread.history.enter(&child) {
                continue;
            }
            let score = match child.outcome() {
                Some(outcome) => -self.source.ended(&child, outcome, ply + 1),
                None => {
                    let state = self.source.child(state, pos, m, &child);
                    let window = (-beta, -alpha);
                    let next = QuiescenceVisit {
                        pos: &child,
                        state: &state,
                        window,
                        ply: ply + 1,
                        n_left: n_left - 1,
                    };
                    -self.quiescence(cpu, next)
                }
            };
            self.thread.history.leave();
            if self.thread.run.is_stopped {
                break;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if beta <= alpha {
                break;
            }
        }
        self.thread.moves.truncate(base);
        best
    }
}
