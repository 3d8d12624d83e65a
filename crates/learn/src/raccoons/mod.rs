//! The recipe `raccoons`: report 004, Agent 1, 3 (Self-play & Reinforcement Learning), to the letter.
//!
//! A round is one attempt: games of self-play, training on all examples of the epoch, and a match of the new net
//! against the old one. If the new net wins enough games, an epoch is done: it takes the place of the old one and the
//! examples are dropped. Otherwise it is discarded, the examples are kept, and the next attempt adds more.
//!
//! The report repeats this until the new net wins. Here an epoch is given up after some attempts, and says so.

mod diagnosis;
mod estimate;
mod examples;
mod games;
mod gradient;
mod options;
#[cfg(test)]
mod tests;
mod train;

use std::any::Any;
use std::sync::Arc;

use yarra_engine::net::NetFile;
use yarra_engine::{Limits, Settings};
use yarra_games::infexion::Infexion;
use yarra_games::{MoveList, Player, Position, mixed};
use yarra_reports::raccoons::zero::{Activations, Net, Planes, Zero};

use crate::ladder::{Ladder, MakeAgent, Rung};
use crate::run::{Recipe, RecipeInfo, Saved, View};
use crate::{Entry, Plan, Round, RunError, parallel};
pub use diagnosis::{Diagnosis, diagnose};
use estimate::estimate;
use examples::examples;
use games::{duel, from_shard, self_play, to_shard};
use options::Options;
use train::train;

/// The recipe.
pub const INFO: RecipeInfo = RecipeInfo {
    name: "raccoons",
    about: "report 004's simplified AlphaZero with its faults, each of which can be repaired",
    games: &["infexion"],
    agent: "raccoons-zero",
    options: &options::OPTIONS,
    begin,
    estimate,
    view,
};

/// The agents that a net that has won is measured against.
const LADDER: [&str; 3] = ["random", "greedy", "raccoons"];
const LADDER_SEED: u64 = 1;

/// A run of the recipe.
struct Raccoons {
    options: Options,
    /// The net that plays and is trained. It is the best one unless failed nets are kept.
    net: Arc<Net>,
    /// The last net that has won its match.
    best: Arc<Net>,
    /// Epochs that are done.
    epoch: u64,
    /// Attempts at the current epoch that have failed.
    attempt: u64,
    /// The first round whose examples are kept.
    first: u64,
}

fn begin(plan: &Plan, settings: &Settings, saved: Option<Saved<'_>>) -> Result<Box<dyn Recipe>, RunError> {
    let options = Options::read(plan, settings);
    if let Some(saved) = saved {
        let net = |prefix| Net::with_prefix(&saved.state, options.design, prefix).map(Arc::new);
        let counter = |name| saved.state.told::<u64>(name);
        return Ok(Box::new(Raccoons {
            net: net(NET)?,
            best: net(BEST)?,
            epoch: counter("epoch")?,
            attempt: counter("attempt")?,
            first: counter("first")?,
            options,
        }));
    }
    let mut rng = fastrand::Rng::with_seed(mixed(plan.seed, u64::MAX));
    let net = Arc::new(Net::random(options.design, options.init, &mut rng));
    Ok(Box::new(Raccoons { best: net.clone(), net, epoch: 0, attempt: 0, first: 0, options }))
}

/// What a net says about a position, without search.
fn view(file: &NetFile, pos: &dyn Position) -> Result<View, RunError> {
    let (net, _) = Net::from_file(file)?;
    let infexion = (pos as &dyn Any).downcast_ref::<Infexion>();
    let pos =
        infexion.ok_or_else(|| RunError::new(format!("this net plays infexion, not {}", pos.spec())))?;
    let mut out = Activations::default();
    net.run(&Planes::of(pos), &mut out);
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    let priors = net.priors(&out.logits, &moves).into_iter().map(f64::from);
    Ok(View {
        value: net.value_for_mover(pos, out.value).into(),
        policy: moves.iter().copied().zip(priors).collect(),
    })
}

/// Prefixes of the tensors in the state.
const NET: &str = "net.";
const BEST: &str = "best.";

impl Recipe for Raccoons {
    fn round(&mut self, round: &Round<'_>) -> Result<Entry, RunError> {
        for old in self.first.saturating_sub(self.options.attempts)..self.first {
            round.dir.remove_shard(old)?;
        }
        let played = self.play(round)?;
        let n_plies: usize = played.iter().map(|game| game.plies.len()).sum();
        round.dir.write_shard(round.number, &to_shard(&played))?;
        let mut all = Vec::new();
        for shard in self.first..=round.number {
            let games = from_shard(&round.dir.read_shard(shard)?)?;
            all.extend(games.iter().flat_map(|game| examples(&self.net, game)));
        }
        let mut new = Net::clone(&self.net);
        let mut rng = fastrand::Rng::with_seed(mixed(round.seed, TRAINING));
        let losses = train(&mut new, &all, &self.options, &mut rng, round)?;
        let new = Arc::new(new);
        let score = self.compete(&new, round)?;
        let mut entry = Entry {
            games: played.len() as u64,
            positions: n_plies as u64,
            mean_plies: n_plies as f64 / played.len() as f64,
            ..Entry::default()
        };
        entry.figure("epoch", (self.epoch + 1) as f64);
        entry.figure("attempt", (self.attempt + 1) as f64);
        entry.figure("value loss", losses.value);
        entry.figure("policy loss", losses.policy);
        entry.figure("match wins", f64::from(score[0]));
        let Diagnosis { full_outputs, full_values, correlation } = diagnose(&new);
        entry.figure("outputs > 0.99", full_outputs);
        entry.figure("values > 0.99", full_values);
        entry.figure("value ~ lead", correlation);
        let has_won = self.options.needed * self.options.match_games as f64 <= f64::from(score[0]);
        if has_won {
            entry.ladder = self.measure(&new, round)?;
        }
        entry.remarks = self.settle(new, has_won, score, round.number);
        Ok(entry)
    }

