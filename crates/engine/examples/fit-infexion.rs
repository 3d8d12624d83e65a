//! Fits the weights of Infexion's champion to games that it plays against itself, and prints them.
//!
//! `cargo run --release -p yarra-engine --example fit-infexion -- GAMES NODES SEED`
//!
//! Each game begins with random moves. A logistic regression asks which weights would have foretold best how the games
//! went; every fifth game is held out, and tells how much of that is chance.

mod counting;
mod regression;

use std::error::Error;
use std::io::{self, Write};

use counting::{Plan, Seen};
use regression::tell_progress;
use yarra_engine::Settings;
use yarra_engine::champion::infexion::{N_FEATURES, OPTIONS, Reach, features};
use yarra_engine::eval::Evaluator;
use yarra_engine::pvs::{Pvs, PvsOptions};
use yarra_games::Game;
use yarra_games::infexion::Infexion;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let mut next = |usual| numbers.next().unwrap_or(Ok(usual));
    let (n_games, nodes, seed) = (next(300)?, next(3000)?, next(1)?);
    let plan = Plan { nodes, opinion: 0.4, scale: 400.0 };
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut seen = Seen::<{ 2 * N_FEATURES + 1 }>::default();
    for n_played in 1..=n_games {
        let settings = Settings::read(OPTIONS, "table=4", 0)?;
        let mut champion = Pvs::<Infexion, _>::new(Reach::default(), PvsOptions::read(&settings)?);
        let start = Infexion::start(7).ok_or("the size of Infexion")?;
        let counts = |pos: &Infexion| features(pos, Reach::default().root(pos));
        seen.play(&mut champion, start, rng.u8(4..10), counts, plan, &mut rng)?;
        tell_progress(n_played, n_games);
    }
    write!(io::stdout().lock(), "{}", seen.fit(plan))?;
    Ok(())
}
