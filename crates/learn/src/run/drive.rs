//! The loop of a run.

use std::path::Path;
use std::time::{Duration, Instant};

use yarra_engine::net::NetFile;
use yarra_engine::{Settings, Stop};
use yarra_games::mixed;

use super::{Estimate, Length, Logged, Plan, Recipe, RecipeInfo, Round, RunDir};
use crate::RunError;

/// A run that is ready to go on.
pub struct Runner {
    dir: RunDir,
    plan: Plan,
    recipe: Box<dyn Recipe>,
    log: Vec<Logged>,
    n_rounds: u64,
    /// The time of the rounds that are done.
    elapsed: Duration,
}

/// How far a part of the current round is.
pub struct Working<'a> {
    /// The round, from 0.
    pub round: u64,
    /// The part of it, such as `self-play`.
    pub what: &'a str,
    /// From 0 to 1.
    pub fraction: f64,
    /// The share of the run that is done; of a run in rounds, that of whole rounds.
    pub share: f64,
}

/// How a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has gone as far as its plan says.
    Complete,
    /// It was told to stop, and can go on.
    Stopped,
}

impl Runner {
    /// Begins a run, or goes on with the one in the directory.
    ///
    /// # Errors
    /// If the directory contains something else, or the recipe refuses its settings.
    pub fn begin(path: &Path, plan: Plan, info: &RecipeInfo) -> Result<Runner, RunError> {
        let settings = settings(&plan, info)?;
        let (game, _) = plan.game().map_err(|error| RunError::new(error.to_string()))?;
        if !info.games.contains(&game.name) {
            let games = info.games.join(", ");
            return Err(RunError::new(format!(
                "recipe {} trains for {games}, not for {}",
                info.name, game.name
            )));
        }
        // Refuses wrong settings before anything is written.
        let fresh = (info.begin)(&plan, &settings, None)?;
        let dir = RunDir::begin(path, &plan)?;
        let log = dir.log()?;
        let (recipe, n_rounds) = match dir.saved()? {
            Some(saved) => {
                let n_rounds = saved.n_rounds;
                ((info.begin)(&plan, &settings, Some(saved))?, n_rounds)
            }
            None => (fresh, 0),
        };
        let elapsed = log.last().map_or(Duration::ZERO, Logged::elapsed);
        let runner = Runner { dir, plan, recipe, log, n_rounds, elapsed };
        // The run may have been killed between its state and its net. At the start it is an agent already.
        runner.dir.write_net(&runner.net())?;
        Ok(runner)
    }

    /// The net to play with, and how it was made.
    fn net(&self) -> NetFile {
        let Plan { recipe, seed, program, .. } = &self.plan;
        let mut net = self.recipe.net();
        net.tell("recipe", recipe);
        net.tell("seed", seed);
        net.tell("settings", self.plan.settings_text());
        net.tell("program", program);
        net.tell("rounds", self.n_rounds);
        net
    }

    /// What to expect of the run on this machine.
    ///
    /// # Errors
    /// If the recipe refuses its settings.
    pub fn estimate(&self, info: &RecipeInfo, n_jobs: usize) -> Result<Estimate, RunError> {
        Ok((info.estimate)(&self.plan, &settings(&self.plan, info)?, n_jobs))
    }

    /// The rounds that are done.
    pub fn log(&self) -> &[Logged] {
        &self.log
    }

    /// The share of the run that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        share(self.plan.length, self.n_rounds, self.elapsed)
    }

    /// Goes on until the plan is done or the flag is raised. A round that was stopped is not saved. `working` is called
    /// from any thread, `done` after each round that was saved.
    ///
    /// # Errors
    /// If a round fails or cannot be saved.
    pub fn run(
        &mut self,
        n_jobs: usize,
        stop: &Stop,
        working: &(dyn Fn(Working<'_>) + Sync),
        done: &mut dyn FnMut(&Logged),
    ) -> Result<Outcome, RunError> {
        while self.share() < 1.0 && !self.recipe.is_complete() {
            if stop.is_raised() {
                return Ok(Outcome::Stopped);
            }
            let started = Instant::now();
            let (number, share) = (self.n_rounds, self.share());
            let (length, elapsed) = (self.plan.length, self.elapsed);
            let note = |what: &str, fraction| {
                let share = self::share(length, number, elapsed + started.elapsed());
                working(Working { round: number, what, fraction, share });
            };
            let round = Round {
                number,
                share,
                is_last: matches!(self.plan.length, Length::Rounds(n) if n <= number + 1),
                seed: mixed(self.plan.seed, number),
                n_jobs,
                dir: &self.dir,
                stop,
                note: &note,
            };
            let entry = match self.recipe.round(&round) {
                Err(RunError::Stopped) => return Ok(Outcome::Stopped),
                result => result?,
            };
            self.elapsed += started.elapsed();
            self.n_rounds += 1;
            self.log.push(Logged { round: number, minutes: self.elapsed.as_secs_f64() / 60.0, entry });
            self.dir.save(&self.log, self.n_rounds, self.recipe.state(), &self.net())?;
            done(&self.log[self.log.len() - 1]);
        }
        Ok(Outcome::Complete)
    }
}

/// The settings of a plan, checked against the recipe's options.
fn settings(plan: &Plan, info: &RecipeInfo) -> Result<Settings, RunError> {
    let pairs: Vec<_> = plan.settings.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    Ok(Settings::new(info.options, &pairs)?)
}

fn share(length: Length, n_rounds: u64, elapsed: Duration) -> f64 {
    let share = match length {
        Length::Minutes(minutes) => elapsed.as_secs_f64() / (60.0 * minutes),
        Length::Rounds(n) => n_rounds as f64 / n as f64,
    };
    // A length of nothing is done.
    if share.is_nan() { 1.0 } else { share.min(1.0) }
}
