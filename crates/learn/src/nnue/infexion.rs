//! Infexion: the counts of stacks and reach, and a net beside them.

use std::any::Any;
use std::sync::Arc;

use fastrand::Rng;
use yarra_engine::champion::infexion::net::{N_INPUTS, NetEvaluation};
use yarra_engine::champion::infexion::{COUNTS, FITTED, HAND, N_FEATURES, OPTIONS, Reach, V0_1};
use yarra_engine::champion::{FINE, Weights};
use yarra_engine::eval::Evaluator;
use yarra_engine::net::NetFile;
use yarra_engine::net::nnue::{Nnue, UNIT};
use yarra_engine::pvs::PvsOptions;
use yarra_engine::{Agent, Pvs, Settings};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position};

use super::learner::{Learner, Lesson, Subject, view_of};
use super::play::PlayPlan;
use super::samples::{N_COUNTS, Samples};
use super::train::{TrainPlan, Trainer};
use crate::ladder::Opponent;
use crate::run::View;
use crate::{Plan, RunError};

pub const SUBJECT: Subject = Subject { game: "infexion", begin, view };

/// Keeps features that hardly occur where they were.
const PULL: f64 = 1e-6;
/// The length of the first and the last steps of the net.
const RATES: [f32; 2] = [2e-3, 1e-5];
const BATCH: usize = 2048;
/// The net plays from this share of the run on: before, it knows too little to be better than the counts alone.
const NET_PLAYS_FROM: f64 = 0.4;

struct InfexionLearner {
    /// The weights of the counts alone; `None` from nothing.
    counts: Option<Weights<N_FEATURES>>,
    trainer: Option<Trainer>,
    /// Whether the net plays.
    plays_net: bool,
    opinion: f32,
    n_epochs: u32,
    /// The champion's.
    options: PvsOptions,
}

fn begin(plan: &Plan, settings: &Settings, state: Option<&NetFile>) -> Result<Box<dyn Learner>, RunError> {
    let counts = match settings.get("from") {
        "fitted" => Some(FITTED),
        "hand" => Some(HAND),
        "nothing" => None,
        _ => Some(V0_1),
    };
    let has_net = counts.is_none() || settings.get("net");
    let mut rng = Rng::with_seed(plan.seed);
    let first = counts.as_ref().map_or([0.0; N_COUNTS], floats);
    let mut learner = InfexionLearner {
        trainer: has_net.then(|| Trainer::new(N_INPUTS, first, &mut rng)),
        plays_net: counts.is_none(),
        counts,
        opinion: settings.get::<i32>("opinion") as f32 / 100.0,
        n_epochs: settings.get("epochs"),
        options: PvsOptions::read(&Settings::read(OPTIONS, "table=1")?),
    };
    if let Some(state) = state {
        if learner.counts.is_some() {
            learner.counts = Some(Weights::read(state, COUNTS)?);
        }
        if learner.trainer.is_some() {
            learner.trainer = Some(Trainer::read(state, N_INPUTS)?);
        }
        learner.plays_net = state.told("plays-net")?;
    }
    Ok(Box::new(learner))
}

/// Weights in the net's unit, in the order of the counts.
fn floats(weights: &Weights<N_FEATURES>) -> [f32; N_COUNTS] {
    let numbers: Vec<i32> = weights.moving.into_iter().chain(weights.waiting).chain([weights.turn]).collect();
    std::array::from_fn(|idx| numbers[idx] as f32 / (FINE * UNIT) as f32)
}

fn whole(weights: &[f32; N_COUNTS]) -> Weights<N_FEATURES> {
    let number = |idx: usize| (weights[idx] * (FINE * UNIT) as f32).round() as i32;
    Weights {
        moving: std::array::from_fn(number),
        waiting: std::array::from_fn(|idx| number(N_FEATURES + idx)),
        turn: number(2 * N_FEATURES),
    }
}

impl InfexionLearner {
    fn net(&self) -> Option<NetEvaluation> {
        let evaluation = |trainer: &Trainer| NetEvaluation {
            weights: whole(&trainer.counts),
            net: Arc::new(Nnue::quantized(&trainer.net)),
        };
        self.trainer.as_ref().map(evaluation)
    }

