//! Infexion: the counts of stacks and reach, and a net beside them.

use std::any::Any;

use yarra_engine::champion::infexion::net::{SHAPE, other_view};
use yarra_engine::champion::infexion::{FITTED, HAND, N_FEATURES, OPTIONS, Reach, V0_1, champion, features};
use yarra_engine::champion::net::{Evaluation, NetEvaluation, NnueGame};
use yarra_engine::eval::Evaluator;
use yarra_engine::net::NetFile;
use yarra_engine::pvs::PvsOptions;
use yarra_engine::{Agent, Settings};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, Position};

use super::games::PlayedGame;
use super::learner::{Learner, Lesson, Subject, view_of};
use super::play::PlayPlan;
use super::samples::{Layout, Samples, Seen, counts_of};
use super::trainee::{First, Trainee};
use crate::ladder::Opponent;
use crate::run::View;
use crate::{Plan, RunError};

/// What the recipe trains.
pub const SUBJECT: Subject = Subject { game: "infexion", begin, view };

/// The weights of the counts: for the player to move, for the other, and of having the move.
pub const N_COUNTS: usize = 2 * N_FEATURES + 1;
const N_CELLS: u16 = 49;

struct InfexionLearner {
    trainee: Trainee<N_FEATURES, N_COUNTS>,
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
    let first = First { counts, has_net, layout: layout(), usual_decay: 0.1 };
    Ok(Box::new(InfexionLearner {
        trainee: Trainee::begin(first, settings, plan.seed, state)?,
        options: PvsOptions::read(&Settings::read(OPTIONS, "table=1")?),
    }))
}

/// The inputs under all symmetries of the board.
pub fn layout() -> Layout {
    let start = start();
    let image = |symmetry, input: u16| {
        let cell = input % N_CELLS;
        // The number of a spawn is its cell.
        input - cell + start.image_move(symmetry, Move(cell)).0
    };
    Layout::new(SHAPE, start.n_symmetries(), image, other_view)
}

fn start() -> Infexion {
    Infexion::start(7).expect("the size of Infexion")
}

/// What a sample sees of a position.
pub fn seen(pos: &Infexion) -> Seen<N_COUNTS> {
    let [inputs, _] = pos.inputs();
    (counts_of(features(pos, Reach::default().root(pos).reached)), inputs)
}

impl InfexionLearner {
    fn samples(&self, games: &[PlayedGame]) -> Samples<N_COUNTS> {
        let mut samples = Samples::new(&self.trainee.layout);
        for game in games {
            samples.add(&start(), game, self.trainee.opinion, |pos| {
                seen((pos as &dyn Any).downcast_ref().expect("the game is Infexion"))
            });
        }
        samples
    }
}

impl Learner for InfexionLearner {
    fn start(&self, _: usize) -> Box<dyn Position> {
        start().boxed()
    }

    fn plan(&self, _: u8) -> PlayPlan {
        PlayPlan { nodes: 0, opening: (4, 9), blunders: 2, decided: 2500, n_decided: 8 }
    }

    fn agent(&self, _: &dyn Position) -> Result<Box<dyn Agent>, RunError> {
        Ok(champion(self.options, self.trainee.playing())(0))
    }

    fn learn(&mut self, lesson: &Lesson<'_>) -> Result<Vec<(&'static str, f64)>, RunError> {
        let [samples, held_out] = [lesson.games, lesson.held_out].map(|games| self.samples(games));
        self.trainee.learn(&samples, &held_out, lesson)
    }

    fn write_state(&self, file: &mut NetFile) {
        self.trainee.write_state(file);
    }

    fn write_net(&self, file: &mut NetFile) {
        self.trainee.write_net(file);
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
    let score = match Evaluation::read(file, SHAPE)? {
        Evaluation::Net(NetEvaluation { weights, net }) => {
            let reach = Reach::with_net(weights, net);
            reach.value(&reach.root(pos), pos)
        }
        Evaluation::Counts(weights) => {
            let reach = Reach::new(weights);
            reach.value(&reach.root(pos), pos)
        }
    };
    Ok(view_of(score.0, f64::from(SHAPE.unit)))
}