    fn state(&self) -> NetFile {
        let mut state = self.best.to_file(self.options.rule);
        state.tensors.clear();
        self.net.add_to(&mut state, NET);
        self.best.add_to(&mut state, BEST);
        state.tell("epoch", self.epoch);
        state.tell("attempt", self.attempt);
        state.tell("first", self.first);
        state
    }

    fn net(&self) -> NetFile {
        self.net.to_file(self.options.rule)
    }

    fn is_complete(&self) -> bool {
        self.options.epochs <= self.epoch
    }
}

/// What the seeds of a round are for.
const SELF_PLAY: u64 = 1 << 32;
const TRAINING: u64 = 2 << 32;
const MATCH: u64 = 3 << 32;

impl Raccoons {
    /// Games of self-play, the same ones whatever the number of threads.
    fn play(&self, round: &Round<'_>) -> Result<Vec<games::PlayedGame>, RunError> {
        let Options { rule, simulations, games, .. } = self.options;
        parallel::map(round.n_jobs, games, round.stop, |idx| {
            let mut rng = fastrand::Rng::with_seed(mixed(round.seed, SELF_PLAY + idx as u64));
            round.note("self-play", idx as f64 / games as f64);
            Ok(self_play(&self.net, rule, simulations, &mut rng))
        })
    }

    /// The new net against the best one, with colors swapped from game to game: games won, drawn and lost.
    fn compete(&self, new: &Net, round: &Round<'_>) -> Result<[u32; 3], RunError> {
        let Options { rule, match_simulations, match_games, .. } = self.options;
        let winners = parallel::map(round.n_jobs, match_games, round.stop, |idx| {
            let mut rng = fastrand::Rng::with_seed(mixed(round.seed, MATCH + idx as u64));
            round.note("match", idx as f64 / match_games as f64);
            let is_red = idx.is_multiple_of(2);
            let nets = if is_red { [new, &self.best] } else { [&self.best, new] };
            let new_player = if is_red { Player::Red } else { Player::Blue };
            Ok(duel(nets, rule, match_simulations, &mut rng).map(|winner| winner == new_player))
        })?;
        let count = |result| winners.iter().filter(|&&winner| winner == result).count() as u32;
        Ok([Some(true), None, Some(false)].map(count))
    }

    /// The new net against the agents of the ladder.
    fn measure(&self, new: &Arc<Net>, round: &Round<'_>) -> Result<Vec<Rung>, RunError> {
        let Options { rule, match_simulations, ladder_games, .. } = self.options;
        if ladder_games == 0 {
            return Ok(Vec::new());
        }
        round.note("ladder", 0.0);
        let game = "infexion".parse().map_err(|error| RunError::new(format!("ladder: {error}")))?;
        let limits = Limits { nodes: Some(match_simulations), ..Limits::default() };
        let ladder = Ladder { game, opponents: &LADDER, n_games: ladder_games, limits, seed: LADDER_SEED };
        let make: MakeAgent<'_> =
            Box::new(|seed| Ok(Box::new(Zero::new(new.clone(), rule, match_simulations, seed))));
        ladder.play(round.n_jobs, round.stop, &make)
    }

    /// Keeps or discards the new net, and says so.
    fn settle(&mut self, new: Arc<Net>, has_won: bool, score: [u32; 3], round: u64) -> Vec<String> {
        let [wins, draws, losses] = score;
        let what = format!("epoch {}, attempt {}: {wins}-{draws}-{losses}", self.epoch + 1, self.attempt + 1);
        self.attempt += 1;
        if has_won {
            (self.net, self.best) = (new.clone(), new);
        } else if self.options.keeps_failed {
            self.net = new;
        }
        let is_given_up = !has_won && self.options.attempts <= self.attempt;
        if has_won || is_given_up {
            (self.epoch, self.attempt, self.first) = (self.epoch + 1, 0, round + 1);
        }
        let verdict = match (has_won, self.options.keeps_failed) {
            (true, _) => "the new net takes over",
            (false, false) => "the new net is discarded",
            (false, true) => "the new net has not won and is trained on",
        };
        let mut remarks = vec![format!("{what}, {verdict}")];
        if is_given_up {
            remarks
                .push(format!("no net has won in {} attempts: the epoch is given up", self.options.attempts));
        }
        remarks
    }
}
