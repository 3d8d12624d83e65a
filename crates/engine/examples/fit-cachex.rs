//! Fits the weights of Cachex's champion to games that it plays against itself, and prints them.
//!
//! `cargo run --release -p yarra-engine --example fit-cachex -- GAMES NODES SEED`
//!
//! Games on boards of 7, 9 and 11 in turn, each with random moves first. A logistic regression asks which weights would
//! have foretold best how they went; every fifth game is held out, and tells how much of that is chance.

mod counting;
mod regression;

use std::error::Error;
use std::io::{self, Write};

use counting::{Plan, Seen};
use regression::tell_progress;
use yarra_engine::Settings;
use yarra_engine::champion::cachex::{CachexChampion, N_FEATURES, OPTIONS, Paths, features};
use yarra_engine::eval::Evaluator;
use yarra_games::Game;
use yarra_games::cachex::{Bits, Cachex};

const N_WEIGHTS: usize = 2 * N_FEATURES + 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |usual| numbers.next().unwrap_or(Ok(usual));
    let (n_games, nodes, seed) = (next(300)?, next(4000)?, next(1)?);
    // By this scale positions differ in their values as much as they do by the weights set by hand.
    let plan = Plan { nodes, opinion: 0.0, scale: 235.0 };
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut seen = Seen::<N_WEIGHTS>::default();
    for (n_played, size) in (1..=n_games).zip([7, 9, 11].into_iter().cycle()) {
        if size <= <u64 as Bits>::MAX_SIZE {
            play::<u64>(size, &mut seen, plan, &mut rng)?;
        } else {
            play::<u128>(size, &mut seen, plan, &mut rng)?;
        }
        tell_progress(n_played, n_games);
    }
    write!(io::stdout().lock(), "{}", seen.fit(plan))?;
    Ok(())
}

fn play<B: Bits>(
    size: u8,
    seen: &mut Seen<N_WEIGHTS>,
    plan: Plan,
    rng: &mut fastrand::Rng,
) -> Result<(), Box<dyn Error>> {
    let mut champion = CachexChampion::<B, true>::new(&Settings::read(OPTIONS, "table=4", 0)?)?;
    let start = Cachex::<B>::start(size).ok_or("a size of Cachex")?;
    let counts = |pos: &Cachex<B>| features(pos, &Paths::default().root(pos));
    seen.play(&mut champion, start, rng.u8(1..=size), counts, plan, rng)
}
