//! Tetress: the weights of mobility, tokens and reach by the phase of the game.

use std::any::Any;

use yarra_engine::champion::tetress::eval::{Evaluation, N_FEATURES, N_KNOTS, Weights, features, knots_at};
use yarra_engine::champion::tetress::{OPTIONS, TetressChampion, TetressOptions};
use yarra_engine::net::NetFile;
use yarra_engine::{Agent, Settings};
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Position};

use super::counts::Rows;
use super::games::PlayedGame;
use super::learner::{Learner, Lesson, Subject, view_of};
use super::play::PlayPlan;
use crate::ladder::Opponent;
use crate::regression::sigmoid;
use crate::run::View;
use crate::{Plan, RunError};

pub const SUBJECT: Subject = Subject { game: "tetress", begin, view };

/// For each knot, a weight of each feature and one of the side to move.
const N_COUNTS: usize = (N_FEATURES + 1) * N_KNOTS;
/// Hundredths of the evaluation's unit per unit of the regression.
const SCALE: f64 = 320.0;
/// For plies that few games reach.
const PULL: f64 = 1e-4;
/// Typical magnitudes of each feature and of the side to move.
const UNITS: [f64; N_FEATURES + 1] = [100.0, 10.0, 10.0, 1.0];

struct TetressLearner {
    weights: Weights,
    opinion: f32,
    options: TetressOptions,
}

fn begin(_: &Plan, settings: &Settings, state: Option<&NetFile>) -> Result<Box<dyn Learner>, RunError> {
    let first = match settings.get("from") {
        "fitted" => Weights::FITTED,
        "hand" => Weights::HAND,
        "nothing" => Weights { features: [[0.0; N_KNOTS]; N_FEATURES], turn: [0.0; N_KNOTS] },
        _ => Weights::V0_1,
    };
    Ok(Box::new(TetressLearner {
        weights: state.map_or(Ok(first), Weights::read)?,
        opinion: settings.get::<i32>("opinion") as f32 / 100.0,
        options: TetressOptions::read(&Settings::read(OPTIONS, "table=1")?)?,
    }))
}

fn floats(weights: &Weights) -> [f32; N_COUNTS] {
    let all: Vec<f32> = weights.features.iter().flatten().chain(&weights.turn).copied().collect();
    std::array::from_fn(|idx| (f64::from(all[idx]) * UNITS[idx / N_KNOTS] / SCALE) as f32)
}

fn weights_of(floats: &[f32; N_COUNTS]) -> Weights {
    let weight = |idx: usize| (f64::from(floats[idx]) * SCALE / UNITS[idx / N_KNOTS]) as f32;
    let row = |feature: usize| std::array::from_fn(|knot| weight(feature * N_KNOTS + knot));
    Weights { features: std::array::from_fn(row), turn: row(N_FEATURES) }
}

fn counts_of(pos: &Tetress) -> [f32; N_COUNTS] {
    let knots = knots_at(pos.ply());
    let [mover, other] = features(pos);
    std::array::from_fn(|idx| {
        let feature = idx / N_KNOTS;
        let difference = if feature < N_FEATURES { mover[feature] - other[feature] } else { 1 };
        (f64::from(difference) / UNITS[feature]) as f32 * knots[idx % N_KNOTS]
    })
}

fn start() -> Tetress {
    Tetress::start(11).expect("the size of Tetress")
}

/// Samples, and the loss of the search's own scores.
struct Samples {
    rows: Rows<f32, N_COUNTS>,
    search_loss: f64,
}

impl TetressLearner {
    fn samples(&self, games: &[PlayedGame]) -> Samples {
        let mut rows = Rows::default();
        let mut losses = 0.0;
        for game in games {
            game.visit(&start(), |pos, score, result| {
                let pos = (pos as &dyn Any).downcast_ref().expect("the game is Tetress");
                let opinion = sigmoid(f64::from(score) / SCALE) as f32;
                let target = self.opinion * opinion + (1.0 - self.opinion) * result;
                let (t, p) = (f64::from(target), f64::from(opinion).clamp(1e-9, 1.0 - 1e-9));
                losses -= t * p.ln() + (1.0 - t) * (1.0 - p).ln();
                rows.push(counts_of(pos), target);
            });
        }
        let search_loss = losses / rows.targets.len().max(1) as f64;
        Samples { rows, search_loss }
    }
}

impl Learner for TetressLearner {
    fn start(&self, _: usize) -> Box<dyn Position> {
        start().boxed()
    }

    fn plan(&self, _: u8) -> PlayPlan {
        PlayPlan { nodes: 0, opening: (2, 8), blunders: 2, decided: 100_000, n_decided: 4 }
    }

    fn agent(&self, _: &dyn Position) -> Result<Box<dyn Agent>, RunError> {
        Ok(Box::new(TetressChampion::new(TetressOptions { weights: self.weights, ..self.options })))
    }

    fn learn(&mut self, lesson: &Lesson<'_>) -> Result<Vec<(&'static str, f64)>, RunError> {
        let [samples, held_out] = [lesson.games, lesson.held_out].map(|games| self.samples(games));
        let old = floats(&self.weights);
        self.weights = weights_of(&samples.rows.fit(&old, PULL));
        Ok(vec![
            ("search", held_out.search_loss),
            ("old counts", held_out.rows.loss(&old)),
            ("counts", held_out.rows.loss(&floats(&self.weights))),
        ])
    }

    fn write_state(&self, file: &mut NetFile) {
        self.weights.write(file);
    }

    fn write_net(&self, file: &mut NetFile) {
        self.weights.write(file);
    }

    fn opponents(&self) -> &'static [Opponent] {
        &["insight-greedy", "champion:weights=hand,nodes=2000", "champion:weights=0.1,nodes=2000"]
    }
}

fn view(file: &NetFile, pos: &dyn Position) -> Result<View, RunError> {
    let pos: &Tetress =
        (pos as &dyn Any).downcast_ref().ok_or_else(|| RunError::new("expected a position of tetress"))?;
    Ok(view_of(Evaluation::new(&Weights::read(file)?).value(pos).0, SCALE))
}
