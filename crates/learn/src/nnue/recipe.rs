//! The rounds of recipe `nnue`: self-play with the newest evaluation, then a fit to the games of the last rounds.

use std::time::Instant;

use yarra_engine::champion::KIND;
use yarra_engine::net::NetFile;
use yarra_engine::{Limits, OptionInfo, Settings, Stop};
use yarra_games::{Position, mixed};

use super::games::{PlayedGame, read_games, write_games};
use super::learner::{Learner, Lesson, Subject};
use super::play::{generator, play_game};
use super::{cachex, infexion, tetress};
use crate::ladder::{Ladder, MakeAgent};
use crate::parallel;
use crate::run::{Saved, View};
use crate::{Entry, Estimate, Plan, Recipe, RecipeInfo, Round, RunError};

/// The recipe.
pub const INFO: RecipeInfo = RecipeInfo {
    name: "nnue",
    about: "the champion's evaluation, fitted to its own searches: counts, and for Infexion and single sizes of Cachex a small net beside them",
    games: &["infexion", "tetress", "cachex"],
    agent: "champion",
    options: OPTIONS,
    begin,
    estimate,
    view,
};

const OPTIONS: &[OptionInfo] = &[
    OptionInfo::integer("games", 1..=1_000_000, "500", "games per round"),
    OptionInfo::integer("nodes", 1..=1_000_000_000, "2000", "nodes per move in self-play"),
    OptionInfo::integer("window", 1..=100_000, "10", "rounds whose games are learned from"),
    OptionInfo::integer(
        "opinion",
        0..=100,
        "70",
        "weight of the search's score against the result, in percent",
    ),
    OptionInfo::choice(
        "from",
        &["fitted", "0.1", "hand", "nothing"],
        "0.1",
        "first evaluation: the champion's, an older one, or for Infexion a random net without counts",
    ),
    OptionInfo::switch(
        "net",
        "on",
        "train a net beside the counts of Infexion, or of Cachex on one size of board up to 11",
    ),
    OptionInfo::integer("epochs", 1..=1000, "2", "passes of the net over the window in each round"),
    OptionInfo::number(
        "decay",
        "0",
        "weight decay of the net, which keeps it from learning single games by heart; 0 is 0.1, in Cachex 1",
    )
    .within(0.0, 100.0, "a number from 0 to 100"),
    OptionInfo::integer(
        "ladder",
        0..=1000,
        "20",
        "games against each opponent every fifth round; 0 plays none",
    ),
];

const SUBJECTS: &[Subject] = &[infexion::SUBJECT, tetress::SUBJECT, cachex::SUBJECT];

/// Every so many rounds there is a ladder.
const LADDER_EVERY: u64 = 5;
/// Nodes per move on the ladder, for both sides.
const LADDER_NODES: u64 = 2000;
/// One game of so many is held out.
const HELD_OUT: usize = 10;

struct Nnue {
    game: &'static str,
    learner: Box<dyn Learner>,
    n_games: usize,
    nodes: u64,
    window: u64,
    ladder: u32,
    seed: u64,
}

fn subject(game: &str) -> Result<&'static Subject, RunError> {
    let found = SUBJECTS.iter().find(|subject| subject.game == game);
    found.ok_or_else(|| RunError::new(format!("recipe nnue does not train for {game}")))
}

fn new(plan: &Plan, settings: &Settings, state: Option<&NetFile>) -> Result<Nnue, RunError> {
    let (info, _) = plan.game().map_err(|error| RunError::new(error.to_string()))?;
    let subject = subject(info.name)?;
    Ok(Nnue {
        game: subject.game,
        learner: (subject.begin)(plan, settings, state)?,
        n_games: settings.get("games"),
        nodes: settings.get("nodes"),
        window: settings.get("window"),
        ladder: settings.get("ladder"),
        seed: plan.seed,
    })
}

fn begin(plan: &Plan, settings: &Settings, saved: Option<Saved<'_>>) -> Result<Box<dyn Recipe>, RunError> {
    Ok(Box::new(new(plan, settings, saved.as_ref().map(|saved| &saved.state))?))
}

impl Nnue {
    fn play(&self, seed: u64, index: usize) -> Result<PlayedGame, RunError> {
        let start = self.learner.start(index);
        let mut agent = self.learner.agent(&*start)?;
        let plan = super::play::PlayPlan { nodes: self.nodes, ..self.learner.plan(start.size()) };
        let game = play_game(&mut *agent, &*start, plan, &mut generator(seed, index as u64));
        game.map_err(|error| RunError::new(format!("self-play: {error}")))
    }

