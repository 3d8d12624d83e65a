//! Evaluations by name: those of the reports, and one that every game has.

use std::sync::Arc;

use yarra_engine::eval::{Judge, Term, sum_of};
use yarra_engine::{Score, SpecError};
use yarra_games::{Game, Player, Position, Work, with_game};
use yarra_reports::judges::judges;

/// An entry in the list of evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalInfo {
    /// The name, such as `entourage`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
}

const MATERIAL: EvalInfo = EvalInfo { name: "material", about: "red's material on the board minus blue's" };

/// The evaluations of a position's game, the default first.
pub fn evals(pos: &dyn Position) -> Vec<EvalInfo> {
    struct List;
    impl Work for List {
        type Output = Vec<EvalInfo>;

        fn run<G: Game>(self, _: &G) -> Vec<EvalInfo> {
            list::<G>()
        }
    }
    with_game(pos, List)
}

fn list<G: Game>() -> Vec<EvalInfo> {
    let of_reports = judges::<G>().iter().map(|info| EvalInfo { name: info.name, about: info.about });
    of_reports.chain([MATERIAL]).collect()
}

/// The evaluation with a name; the empty name is the default.
pub fn judge<G: Game>(name: &str) -> Result<Arc<dyn Judge<G>>, SpecError> {
    if let Some(info) = judges::<G>().iter().find(|info| info.name == name || name.is_empty()) {
        return Ok((info.make)());
    }
    if name.is_empty() || name == MATERIAL.name {
        return Ok(Arc::new(Material));
    }
    let names: Vec<_> = list::<G>().iter().map(|info| info.name).collect();
    Err(SpecError::new(format!("eval={name}: expected one of {} in {}", names.join(", "), G::NAME)))
}

/// Counts the material on the board.
struct Material;

impl<G: Game> Judge<G> for Material {
    fn value(&self, pos: &G) -> Score {
        sum_of(&self.terms(pos), pos.turn())
    }

    fn terms(&self, pos: &G) -> Vec<Term> {
        let [red, blue] = Player::BOTH.map(|player| f64::from(pos.material(player)));
        vec![Term { name: MATERIAL.name, red, blue, weight: 1.0 }]
    }
}
