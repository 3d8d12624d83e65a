//! Cachex: the weights of paths, stones and captures, for all sizes together.

use yarra_engine::champion::cachex::{
    COUNTS, CachexChampion, FITTED, HAND, N_FEATURES, OPTIONS, Paths, V0_1, features,
};
use yarra_engine::champion::{FINE, Weights};
use yarra_engine::eval::Evaluator;
use yarra_engine::net::NetFile;
use yarra_engine::{Agent, Score, Settings};
use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Position, RhombusWork, start, with_rhombus};

use super::counts::Rows;
use super::games::PlayedGame;
use super::learner::{Learner, Lesson, Subject, view_of};
use super::play::PlayPlan;
use crate::ladder::Opponent;
use crate::regression::sigmoid;
use crate::run::View;
use crate::{Plan, RunError};

pub const SUBJECT: Subject = Subject { game: "cachex", begin, view };

/// The weights: for the player to move, for the other, and of having the move.
const N_COUNTS: usize = 2 * N_FEATURES + 1;
/// The board sizes, used in turn if none is given.
const SIZES: [u8; 3] = [7, 9, 11];
/// Hundredths of the evaluation's unit per unit of the regression.
const SCALE: f64 = 235.0;
/// Keeps features that hardly occur where they were.
const PULL: f64 = 1e-6;

struct CachexLearner {
    counts: Weights<N_FEATURES>,
    sizes: Vec<u8>,
    opinion: f32,
    settings: Settings,
}

fn begin(plan: &Plan, settings: &Settings, state: Option<&NetFile>) -> Result<Box<dyn Learner>, RunError> {
    let (_, size) = plan.game().map_err(|error| RunError::new(error.to_string()))?;
    let first = match settings.get("from") {
        "fitted" => FITTED,
        "hand" => HAND,
        "nothing" => Weights { moving: [0; N_FEATURES], waiting: [0; N_FEATURES], turn: 0 },
        _ => V0_1,
    };
    Ok(Box::new(CachexLearner {
        counts: state.map_or(Ok(first), |state| Weights::read(state, COUNTS))?,
        sizes: size.map_or(SIZES.to_vec(), |size| vec![size]),
        opinion: settings.get::<i32>("opinion") as f32 / 100.0,
        // What the tables know needs no evaluation.
        settings: Settings::read(OPTIONS, "table=1,solved=off,openings=off")?,
    }))
}

fn floats(weights: &Weights<N_FEATURES>) -> [f32; N_COUNTS] {
    let numbers: Vec<i32> = weights.moving.into_iter().chain(weights.waiting).chain([weights.turn]).collect();
    std::array::from_fn(|idx| (f64::from(numbers[idx]) / (f64::from(FINE) * SCALE)) as f32)
}

fn whole(weights: &[f32; N_COUNTS]) -> Weights<N_FEATURES> {
    let number = |idx: usize| (f64::from(weights[idx]) * f64::from(FINE) * SCALE).round() as i32;
    Weights {
        moving: std::array::from_fn(number),
        waiting: std::array::from_fn(|idx| number(N_FEATURES + idx)),
        turn: number(2 * N_FEATURES),
    }
}

/// Samples, and the loss of the search's own scores.
struct Samples {
    rows: Rows<i16, N_COUNTS>,
    search_loss: f64,
}

impl CachexLearner {
    fn samples(&self, games: &[PlayedGame]) -> Result<Samples, RunError> {
        let mut rows = Rows::default();
        let mut losses = 0.0;
        for game in games {
            let start = start_of(game.size)?;
            game.visit(&*start, |pos, score, result| {
                let opinion = sigmoid(f64::from(score) / SCALE) as f32;
                let target = self.opinion * opinion + (1.0 - self.opinion) * result;
                losses += entropy(target, opinion);
                rows.push(with_rhombus(pos, CountsOf).expect("a position of Cachex"), target);
            });
        }
        let search_loss = losses / rows.targets.len().max(1) as f64;
        Ok(Samples { rows, search_loss })
    }
}

fn entropy(target: f32, p: f32) -> f64 {
    let (target, p) = (f64::from(target), f64::from(p).clamp(1e-9, 1.0 - 1e-9));
    -target * p.ln() - (1.0 - target) * (1.0 - p).ln()
}

fn start_of(size: u8) -> Result<Box<dyn Position>, RunError> {
    start(&format!("cachex:{size}")).map_err(|error| RunError::new(error.to_string()))
}

/// Finds the counts of a position.
struct CountsOf;

impl RhombusWork for CountsOf {
    type Output = [i16; N_COUNTS];

    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> [i16; N_COUNTS] {
        let [mover, other] = features(pos, &Paths::default().root(pos));
        std::array::from_fn(|idx| match idx.checked_sub(N_FEATURES) {
            None => mover[idx] as i16,
            Some(idx) if idx < N_FEATURES => -other[idx] as i16,
            Some(_) => 1,
        })
    }
}

struct MakeAgent<'a>(&'a CachexLearner);

impl RhombusWork for MakeAgent<'_> {
    type Output = Box<dyn Agent>;

    fn run<B: Bits, const CAPTURES: bool>(self, _: &Rhombus<B, CAPTURES>) -> Box<dyn Agent> {
        Box::new(CachexChampion::<B, CAPTURES>::new(&self.0.settings, self.0.counts))
    }
}

impl Learner for CachexLearner {
    fn start(&self, index: usize) -> Box<dyn Position> {
        start_of(self.sizes[index % self.sizes.len()]).expect("the plan's size")
    }

    fn plan(&self, size: u8) -> PlayPlan {
        PlayPlan { nodes: 0, opening: (1, size.into()), blunders: 2, decided: 100_000, n_decided: 4 }
    }

    fn agent(&self, start: &dyn Position) -> Result<Box<dyn Agent>, RunError> {
        with_rhombus(start, MakeAgent(self)).ok_or_else(|| RunError::new("expected a position of cachex"))
    }

    fn learn(&mut self, lesson: &Lesson<'_>) -> Result<Vec<(&'static str, f64)>, RunError> {
        let samples = self.samples(lesson.games)?;
        let held_out = self.samples(lesson.held_out)?;
        let old = floats(&self.counts);
        self.counts = whole(&samples.rows.fit(&old, PULL));
        Ok(vec![
            ("search", held_out.search_loss),
            ("old counts", held_out.rows.loss(&old)),
            ("counts", held_out.rows.loss(&floats(&self.counts))),
        ])
    }

    fn write_state(&self, file: &mut NetFile) {
        self.counts.write(COUNTS, file);
    }

    fn write_net(&self, file: &mut NetFile) {
        self.counts.write(COUNTS, file);
    }

    fn opponents(&self) -> &'static [Opponent] {
        &["tbd", "champion:weights=hand,nodes=2000", "champion:weights=0.1,nodes=2000"]
    }
}

struct Value(Weights<N_FEATURES>);

impl RhombusWork for Value {
    type Output = Score;

    fn run<B: Bits, const CAPTURES: bool>(self, pos: &Rhombus<B, CAPTURES>) -> Score {
        let paths = Paths { weights: self.0, ..Paths::default() };
        paths.value(&paths.root(pos), pos)
    }
}

fn view(file: &NetFile, pos: &dyn Position) -> Result<View, RunError> {
    let score = with_rhombus(pos, Value(Weights::read(file, COUNTS)?));
    let score = score.ok_or_else(|| RunError::new("expected a position of cachex"))?;
    Ok(view_of(score.0, SCALE))
}