    /// The games of the window, with those of this round at the end.
    fn window(&self, round: &Round<'_>, games: Vec<PlayedGame>) -> Result<[Vec<PlayedGame>; 2], RunError> {
        let first = (round.number + 1).saturating_sub(self.window);
        let [mut learned, mut held_out] = [Vec::new(), Vec::new()];
        let mut add = |games: Vec<PlayedGame>| {
            for (idx, game) in games.into_iter().enumerate() {
                if idx % HELD_OUT == 0 { held_out.push(game) } else { learned.push(game) }
            }
        };
        for number in first..round.number {
            let bytes = round.dir.read_shard(number)?;
            let broken = || RunError::new(format!("the shard of round {number} is not one of games"));
            add(read_games(&bytes).ok_or_else(broken)?);
        }
        add(games);
        Ok([learned, held_out])
    }

    fn ladder(&self, round: &Round<'_>) -> Result<Vec<crate::ladder::Rung>, RunError> {
        let start = self.learner.start(0);
        let ladder = Ladder {
            game: start.spec(),
            opponents: self.learner.opponents(),
            n_games: self.ladder,
            limits: Limits { nodes: Some(LADDER_NODES), ..Limits::default() },
            seed: mixed(self.seed, u64::MAX),
        };
        round.note("ladder", 0.0);
        let make: MakeAgent<'_> = Box::new(|_| {
            let agent = self.learner.agent(&*start);
            Ok(agent.unwrap_or_else(|error| panic!("an agent that has played: {error}")))
        });
        ladder.play(round.n_jobs, round.stop, &make)
    }
}

impl Recipe for Nnue {
    fn round(&mut self, round: &Round<'_>) -> Result<Entry, RunError> {
        let games = parallel::map(round.n_jobs, self.n_games, round.stop, |index| {
            round.note("self-play", index as f64 / self.n_games as f64);
            self.play(round.seed, index)
        })?;
        round.dir.write_shard(round.number, &write_games(&games))?;
        let mut entry = Entry {
            games: games.len() as u64,
            positions: games.iter().map(|game| game.n_scores() as u64).sum(),
            mean_plies: games.iter().map(|game| game.moves.len() as f64).sum::<f64>() / games.len() as f64,
            ..Entry::default()
        };
        let [learned, held_out] = self.window(round, games)?;
        round.note("training", 0.0);
        let lesson = Lesson {
            games: &learned,
            held_out: &held_out,
            share: round.share,
            seed: round.seed,
            stop: round.stop,
        };
        for (name, value) in self.learner.learn(&lesson)? {
            entry.figure(name, value);
        }
        if 0 < self.ladder && (round.is_last || round.number % LADDER_EVERY == LADDER_EVERY - 1) {
            entry.ladder = self.ladder(round)?;
        }
        if let Some(old) = (round.number + 1).checked_sub(self.window) {
            // The round before this one may still be needed if this one is killed: only what it did not read goes.
            if let Some(old) = old.checked_sub(1) {
                round.dir.remove_shard(old)?;
            }
        }
        Ok(entry)
    }

    fn state(&self) -> NetFile {
        let mut file = NetFile::new(KIND, self.game);
        self.learner.write_state(&mut file);
        file
    }

    fn net(&self) -> NetFile {
        let mut file = NetFile::new(KIND, self.game);
        self.learner.write_net(&mut file);
        file
    }
}

/// Plays a few games to measure the speed.
fn estimate(plan: &Plan, settings: &Settings, n_jobs: usize) -> Estimate {
    const N_GAMES: usize = 6;
    let Ok(recipe) = new(plan, settings, None) else { return Estimate::default() };
    let started = Instant::now();
    let games = parallel::map(n_jobs, N_GAMES, &Stop::new(), |index| recipe.play(plan.seed, index));
    let Ok(games) = games else { return Estimate::default() };
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    let positions: usize = games.iter().map(PlayedGame::n_scores).sum();
    Estimate {
        games: N_GAMES as f64 / minutes,
        positions: positions as f64 / minutes,
        round: recipe.n_games as f64 * minutes / N_GAMES as f64,
        milestones: Vec::new(),
    }
}

fn view(file: &NetFile, pos: &dyn Position) -> Result<View, RunError> {
    let subject = subject(pos.info().name)?;
    file.check(KIND, subject.game)?;
    (subject.view)(file, pos)
}
