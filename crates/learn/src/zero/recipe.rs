//! The recipe: rounds of self-play and training.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fastrand::Rng;
use yarra_engine::net::NetFile;
use yarra_engine::net::conv::ConvNet;
use yarra_engine::{Limits, Settings};
use yarra_games::{GameSpec, mixed};

use super::game::SelfPlayGame;
use super::measure::estimate;
use super::options::{OPTIONS, ZeroPlan};
use super::smooth::smooth;
use super::window::Window;
use super::work;
use crate::conv::{Losses, Sample, Trainer};
use crate::ladder::{Ladder, MakeAgent, Rung};
use crate::run::Saved;
use crate::{Entry, Estimate, Plan, Recipe, RecipeInfo, Round, RunError, parallel};

/// The recipe by name.
pub const INFO: RecipeInfo = RecipeInfo {
    name: "zero",
    about: "policy-value net and Gumbel search, learning from self-play alone (AlphaZero on a few cores)",
    games: &["infexion", "tetress", "cachex", "hex"],
    agent: "zero",
    options: OPTIONS,
    begin,
    estimate: |plan, settings, n_jobs| {
        let measure = || estimate(&ZeroPlan::read(plan, settings)?, n_jobs);
        measure().unwrap_or_else(|_: RunError| Estimate::default())
    },
    view: |file, pos| {
        let view = work::view(ConvNet::from_file(file)?, pos);
        view.ok_or_else(|| RunError::new(format!("no net plays {}", pos.spec())))
    },
};

/// A run.
struct Zero {
    plan: ZeroPlan,
    trainer: Trainer,
    /// The mean of the last weights: it plays.
    smoothed: ConvNet,
    /// The net with the best ladder, and the share of the points that it made.
    best: Option<(ConvNet, f32)>,
    window: Window,
}

/// The seed of all ladders, so that they can be compared.
const LADDER_SEED: u64 = 1;
/// Samples for the losses on games that are never trained on.
const N_HELD_OUT: usize = 1000;
/// Streams of randomness that a round's seed is mixed with.
const TRAINING: u64 = u64::MAX;

fn begin(plan: &Plan, settings: &Settings, saved: Option<Saved<'_>>) -> Result<Box<dyn Recipe>, RunError> {
    let plan_read = ZeroPlan::read(plan, settings)?;
    let Some(saved) = saved else {
        let mut rng = Rng::with_seed(plan.seed);
        let net = ConvNet::new(plan_read.game.name, plan_read.shape, &mut rng)?;
        let window = Window::new(plan_read.n_window);
        let trainer = Trainer::new(net.clone());
        return Ok(Box::new(Zero { plan: plan_read, trainer, smoothed: net, best: None, window }));
    };
    let file = &saved.state;
    let trainer = Trainer::from_file(file)?;
    if trainer.net().shape() != plan_read.shape {
        return Err(RunError::new("the checkpoint has a net of another shape"));
    }
    let load = |prefix: &str| -> Result<ConvNet, RunError> {
        let mut net = trainer.net().clone();
        net.params = net.load(file, prefix)?;
        Ok(net)
    };
    // Points against other opponents cannot be compared.
    let is_same_ladder = file.told::<String>("ladder").is_ok_and(|ladder| ladder == plan_read.ladder_name());
    let best = match file.told::<f32>("best") {
        Ok(share) if is_same_ladder => Some((load(BEST)?, share)),
        _ => None,
    };
    let smoothed = load(SMOOTHED)?;
    let mut window = Window::resumed(plan_read.n_window, file.told("samples")?);
    for round in (0..saved.n_rounds).rev() {
        if !window.is_short() {
            break;
        }
        let games = work::read_games(plan_read.game, &saved.dir.read_shard(round)?);
        window
            .add_before(games.ok_or_else(|| RunError::new(format!("the shard of round {round} is broken")))?);
    }
    Ok(Box::new(Zero { plan: plan_read, trainer, smoothed, best, window }))
}

/// The prefixes of tensors in a checkpoint.
const SMOOTHED: &str = "smoothed.";
const BEST: &str = "best.";

impl Recipe for Zero {
    fn round(&mut self, round: &Round<'_>) -> Result<Entry, RunError> {
        let games = self.self_play(round)?;
        let mut shard = Vec::new();
        games.iter().for_each(|game| game.write(&mut shard));
        round.dir.write_shard(round.number, &shard)?;
        let n_samples: usize = games.iter().map(SelfPlayGame::n_samples).sum();
        let n_plies: usize = games.iter().map(|game| game.moves.len()).sum();
        let mut entry = Entry {
            games: games.len() as u64,
            positions: n_samples as u64,
            mean_plies: n_plies as f64 / games.len().max(1) as f64,
            ..Entry::default()
        };
        let n_red = games.iter().filter(|game| 0.0 < game.result()).count();
        entry.openings = openings(self.plan.game, &games);
        self.window.add(games);
        self.train(round, n_samples, &mut entry)?;
        entry.figure("red wins", n_red as f64 / entry.games.max(1) as f64);
        if (round.number + 1).is_multiple_of(self.plan.ladder_every) || round.is_last {
            entry.ladder = self.climb(round)?;
        }
        Ok(entry)
    }

