//! Cachex: the weights of paths, stones and captures, and for a single size of board a net beside them.

use yarra_engine::champion::Weights;
use yarra_engine::champion::cachex::net::{other_view, shape};
use yarra_engine::champion::cachex::{FITTED, HAND, N_FEATURES, OPTIONS, V0_1, champion, seen, value};
use yarra_engine::champion::net::Evaluation;
use yarra_engine::net::NetFile;
use yarra_engine::{Agent, Settings};
use yarra_games::{Position, start};

use super::games::PlayedGame;
use super::learner::{Learner, Lesson, Subject, view_of};
use super::play::PlayPlan;
use super::samples::{Layout, MAX_INPUTS, Samples, Seen, counts_of};
use super::trainee::{First, Trainee};
use crate::ladder::Opponent;
use crate::run::View;
use crate::{Plan, RunError};

pub const SUBJECT: Subject = Subject { game: "cachex", begin, view };

/// The weights: for the player to move, for the other, and of having the move.
const N_COUNTS: usize = 2 * N_FEATURES + 1;
/// The board sizes, used in turn if none is given.
const SIZES: [u8; 3] = [7, 9, 11];

struct CachexLearner {
    trainee: Trainee<N_FEATURES, N_COUNTS>,
    sizes: Vec<u8>,
    settings: Settings,
}

fn begin(plan: &Plan, settings: &Settings, state: Option<&NetFile>) -> Result<Box<dyn Learner>, RunError> {
    let (_, size) = plan.game().map_err(|error| RunError::new(error.to_string()))?;
    let counts = match settings.get("from") {
        "fitted" => FITTED,
        "hand" => HAND,
        "nothing" => Weights { moving: [0; N_FEATURES], waiting: [0; N_FEATURES], turn: 0 },
        _ => V0_1,
    };
    let sizes = size.map_or(SIZES.to_vec(), |size| vec![size]);
    let layout = layout(sizes[0]);
    let has_net = size.is_some() && layout.shape.max_present <= MAX_INPUTS && settings.get("net");
    let first = First { counts: Some(counts), has_net, layout, usual_decay: 1.0 };
    Ok(Box::new(CachexLearner {
        trainee: Trainee::begin(first, settings, plan.seed, state)?,
        sizes,
        // What the tables know needs no evaluation.
        settings: Settings::read(OPTIONS, "table=1,solved=off,openings=off")?,
    }))
}

/// The inputs of a board and of its half turn. The transposition is what makes the views alike.
fn layout(size: u8) -> Layout {
    let n_cells = u16::from(size) * u16::from(size);
    let image = |symmetry, input: u16| {
        let cell = input % n_cells;
        if symmetry == 0 { input } else { input - cell + n_cells - 1 - cell }
    };
    Layout::new(shape(size), 2, image, |input| other_view(size, input))
}

fn start_of(size: u8) -> Result<Box<dyn Position>, RunError> {
    start(&format!("cachex:{size}")).map_err(|error| RunError::new(error.to_string()))
}

/// What a sample sees of a position.
fn seen_of(pos: &dyn Position) -> Option<Seen<N_COUNTS>> {
    let (features, inputs) = seen(pos)?;
    Some((counts_of(features), inputs))
}

impl CachexLearner {
    fn samples(&self, games: &[PlayedGame]) -> Result<Samples<N_COUNTS>, RunError> {
        let mut samples = Samples::new(&self.trainee.layout);
        for game in games {
            samples.add(&*start_of(game.size)?, game, self.trainee.opinion, |pos| {
                seen_of(pos).expect("a position of Cachex")
            });
        }
        Ok(samples)
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
        let make = champion(start, &self.settings, self.trainee.playing()).ok_or_else(wrong_game)?;
        Ok(make(0))
    }

    fn learn(&mut self, lesson: &Lesson<'_>) -> Result<Vec<(&'static str, f64)>, RunError> {
        let (samples, held_out) = (self.samples(lesson.games)?, self.samples(lesson.held_out)?);
        self.trainee.learn(&samples, &held_out, lesson)
    }

    fn write_state(&self, file: &mut NetFile) {
        self.trainee.write_state(file);
    }

    fn write_net(&self, file: &mut NetFile) {
        self.trainee.write_net(file);
    }

    fn opponents(&self) -> &'static [Opponent] {
        &["tbd", "champion:weights=hand,nodes=2000", "champion:weights=0.1,nodes=2000"]
    }
}

fn wrong_game() -> RunError {
    RunError::new("expected a position of cachex")
}

fn view(file: &NetFile, pos: &dyn Position) -> Result<View, RunError> {
    let shape = shape(pos.size());
    let score = value(pos, Evaluation::read(file, shape)?).ok_or_else(wrong_game)?;
    Ok(view_of(score.0, f64::from(shape.unit)))
}
