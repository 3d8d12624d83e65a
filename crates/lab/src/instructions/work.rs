//! The work whose instructions are counted.

use std::hint::black_box;

use anyhow::Context;
use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::{Game, Move, MoveList, Work, start, with_game};

const N_GAMES: u64 = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Nothing,
    Play,
    LegalMoves,
    Outcome,
}

impl Verb {
    pub const COUNTED: [Verb; 3] = [Verb::Play, Verb::LegalMoves, Verb::Outcome];

    pub fn name(self) -> &'static str {
        match self {
            Verb::Nothing => "nothing",
            Verb::Play => "play",
            Verb::LegalMoves => "legal_moves",
            Verb::Outcome => "outcome",
        }
    }

    fn find(name: &str) -> Option<Verb> {
        let all = [Verb::Nothing].into_iter().chain(Verb::COUNTED);
        all.into_iter().find(|verb| verb.name() == name)
    }
}

/// Calls a function many times and returns the number of calls.
pub fn work(game: &str, verb: &str, n_repeats: &str) -> anyhow::Result<u64> {
    let verb = Verb::find(verb).context("no such verb")?;
    let repeat = Repeat { verb, n_repeats: n_repeats.parse()? };
    with_game(&*start(game)?, repeat).context("this machine lacks the modern instructions that are counted")
}

struct Repeat {
    verb: Verb,
    n_repeats: u64,
}

impl Work for Repeat {
    type Output = Option<u64>;

    /// The number of calls; `None` on a CPU whose instruction counts are not comparable.
    fn run<G: Game>(self, pos: &G) -> Option<u64> {
        let cases = cases(pos);
        let Repeat { verb, n_repeats } = self;
        match ModernCpu::detect() {
            Some(cpu) => repeat(cpu, &cases, verb, n_repeats),
            None if cfg!(target_arch = "x86_64") => return None,
            None => repeat(AnyCpu, &cases, verb, n_repeats),
        }
        Some(n_repeats * cases.len() as u64)
    }
}

/// Every position of some random games, with the move made there.
fn cases<G: Game>(pos: &G) -> Vec<(G, Move)> {
    let mut cases = Vec::new();
    for seed in 0..N_GAMES {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pos = *pos;
        while let Some(m) = pos.random_move(&mut rng) {
            cases.push((pos, m));
            pos.play(m);
        }
    }
    cases
}

fn repeat<G: Game, C: Cpu>(cpu: C, cases: &[(G, Move)], verb: Verb, n_repeats: u64) {
    let mut list = MoveList::with_capacity(G::MOVES);
    // One loop per function: a branch inside would be counted too.
    match verb {
        Verb::Nothing => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |_, _| {},
        ),
        Verb::Play => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |pos, m| pos.play(m),
        ),
        Verb::LegalMoves => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |pos, _| {
                list.clear();
                pos.legal_moves(&mut list);
                black_box(&list);
            },
        ),
        Verb::Outcome => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |pos, _| {
                black_box(pos.outcome());
            },
        ),
    }
}

#[inline(always)]
fn each<G: Game, C: Cpu>(cpu: C, cases: &[(G, Move)], n_repeats: u64, mut verb: impl FnMut(&mut G, Move)) {
    cpu.run(
        #[inline(always)]
        || {
            for _ in 0..n_repeats {
                for &(pos, m) in cases {
                    let mut pos = black_box(pos);
                    verb(&mut pos, black_box(m));
                    black_box(&pos);
                }
            }
        },
    );
}