    fn samples(&self, games: &[super::games::PlayedGame]) -> Samples {
        let mut samples = Samples::default();
        games.iter().for_each(|game| samples.add(game, self.opinion));
        samples
    }
}

impl Learner for InfexionLearner {
    fn start(&self, _: usize) -> Box<dyn Position> {
        Infexion::start(7).expect("the size of Infexion").boxed()
    }

    fn plan(&self, _: u8) -> PlayPlan {
        PlayPlan { nodes: 0, opening: (4, 9), blunders: 2, decided: 2500, n_decided: 8 }
    }

    fn agent(&self, _: &dyn Position) -> Result<Box<dyn Agent>, RunError> {
        Ok(match (self.net().filter(|_| self.plays_net), self.counts) {
            (Some(NetEvaluation { weights, net }), _) => {
                Box::new(Pvs::<Infexion, _>::new(Reach::with_net(weights, net), self.options))
            }
            (None, counts) => {
                let weights = counts.expect("without a net there are counts");
                Box::new(Pvs::<Infexion, _>::new(Reach::new(weights), self.options))
            }
        })
    }

    fn learn(&mut self, lesson: &Lesson<'_>) -> Result<Vec<(&'static str, f64)>, RunError> {
        let [samples, held_out] = [lesson.games, lesson.held_out].map(|games| self.samples(games));
        let mut figures = vec![("search", held_out.search_loss())];
        if let Some(old) = self.counts {
            let fitted = whole(&samples.counts.fit(&floats(&old), PULL));
            figures.push(("counts", held_out.counts.loss(&floats(&fitted))));
            self.counts = Some(fitted);
        }
        if let Some(trainer) = &mut self.trainer {
            let cosine = 0.5 + 0.5 * (std::f64::consts::PI * lesson.share).cos();
            let rate = RATES[1] + (RATES[0] - RATES[1]) * cosine as f32;
            let plan = TrainPlan {
                n_epochs: self.n_epochs,
                batch: BATCH,
                rate,
                last_rate: rate,
                trains_counts: self.counts.is_some(),
            };
            // Its counts follow the fit while it does not play.
            if let Some(counts) = self.counts.filter(|_| !self.plays_net) {
                trainer.counts = floats(&counts);
            }
            let loss = trainer.train(&samples, plan, &mut lesson.generator(), lesson.stop)?;
            figures.push(("net, learned", loss));
            figures.push(("net", trainer.loss(&held_out)));
            figures.push(("rms to search", trainer.rms(&held_out)));
            self.plays_net |= NET_PLAYS_FROM <= lesson.share;
        }
        Ok(figures)
    }

    fn write_state(&self, file: &mut NetFile) {
        if let Some(counts) = &self.counts {
            counts.write(COUNTS, file);
        }
        if let Some(trainer) = &self.trainer {
            trainer.write(file);
        }
        file.tell("plays-net", self.plays_net);
    }

    fn write_net(&self, file: &mut NetFile) {
        // From nothing there are no counts, so that without its net the evaluation is none.
        self.counts
            .unwrap_or(Weights { moving: [0; N_FEATURES], waiting: [0; N_FEATURES], turn: 0 })
            .write(COUNTS, file);
        if let (Some(net), Some(trainer)) = (self.net(), &self.trainer) {
            net.write(file);
            trainer.net.write(file);
        }
    }

    fn opponents(&self) -> &'static [Opponent] {
        &[
            "greedy",
            "raccoons",
            "champion:weights=hand,net=off,nodes=2000",
            "champion:weights=0.1,net=off,nodes=2000",
        ]
    }
}

fn view(file: &NetFile, pos: &dyn Position) -> Result<View, RunError> {
    let pos: &Infexion =
        (pos as &dyn Any).downcast_ref().ok_or_else(|| RunError::new("expected a position of infexion"))?;
    let score = if NetEvaluation::is_in(file) {
        let NetEvaluation { weights, net } = NetEvaluation::read(file)?;
        let reach = Reach::with_net(weights, net);
        reach.value(&reach.root(pos), pos)
    } else {
        let reach = Reach::new(Weights::read(file, COUNTS)?);
        reach.value(&reach.root(pos), pos)
    };
    Ok(view_of(score.0, f64::from(UNIT)))
}
