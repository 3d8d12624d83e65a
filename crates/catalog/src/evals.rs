//! Evaluations by name: those of the reports, and one that every game has.

use std::any::Any;
use std::sync::Arc;

use yarra_engine::eval::{Judge, Term, sum_of};
use yarra_engine::{Score, SpecError};
use yarra_games::{Game, Player, Position};
use yarra_reports::judges::Judged;

/// What people read about an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalInfo {
    /// The name, such as `entourage`.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
}

const MATERIAL: EvalInfo =
    EvalInfo { name: "material", about: "what red has on the board less what blue has" };

/// The evaluations of a position's game, the default first.
pub fn evals(pos: &dyn Position) -> Vec<EvalInfo> {
    with_judged(pos, List)
}

/// Work that is generic over games with evaluations, for a position whose game is known only at run time.
pub trait Work {
    /// What comes out.
    type Output;

    /// Does the work for the game of a position.
    fn run<G: Judged>(self) -> Self::Output;
}

/// Does some work with the type behind a position.
pub fn with_judged<W: Work>(pos: &dyn Position, work: W) -> W::Output {
    use yarra_games::cachex::{Cachex, Hex, U256};
    macro_rules! tried {
        ($($type:ty),*) => {$(
            if (pos as &dyn Any).is::<$type>() {
                return work.run::<$type>();
            }
        )*};
    }
    tried!(yarra_games::infexion::Infexion, yarra_games::tetress::Tetress, Cachex<u64>, Cachex<u128>);
    tried!(Cachex<U256>, Hex<u64>, Hex<u128>, Hex<U256>);
    unreachable!("every game is in the list")
}

/// The evaluation of a name; the empty name is the default.
pub fn judge<G: Judged>(name: &str) -> Result<Arc<dyn Judge<G>>, SpecError> {
    if let Some(info) = G::JUDGES.iter().find(|info| info.name == name || name.is_empty()) {
        return Ok((info.make)());
    }
    if name.is_empty() || name == MATERIAL.name {
        return Ok(Arc::new(Material));
    }
    let names: Vec<_> = List.run::<G>().iter().map(|info| info.name).collect();
    Err(SpecError::new(format!("eval={name}: {} has the evaluations {}", G::NAME, names.join(", "))))
}

struct List;

impl Work for List {
    type Output = Vec<EvalInfo>;

    fn run<G: Judged>(self) -> Vec<EvalInfo> {
        let of_reports = G::JUDGES.iter().map(|info| EvalInfo { name: info.name, about: info.about });
        of_reports.chain([MATERIAL]).collect()
    }
}

/// Counts what stands on the board.
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