    fn state(&self) -> NetFile {
        let mut file = self.trainer.to_file();
        file.tell("samples", self.window.n_total());
        self.smoothed.save(&mut file, SMOOTHED, &self.smoothed.params);
        if let Some((best, share)) = &self.best {
            file.tell("best", share);
            file.tell("ladder", self.plan.ladder_name());
            best.save(&mut file, BEST, &best.params);
        }
        file
    }

    fn net(&self) -> NetFile {
        self.best.as_ref().map_or(&self.smoothed, |(best, _)| best).to_file()
    }
}

impl Zero {
    /// Plays the games of a round.
    fn self_play(&self, round: &Round<'_>) -> Result<Vec<SelfPlayGame>, RunError> {
        let rules = self.plan.rules(round.number, round.share);
        let net = Arc::new(self.smoothed.clone());
        let n_games = self.plan.n_games_of(round.number);
        let n_done = AtomicUsize::new(0);
        parallel::map(round.n_jobs, n_games, round.stop, |idx| {
            let size = self.plan.sizes[idx % self.plan.sizes.len()];
            let game = work::play(self.plan.game, size, &net, &rules, mixed(round.seed, idx as u64));
            let n_done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
            round.note("self-play", n_done as f64 / n_games as f64);
            Ok(game)
        })
    }

    /// Takes as many steps as the new samples allow, and tells the losses.
    fn train(&mut self, round: &Round<'_>, n_new: usize, entry: &mut Entry) -> Result<(), RunError> {
        let rate = self.plan.rate_at(round.share);
        let mut rng = Rng::with_seed(mixed(round.seed, TRAINING));
        let n_steps = (n_new as f64 * self.plan.n_uses / self.plan.batch as f64).ceil() as usize;
        let mut sum = Losses::default();
        for step in 0..n_steps {
            if round.stop.is_raised() {
                return Err(RunError::Stopped);
            }
            round.note("training", step as f64 / n_steps as f64);
            let samples = self.samples(&self.window.draw(self.plan.batch, &mut rng));
            if samples.is_empty() {
                break;
            }
            let batch: Vec<&Sample> = samples.iter().collect();
            let losses = self.trainer.step(&batch, &mut rng, rate, round.n_jobs);
            smooth(&mut self.smoothed, self.trainer.net(), self.plan.smoothing, self.trainer.n_steps());
            sum.policy += losses.policy / n_steps as f32;
            sum.value += losses.value / n_steps as f32;
            sum.lead += losses.lead / n_steps as f32;
        }
        let held_out = self.samples(&self.window.held_out(N_HELD_OUT));
        let smoothed = Trainer::new(self.smoothed.clone());
        let held_out = smoothed.losses(&held_out.iter().collect::<Vec<_>>(), round.n_jobs);
        for (name, value) in [
            ("policy loss", sum.policy),
            ("value loss", sum.value),
            ("held-out policy", held_out.policy),
            ("held-out value", held_out.value),
            ("held-out lead", held_out.lead),
            ("window", self.window.n_samples() as f32),
        ] {
            entry.figure(name, value.into());
        }
        Ok(())
    }

    fn samples(&self, drawn: &[(&SelfPlayGame, usize)]) -> Vec<Sample> {
        drawn.iter().map(|&(game, n)| game.sample(self.plan.game, n, self.plan.target)).collect()
    }

    /// Plays the ladder, and keeps the net if it is the best so far.
    fn climb(&mut self, round: &Round<'_>) -> Result<Vec<Rung>, RunError> {
        round.note("ladder", 0.0);
        let net = Arc::new(self.smoothed.clone());
        let mut rungs = Vec::new();
        for &size in &self.plan.ladder_sizes {
            let game = GameSpec::new(self.plan.game, size).expect("a size of the game");
            let ladder = Ladder {
                game,
                opponents: self.plan.opponents(),
                n_games: self.plan.ladder_games,
                limits: Limits { nodes: Some(self.plan.ladder_simulations), ..Limits::default() },
                seed: LADDER_SEED,
            };
            let make: MakeAgent<'_> = Box::new(|seed| Ok(work::agent(&net, seed)));
            rungs.extend(ladder.play(round.n_jobs, round.stop, &make)?);
        }
        let share = rungs.iter().map(Rung::share).sum::<f64>() / rungs.len().max(1) as f64;
        // Of equals the newer one: it has learned more than a ladder may show.
        if self.best.as_ref().is_none_or(|&(_, most)| most <= share as f32) {
            self.best = Some((self.smoothed.clone(), share as f32));
        }
        Ok(rungs)
    }
}

/// The first searched moves of games without random ones, by how often they were played.
fn openings(game: &'static yarra_games::GameInfo, games: &[SelfPlayGame]) -> Vec<(String, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for played in games.iter().filter(|played| played.n_random == 0 && !played.moves.is_empty()) {
        let Some(spec) = GameSpec::new(game, played.size) else { continue };
        *counts.entry(spec.start().show_move(played.moves[0])).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts.truncate(5);
    counts
}
