//! How fast this machine is, and so what a run will do.

use std::time::Instant;

use fastrand::Rng;
use yarra_engine::net::conv::{ConvNet, Geometry};

use super::options::ZeroPlan;
use super::play::PlayRules;
use super::work;
use crate::conv::Trainer;
use crate::{Estimate, RunError};

/// The plies of a game between nets that have learned a little.
fn usual_plies(plan: &ZeroPlan) -> f64 {
    match plan.shape.geometry {
        Geometry::HexTorus => 100.0,
        Geometry::SquareTorus => 60.0,
        Geometry::Rhombus => {
            let cells = plan.sizes.iter().map(|&size| f64::from(size).powi(2)).sum::<f64>();
            0.8 * cells / plan.sizes.len() as f64
        }
    }
}

/// What runs with the usual settings have reached, with 64 simulations per move.
fn milestones(plan: &ZeroPlan) -> &'static [(u64, &'static str)] {
    match plan.shape.geometry {
        Geometry::HexTorus => &[
            (100_000, "wins 17 of 20 games against raccoons, and all of 20 against entourage-greedy"),
            (180_000, "wins all of 20 games against raccoons, and 9 of 10 against entourage at depth 2"),
        ],
        Geometry::SquareTorus => &[(36_000, "wins all of 20 games against random and insight-greedy")],
        Geometry::Rhombus => &[
            (83_000, "wins all of 20 games against tbd (20000 nodes) at size 7, and 7 of 10 at size 5"),
            (284_000, "wins 9 of 10 games against tbd (20000 nodes) at size 5"),
        ],
    }
}

/// Measures one short game and a training step on its samples.
pub fn estimate(plan: &ZeroPlan, n_jobs: usize) -> Result<Estimate, RunError> {
    let net = ConvNet::new(plan.game.name, plan.shape, &mut Rng::with_seed(0))?;
    let rules = PlayRules { stop_after: Some(20), ..plan.rules(1, 0.0) };
    let size = plan.sizes[plan.sizes.len() / 2];
    let started = Instant::now();
    let game = work::play(plan.game, size, &std::sync::Arc::new(net.clone()), &rules, 0);
    let play = started.elapsed().as_secs_f64() / game.n_samples().max(1) as f64;
    let samples: Vec<_> = (0..game.n_samples()).map(|n| game.sample(plan.game, n, plan.target)).collect();
    let started = Instant::now();
    Trainer::new(net).step(&samples.iter().collect::<Vec<_>>(), &mut Rng::with_seed(0), 1e-3, 1);
    let train = started.elapsed().as_secs_f64() / samples.len().max(1) as f64;
    // The second half of the run has twice the simulations.
    let seconds = (1.5 * play + plan.n_uses * train) / n_jobs as f64;
    let positions = 60.0 / seconds.max(1e-9);
    let games = positions / usual_plies(plan);
    let round = plan.n_games as f64 / games;
    Ok(Estimate { games, positions, round, milestones: milestones(plan).to_vec() })
}
