//! How fast a run will be on this machine.

use std::time::Instant;

use yarra_engine::Settings;
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move};
use yarra_reports::raccoons::zero::{EXPLORATION, Net, Planes, Search};

use super::examples::Example;
use super::gradient::Backward;
use super::options::{Options, Symmetry};
use super::train::Stepper;
use crate::{Estimate, Plan};

/// The length of most games of a net that has learned little.
const N_PLIES: f64 = 343.0;
const N_SAMPLES: u32 = 300;

/// What six attempts have reached, see docs/results.md.
const MILESTONE: &str = "repaired, 7 of 10 games against random; the original plays like an untrained net; neither wins against greedy";

/// Measures simulations and training steps, and counts those of a first attempt.
pub fn estimate(plan: &Plan, settings: &Settings, n_jobs: usize) -> Estimate {
    let options = Options::read(plan, settings);
    let mut rng = fastrand::Rng::with_seed(plan.seed);
    let mut net = Net::random(options.design, options.init, &mut rng);
    let pos = Infexion::start(yarra_games::infexion::SIZE).expect("the size of Infexion");
    let mut search = Search::new(options.rule, EXPLORATION);
    search.set_root(&net, &pos);
    let simulation = timed(|| search.simulate(&net, &mut rng));
    let example = Example { planes: Planes::of(&pos), policy: vec![(Move(0), 1.0)], result: 0.0 };
    let (mut backward, mut stepper) = (Backward::default(), Stepper::new(&options, net.params.len()));
    let step = timed(|| {
        backward.run(&net, &example, options.loss);
        stepper.step(&mut net.params, &mut backward.gradient);
    });
    let n_images = if options.symmetry == Symmetry::None { 1.0 } else { 4.0 };
    let (games, match_games) = (options.games as f64, options.match_games as f64);
    let simulations = games * options.simulations as f64 + match_games * options.match_simulations as f64;
    let seconds = N_PLIES * (simulations * simulation / n_jobs.max(1) as f64 + games * n_images * step);
    Estimate {
        games: 60.0 * games / seconds,
        positions: 60.0 * games * N_PLIES / seconds,
        round: seconds / 60.0,
        milestones: vec![(50_000, MILESTONE)],
    }
}

/// The seconds that something takes on average.
fn timed(mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    for _ in 0..N_SAMPLES {
        work();
    }
    started.elapsed().as_secs_f64() / f64::from(N_SAMPLES)
}
