//! An evaluation under training: counts, and perhaps a net beside them.

use std::sync::Arc;

use fastrand::Rng;
use yarra_engine::Settings;
use yarra_engine::champion::net::{COUNTS, Evaluation, NetEvaluation};
use yarra_engine::champion::{FINE, Weights};
use yarra_engine::net::nnue::Nnue;
use yarra_engine::net::{NetError, NetFile};

use super::learner::Lesson;
use super::samples::{Layout, Samples};
use super::train::{TrainPlan, Trainer};
use crate::RunError;

/// Keeps features that hardly occur where they were.
const PULL: f64 = 1e-6;
/// The length of the first and the last steps of the net.
const RATES: [f32; 2] = [2e-3, 1e-5];
const BATCH: usize = 2048;
/// The net plays from this share of the run on: before, it knows too little to be better than the counts alone.
const NET_PLAYS_FROM: f64 = 0.4;

/// `F` features of each player, and so `N` = 2 `F` + 1 weights.
pub struct Trainee<const F: usize, const N: usize> {
    /// The weights of the counts alone; `None` from nothing.
    counts: Option<Weights<F>>,
    trainer: Option<Trainer<N>>,
    /// Whether the net plays.
    plays_net: bool,
    /// Of the net.
    pub layout: Layout,
    /// The share of the search's opinion in the targets.
    pub opinion: f32,
    n_epochs: u32,
    decay: f32,
}

/// What an evaluation starts from.
pub struct First<const F: usize> {
    /// The counts, or none.
    pub counts: Option<Weights<F>>,
    /// Whether a net is trained.
    pub has_net: bool,
    /// Of the net.
    pub layout: Layout,
    /// The weight decay if none is set: the fewer games there are to learn from, the more it takes.
    pub usual_decay: f32,
}

/// Weights in the net's unit, in the order of the counts.
fn floats<const F: usize, const N: usize>(weights: &Weights<F>, unit: i32) -> [f32; N] {
    let numbers: Vec<i32> = weights.moving.into_iter().chain(weights.waiting).chain([weights.turn]).collect();
    std::array::from_fn(|idx| numbers[idx] as f32 / (FINE * unit) as f32)
}

fn whole<const F: usize, const N: usize>(weights: &[f32; N], unit: i32) -> Weights<F> {
    let number = |idx: usize| (weights[idx] * (FINE * unit) as f32).round() as i32;
    Weights {
        moving: std::array::from_fn(number),
        waiting: std::array::from_fn(|idx| number(F + idx)),
        turn: number(2 * F),
    }
}

impl<const F: usize, const N: usize> Trainee<F, N> {
    /// A first evaluation, or the one that a state holds.
    ///
    /// # Errors
    /// If something is missing in the state.
    pub fn begin(
        first: First<F>,
        settings: &Settings,
        seed: u64,
        state: Option<&NetFile>,
    ) -> Result<Trainee<F, N>, NetError> {
        let First { mut counts, has_net, layout, usual_decay } = first;
        let shape = layout.shape;
        let mut trainer = has_net.then(|| {
            let weights = counts.as_ref().map_or([0.0; N], |counts| floats(counts, shape.unit));
            Trainer::new(shape, weights, &mut Rng::with_seed(seed))
        });
        let mut plays_net = counts.is_none();
        if let Some(state) = state {
            counts = counts.map(|_| Weights::read(state, COUNTS)).transpose()?;
            trainer = has_net.then(|| Trainer::read(state, shape)).transpose()?;
            plays_net = state.told("plays-net")?;
        }
        let opinion = settings.get::<i32>("opinion") as f32 / 100.0;
        let n_epochs = settings.get("epochs");
        let decay = match settings.get::<f64>("decay") as f32 {
            0.0 => usual_decay,
            decay => decay,
        };
        Ok(Trainee { counts, trainer, plays_net, layout, opinion, n_epochs, decay })
    }

    /// The evaluation that plays.
    pub fn playing(&self) -> Evaluation<F> {
        let counts = || Evaluation::Counts(self.counts());
        self.net().filter(|_| self.plays_net).map_or_else(counts, Evaluation::Net)
    }

    /// The weights of the counts alone; 0 from nothing, so that without its net the evaluation is none.
    fn counts(&self) -> Weights<F> {
        self.counts.unwrap_or(Weights { moving: [0; F], waiting: [0; F], turn: 0 })
    }

    fn net(&self) -> Option<NetEvaluation<F>> {
        let shape = self.layout.shape;
        self.trainer.as_ref().map(|trainer| NetEvaluation {
            weights: whole(&trainer.counts, shape.unit),
            net: Arc::new(Nnue::quantized(&trainer.net, shape)),
        })
    }

    /// Fits the counts and trains the net, and returns figures by name.
    ///
    /// # Errors
    /// If the flag is raised.
    pub fn learn(
        &mut self,
        samples: &Samples<N>,
        held_out: &Samples<N>,
        lesson: &Lesson<'_>,
    ) -> Result<Vec<(&'static str, f64)>, RunError> {
        let unit = self.layout.shape.unit;
        let mut figures = vec![("search", held_out.search_loss())];
        if let Some(old) = self.counts {
            let old = floats(&old, unit);
            let fitted: Weights<F> = whole(&samples.counts.fit(&old, PULL), unit);
            figures.push(("old counts", held_out.counts.loss(&old)));
            figures.push(("counts", held_out.counts.loss(&floats(&fitted, unit))));
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
                decay: self.decay,
                trains_counts: self.counts.is_some(),
            };
            // Its counts follow the fit while it does not play.
            if let Some(counts) = self.counts.filter(|_| !self.plays_net) {
                trainer.counts = floats(&counts, unit);
            }
            let loss = trainer.train(samples, plan, &mut lesson.generator(), lesson.stop)?;
            figures.push(("net, learned", loss));
            figures.push(("net", trainer.loss(held_out)));
            figures.push(("rms to search", trainer.rms(held_out)));
            self.plays_net |= NET_PLAYS_FROM <= lesson.share;
        }
        Ok(figures)
    }

    /// Adds all that the next round depends on to a file.
    pub fn write_state(&self, file: &mut NetFile) {
        if let Some(counts) = &self.counts {
            counts.write(COUNTS, file);
        }
        if let Some(trainer) = &self.trainer {
            trainer.write(file);
        }
        file.tell("plays-net", self.plays_net);
    }

    /// Adds what the champion reads to a file.
    pub fn write_net(&self, file: &mut NetFile) {
        self.counts().write(COUNTS, file);
        if let (Some(net), Some(trainer)) = (self.net(), &self.trainer) {
            net.write(file);
            trainer.net.write(file);
        }
    }
}
